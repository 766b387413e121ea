import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { PresentResource, ResourceView, WriteAnswer } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootCommands, ShootEvent } from 'dependency-watchdog/machines/shoot-language.ts';
import type { Begin } from './recorded-shoot.ts';
import { changed, type ForeignChange, type RecordedSeed } from './recorded-seed.ts';

/** The dependants of a shoot that is played: what others did is as it was recorded, what we write is our own. */
export type PlayedSeed = Readonly<{
  /** A machine begins: all that is there is told to it. */
  startAt(begin: Begin): void;
  /** When anything of it changes next. */
  next(): Instant | undefined;
  /** What has changed by then. */
  take(at: Instant): readonly ShootEvent[];
  write(at: Instant, asked: ShootCommands['scale']): WriteAnswer;
  view(key: DependantKey): ResourceView;
}>;

export function playedSeed(recorded: RecordedSeed): PlayedSeed {
  const views = new Map<DependantKey, ResourceView>();
  let nextChange = 0;
  let version = 1;
  let coming: { readonly at: Instant; readonly key: DependantKey; readonly replicas: number | undefined }[] = [];

  function renewed(view: ResourceView): ResourceView {
    version += 1;
    return view.found
      ? { ...view, resourceVersion: String(version) }
      : { found: false, resourceVersion: String(version) };
  }

  function keep(key: DependantKey, view: ResourceView): ResourceView {
    const kept = renewed(view);
    views.set(key, kept);
    return kept;
  }

  return {
    startAt({ at, from }) {
      // What was written by the process before has followed by now.
      for (const { key, replicas } of coming) follow(key, replicas);
      coming = [];
      if ('place' in from) {
        for (const [key, { view }] of Object.entries(from.place.context.known)) {
          if (view === null) continue;
          version = Math.max(version, view.found ? Number(view.resourceVersion) || 0 : 0);
          if (!views.has(key)) views.set(key, view);
        }
        // It knows all that came before.
        while ((recorded.changes[nextChange]?.at ?? Infinity) < at) nextChange += 1;
      } else for (const key of views.keys()) coming.push({ at, key, replicas: undefined });
    },
    next: () => {
      const own = coming.reduce<Instant | undefined>(
        (one, { at }) => (one === undefined || at < one ? at : one),
        undefined,
      );
      const theirs = recorded.changes[nextChange]?.at;
      return own === undefined ? theirs : Math.min(own, theirs ?? Infinity);
    },
    take(at) {
      const events: ShootEvent[] = [];
      const told = (key: DependantKey) => {
        const view = views.get(key);
        if (view !== undefined) events.push({ type: 'dependant.changed', at, key, view });
      };
      const due = coming.filter((one) => one.at <= at);
      coming = coming.filter((one) => one.at > at);
      for (const { key, replicas } of due) {
        follow(key, replicas);
        told(key);
      }
      for (
        let change = recorded.changes[nextChange];
        change !== undefined && change.at <= at;
        change = recorded.changes[nextChange]
      ) {
        nextChange += 1;
        const after = mergedView(views.get(change.key), change);
        if (after === undefined) continue;
        keep(change.key, after);
        told(change.key);
      }
      return events;
    },
    write(at, { key, seen, change }) {
      const view = views.get(key);
      if (view === undefined || !view.found) return { outcome: 'missing' };
      if (view.resourceVersion !== seen.resourceVersion) return { outcome: 'conflict' };
      const written = keep(key, changed(view, change));
      const { replicas } = change;
      if (replicas !== undefined && replicas !== view.replicas)
        coming.push({ at: at + recorded.followTook(at, key, replicas === 0), key, replicas });
      return { outcome: 'written', view: written };
    },
    view: (key) => views.get(key) ?? { found: false },
  };

  function follow(key: DependantKey, replicas: number | undefined): void {
    const view = views.get(key);
    if (replicas === undefined || view === undefined || !view.found || view.replicas !== replicas) return;
    const { ending: _, ...rest } = view;
    keep(key, { ...rest, observed: true, readyReplicas: replicas });
  }
}

/** What somebody else changed is changed here too, and the rest is as it stands here; undefined where that changes nothing. */
function mergedView(here: ResourceView | undefined, { before, after }: ForeignChange): ResourceView | undefined {
  if (here === undefined || before === null || !here.found || !before.found || !after.found) return after;
  const next: PresentResource = {
    ...here,
    ...(after.replicas === before.replicas
      ? {}
      : { replicas: after.replicas, ...(after.scaledBy === undefined ? {} : { scaledBy: after.scaledBy }) }),
    ...(after.marked === before.marked ? {} : { marked: after.marked }),
    ...(after.record === before.record ? {} : { record: after.record }),
    ...(after.ignored === before.ignored ? {} : { ignored: after.ignored }),
  };
  const isSame =
    next.replicas === here.replicas &&
    next.marked === here.marked &&
    next.record === here.record &&
    next.ignored === here.ignored;
  // The replicas that follow are those of what is recorded, as far as it wanted as many.
  if (after.replicas !== next.replicas) return isSame ? undefined : next;
  const { ending: _, ...rest } = next;
  return {
    ...rest,
    readyReplicas: after.readyReplicas,
    observed: after.observed,
    ...(after.ending === undefined ? {} : { ending: after.ending }),
  };
}

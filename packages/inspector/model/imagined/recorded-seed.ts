import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { PresentResource, ResourceChange, ResourceView } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { samePlain } from '../../journal/machine-replay.ts';
import { lastUntil } from '../timeline/lanes.ts';
import type { RecordedTurn } from './recorded-shoot.ts';

/** What somebody else did to a dependant: the fields that differ from before. */
export type ForeignChange = Readonly<{
  at: Instant;
  key: DependantKey;
  before: ResourceView | null;
  after: ResourceView;
}>;

type Took = Readonly<{ at: Instant; key: DependantKey; took: Millis; isDown: boolean }>;

/** What the record tells of a shoot's dependants in the seed: what others did to them, and how long our writes took. */
export type RecordedSeed = Readonly<{
  take(turn: RecordedTurn): void;
  changes: readonly ForeignChange[];
  /** From a write's command to its answer, and from there until the replicas had followed, at about that time. */
  writeTook(at: Instant): Millis;
  followTook(at: Instant, key: DependantKey, isDown: boolean): Millis;
}>;

/** Where nothing is recorded. */
const usualWrite: Millis = 50;
const usualFollow = { down: 500, up: 8_000 } as const;

export function recordedSeed(): RecordedSeed {
  const views = new Map<DependantKey, ResourceView>();
  /** What our own write makes of a dependant, until it is seen. */
  const expected = new Map<DependantKey, PresentResource>();
  /** Written, and not yet followed by its replicas. */
  const written = new Map<DependantKey, Readonly<{ at: Instant; replicas: number }>>();
  const changes: ForeignChange[] = [];
  const writes: { at: Instant; took: Millis }[] = [];
  const follows: Took[] = [];

  function see(at: Instant, key: DependantKey, view: ResourceView): void {
    const before = views.get(key) ?? null;
    const own = expected.get(key);
    views.set(key, view);
    if (own !== undefined && view.found && sameSpec(own, view)) expected.delete(key);
    else if (before === null || !sameView(before, view)) changes.push({ at, key, before, after: view });
    const write = written.get(key);
    if (write === undefined || !view.found || !hasFollowed(view, write.replicas)) return;
    written.delete(key);
    follows.push({ at: write.at, key, took: at - write.at, isDown: write.replicas === 0 });
  }

  return {
    changes,
    take({ at, event, commands }) {
      if (event.type === 'dependant.changed') see(at, event.key, event.view);
      if (event.type === 'read.answered' && event.answer.outcome === 'read')
        see(at, event.asked.key, event.answer.view);
      if (event.type === 'scale.answered' && event.answer.outcome === 'undone')
        see(at, event.asked.key, event.answer.view);
      if (event.type === 'scale.answered' && event.answer.outcome === 'written') {
        const { key, change } = event.asked;
        writes.push({ at, took: at - event.askedAt });
        if (change.replicas !== undefined) written.set(key, { at, replicas: change.replicas });
        see(at, key, event.answer.view);
      }
      for (const command of commands)
        if (command.type === 'scale') {
          const { key, seen, change } = command.params;
          expected.set(key, changed(seen, change));
        }
    },
    writeTook: (at) => writes[Math.max(0, lastUntil(writes, at))]?.took ?? usualWrite,
    followTook(at, key, isDown) {
      const those = follows.filter((one) => one.isDown === isDown);
      const own = those.filter((one) => one.key === key);
      const some = own.length > 0 ? own : those;
      return some[Math.max(0, lastUntil(some, at))]?.took ?? (isDown ? usualFollow.down : usualFollow.up);
    },
  };
}

/** What a write makes of a resource. Its replicas follow later. */
export function changed(seen: PresentResource, { replicas, mark, record }: ResourceChange): PresentResource {
  const { record: known, scaledBy: _, ...rest } = seen;
  const kept = record === undefined ? known : record === null ? undefined : String(record);
  return {
    ...rest,
    replicas: replicas ?? seen.replicas,
    marked: mark ?? seen.marked,
    observed: replicas === undefined || replicas === seen.replicas ? seen.observed : false,
    ...(kept === undefined ? {} : { record: kept }),
  };
}

function hasFollowed({ observed, replicas, readyReplicas }: PresentResource, wanted: number): boolean {
  return observed && replicas === wanted && (wanted === 0 ? readyReplicas === 0 : readyReplicas >= 1);
}

function sameSpec(one: PresentResource, other: PresentResource): boolean {
  return one.replicas === other.replicas && one.marked === other.marked && one.record === other.record;
}

/** But for its version, which counts every renewed status. */
function sameView(one: ResourceView, other: ResourceView): boolean {
  return samePlain({ ...one, resourceVersion: '' }, { ...other, resourceVersion: '' });
}

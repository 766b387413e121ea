import { Observable } from 'rxjs';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import type { Order } from '../story/orders.ts';
import { dueStep, isGoalReached, ticks } from '../story/story-part.ts';
import {
  beforeAnother,
  firstControlPlanes,
  isWeederAtWork,
  isWell,
  noRequests,
  withObservation,
  type ControlPlaneModel,
  type FirstViews,
} from './control-plane-model.ts';
import { etcdStoryPart, type EtcdStoryLengths } from './etcd-story.ts';
import { sides, type Observation, type Phase, type RequestCounts } from './observation.ts';
import type { PacedClock } from './paced-clock.ts';
import { etcdGroup, stageViews } from './stages.ts';

/** An observation, and the model before and after it. */
export type Seen = Readonly<{ before: ControlPlaneModel; seen: Observation; after: ControlPlaneModel }>;

/** How fast the clock runs: usually, while the weeder has something to do, and after the story. */
export type Paces = Readonly<{ usual: number; slow: number; after: number }>;

export type EtcdStoryParts = Readonly<{
  clock: PacedClock;
  paces: Paces;
  /** Both have the same control planes. */
  weeded: EmbeddedSeed;
  unaided: EmbeddedSeed;
  /** What happens on either seed. */
  changes$: Observable<Observation>;
  /** The weeder. It runs as long as the story does. */
  turns$: Observable<WeederTurn>;
  remarks$: Observable<string>;
  orders$: Observable<Order>;
  lengths: EtcdStoryLengths;
  /** In real time: how much later each deadline is, and how often we look at the story. */
  slack: Millis;
  every: Millis;
}>;

/** The slow motion ends after this, even if the weeder has not finished. */
const longestSlowMotion: Millis = 60_000;

/**
 * Runs the weeder on the one seed and plays the same story to both. It goes on after the story is over, until it is
 * unsubscribed. It fails if the weeder fails.
 */
export function playEtcdStory({ clock, paces, weeded, unaided, ...parts }: EtcdStoryParts): Observable<Seen> {
  return new Observable((observer) => {
    let model = firstControlPlanes(clock.now(), viewsOf(weeded, unaided));
    let reachedAt: Instant | undefined;
    let requests = requestCounter(weeded);

    const see = (seen: Observation): void => {
      const before = model;
      model = withObservation(model, seen);
      observer.next({ before, seen, after: model });
    };

    const enter = (phase: Phase, at: Instant): void => {
      reachedAt = undefined;
      see({ type: 'phase', at, phase });
      clock.pace(paceOf(model, paces, at));
      for (const seed of [weeded, unaided]) {
        for (const plane of seed.controlPlanes) {
          if (phase === 'outage') plane.down(etcdGroup);
          if (phase !== 'recovery') continue;
          plane.up(etcdGroup);
          // Nobody weeds etcd itself, and its back-off is not part of the story.
          plane.replace(etcdGroup);
        }
      }
    };

    const look = (now: Instant, late: Millis): void => {
      see({ type: 'tick', at: now, late, requests: requests() });
      clock.pace(paceOf(model, paces, now));
      const part = etcdStoryPart(model.phase, parts.lengths);
      if (!isGoalReached(part, model)) reachedAt = undefined;
      else reachedAt ??= now;
      const step = dueStep(part, model, { now, reachedAt, slack: parts.slack * clock.speed() });
      if (step === undefined) return;
      for (const what of step.missed) see({ type: 'missed', at: now, what });
      enter(step.next, now);
    };

    const obey = (order: Order): void => {
      const at = clock.now();
      const obstacle = obstacleTo(order, model);
      if (obstacle !== undefined) return see({ type: 'remark', at, text: obstacle });
      model = beforeAnother(model, at, viewsOf(weeded, unaided));
      requests = requestCounter(weeded);
      enter('outage', at);
    };

    enter('calm', model.startedAt);
    observer.add(parts.orders$.subscribe(obey));
    observer.add(parts.changes$.subscribe(see));
    observer.add(parts.remarks$.subscribe((text) => see({ type: 'remark', at: clock.now(), text })));
    observer.add(
      parts.turns$.subscribe({
        next: (turn) => see({ type: 'turn', at: turn.at, turn }),
        error: (error: unknown) => observer.error(error),
      }),
    );
    observer.add(ticks(clock, () => parts.every * clock.speed(), look));
  });
}

/**
 * Slow motion for the seconds in which the weeder works, which would be over before anybody saw them, and while it
 * starts: connections are not made any faster than usual.
 */
export function paceOf(model: ControlPlaneModel, { usual, slow, after }: Paces, now: Instant): number {
  if (model.phase === 'over') return after;
  if (model.phase === 'calm') return slow;
  return isWeederAtWork(model) && now - model.phaseAt < longestSlowMotion ? slow : usual;
}

/** Why an order cannot be followed now; undefined if it can. */
function obstacleTo(order: Order, { phase, rows }: ControlPlaneModel): string | undefined {
  if (order === 'heal') return 'etcd comes back by itself, once every back-off has grown.';
  if (phase !== 'over') return 'No other outage begins yet: this one is not over.';
  const busy = [...rows.values()].find((row) => !sides.every((side) => isWell(row, side)));
  return busy && `No other outage begins yet: ${busy.shoot} is not well again.`;
}

function viewsOf(weeded: EmbeddedSeed, unaided: EmbeddedSeed): FirstViews {
  const others = new Map(unaided.controlPlanes.map(({ namespace, pods }) => [namespace, stageViews(pods)]));
  return new Map(
    weeded.controlPlanes.map(({ namespace, pods }) => {
      const views = stageViews(pods);
      return [namespace, { weeded: views, unaided: others.get(namespace) ?? views }];
    }),
  );
}

/** Counts the requests to a seed from now on. */
function requestCounter({ api }: EmbeddedSeed): () => RequestCounts {
  let seenCount = api.requests.count;
  let counts = noRequests;
  return () => {
    const { count } = api.requests;
    const fresh = api.requests.after(seenCount);
    const those = (verb: string): number => fresh.filter((one) => one.verb === verb).length;
    counts = {
      all: counts.all + count - seenCount,
      lists: counts.lists + those('list'),
      watches: counts.watches + those('watch'),
      deletions: counts.deletions + those('delete'),
    };
    seenCount = count;
    return counts;
  };
}

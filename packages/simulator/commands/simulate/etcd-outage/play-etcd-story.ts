import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import type { Observable } from 'rxjs';
import type { Entry, Story, StoryEvent, StoryPart } from '../story/story.ts';
import {
  begunControlPlanes,
  dependantStages,
  isAllWell,
  isWeederAtWork,
  noRequests,
  sides,
  type ControlPlaneModel,
  type FirstViews,
  type Phase,
  type PlaneRow,
  type RequestCounts,
} from './control-plane-model.ts';
import { etcdPhaseEvent, takeTick, weederTurnEvent } from './etcd-events.ts';
import type { PacedClock } from './paced-clock.ts';
import { etcdGroup, stageViews } from './stages.ts';

/** How fast the clock runs: usually, while the weeder has something to do, and after the story. */
export type Paces = Readonly<{ usual: number; slow: number; after: number }>;

type EtcdStage = Readonly<{
  clock: PacedClock;
  paces: Paces;
  /** Both have the same control planes. */
  weeded: EmbeddedSeed;
  unaided: EmbeddedSeed;
  /** What happens on either seed. */
  changes$: (model: () => ControlPlaneModel) => Observable<StoryEvent>;
  lengths: EtcdStoryLengths;
}>;

type EtcdStory = Omit<Story<Phase, PlaneRow, WeederTurn>, 'state'> & Readonly<{ state: () => ControlPlaneModel }>;

/** The slow motion ends after this, even if the weeder has not finished. */
const longestSlowMotion: Millis = 60_000;

/** What happens to two equal seeds, of which one has a weeder. */
export function etcdStory({ clock, paces, weeded, unaided, changes$, lengths }: EtcdStage): EtcdStory {
  let requests = requestCounter(weeded);
  let model = begunControlPlanes(clock.now(), viewsOf(weeded, unaided));

  const enter = ({ phase, at }: Entry<Phase>, see: (event: StoryEvent) => void): void => {
    const event = etcdPhaseEvent(model, at, phase);
    clock.pace(paceOf(model, paces, at));
    see(event);
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

  return {
    clock,
    seed: weeded,
    state: () => model,
    another(at) {
      requests = requestCounter(weeded);
      model = begunControlPlanes(at, viewsOf(weeded, unaided), model);
    },
    part: (phase) => etcdStoryPart(phase, lengths),
    enter,
    look(at, late) {
      takeTick(model, late, requests());
      clock.pace(paceOf(model, paces, at));
      return [];
    },
    changes$: changes$(() => model),
    turn: (turn) => weederTurnEvent(model, turn),
    outage: 'outage',
    healing: 'recovery',
    cannotHeal: () => 'etcd comes back by itself, once every back-off has grown.',
    isBusy: (row) => !isAllWell(row),
    busy: 'is not well again',
    speed: () => clock.speed(),
  };
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

/** How long the parts of the story take at most if all goes well, by the simulated clock. */
export type EtcdStoryLengths = Readonly<{
  /** Until every control plane is well, and known to the weeder. */
  calm: Millis;
  /** etcd is away for exactly so long, if everything crash-loops by then. */
  outage: Millis;
  /** Until everything is well again, without any help. */
  recovery: Millis;
  /** The pause between a goal and the next phase, so that a reader sees the goal reached. */
  pause: Millis;
}>;

/** The part of the story that belongs to a phase; undefined once the story is over. */
export function etcdStoryPart(
  phase: Phase,
  { calm, outage, recovery, pause }: EtcdStoryLengths,
): StoryPart<Phase, PlaneRow> | undefined {
  switch (phase) {
    case 'calm':
      return {
        next: 'outage',
        awaits: (row) => row.services.size === 0 || !isAllWell(row),
        inVain: 'was not well in the calm, or has no service that the weeder knows',
        least: 0,
        pause,
        deadline: calm,
      };
    case 'outage':
      return {
        next: 'recovery',
        awaits: (row) => !sides.every((side) => dependantStages.every((stage) => row[side][stage].longestBackOff > 0)),
        inVain: 'did not crash-loop while etcd was away',
        least: outage,
        pause: 0,
        deadline: outage,
      };
    case 'recovery':
      return {
        next: 'over',
        awaits: (row) => !isAllWell(row),
        inVain: 'was not well again when the story was over',
        least: 0,
        pause,
        deadline: recovery,
      };
    case 'over':
      return undefined;
  }
}

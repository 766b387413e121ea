import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { StandingState } from 'dependency-watchdog/domain/prober/standing.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootState } from 'dependency-watchdog/machines/shoot-language.ts';
import { begunState, type Quiet, type StoryState } from '../story/story.ts';
import type { StartedRun } from '../story/story-run.ts';
import type { CountedVerdict } from 'dependency-watchdog/adapters/record/words/probe-words.ts';

/** The options of a run of the network outage. */
export type NetworkOptions = StartedRun &
  Readonly<{
    /** In each shoot. */
    nodes: number;
    config: ProberConfig;
  }>;

/**
 * `over`: the story has ended; with `--keep` the seed stays up. Where there are two paths, the internal one fails first, and heals: that
 * is no outage, and nothing may be scaled for it (SPEC 4.9).
 */
export type Phase = 'calm' | 'internalOutage' | 'internalHealing' | 'outage' | 'healing' | 'over';

/** A dependant as it stands in the seed. */
export type DependantView = Readonly<{
  replicas: number;
  readyReplicas: number;
  /** Carries our mark. */
  marked: boolean;
  record?: string;
  /** It is annotated so that the watchdog leaves it alone. */
  ignored: boolean;
}>;

/** What one probe cost, as counted by the servers. */
export type ProbeCost = Readonly<{ connections: number; shootRequests: number; seedRequests: number }>;

/** When an outage should be noticed, and when it would do harm. Both are computed from the last renewals, not taken from the prober. */
export type Threat = Readonly<{ crossedAt: Instant; firstMarkAt: Instant }>;

/** One dependant of one shoot, as the seed stores it. Instants are in the outage; null: not yet. */
export type ObservedDependant = {
  /** The replicas wanted before anything happened. */
  readonly before: number;
  now: DependantView;
  /** The fewest replicas that were ever wanted. */
  least: number;
  /** When its last pod was gone. */
  downAt: Instant | null;
};

/** All that was seen of one shoot. */
export type ObservedShoot = {
  readonly shoot: ShootNamespace;
  state: ShootState;
  /** In the list of `status`, by what its machine knows. */
  standing: StandingState;
  /** The last one; null before the first. */
  verdict: CountedVerdict | null;
  readonly dependants: ReadonlyMap<DependantKey, ObservedDependant>;
  /** Null unless the outage hits the shoot. */
  threat: Threat | null;
  /** Its internal path fails, or failed. */
  unasked: boolean;
  /** Its internal path failed so often that the prober leaves it alone for a while. */
  leftAlone: boolean;
  /** Something was scaled down though nothing but its internal path failed. */
  scaledUnasked: boolean;
  /** When the first scale-down was commanded. */
  decidedAt: Instant | null;
  downAt: Instant | null;
  nodesMarked: number;
  /** Healthy Machines that its machine-controller-manager took for dead. */
  machinesReplaced: number;
  readonly healthyProbes: ProbeCost[];
  /** Something was done to it since the last probe, so its next probe is not one of a connected shoot. */
  disturbed: boolean;
  /** How often a bug of ours ended its machine. */
  bugs: number;
};

/** What the shoot is called that nobody watches: one like the others, on a seed of its own, cut off and healed with them. */
export const twinName = 'unwatched twin';

/** The simulation so far. */
export type NetworkModel = StoryState<Phase, ObservedShoot> & {
  /** The shoots are of the older generation, which asks on two paths (SPEC 4.9). */
  readonly twoPaths: boolean;
  /** Null where there is none. */
  readonly twin: ObservedShoot | null;
  /** When the outage healed; null before that. */
  healedAt: Instant | null;
  /** Null until the outage, or if the calm never came. */
  quiet: Quiet | null;
};

/** The seed's first state, in the order of the table. */
export type FirstViews = ReadonlyMap<ShootNamespace, ReadonlyMap<DependantKey, DependantView>>;

/** Before another outage it knows what the shoots do, and nothing of what happened before. */
export function begunModel(
  at: Instant,
  shoots: FirstViews,
  twoPaths: boolean,
  before?: NetworkModel,
  twin?: ReadonlyMap<DependantKey, DependantView>,
): NetworkModel {
  const rowOf = ([shoot, views]: readonly [
    ShootNamespace,
    ReadonlyMap<DependantKey, DependantView>,
  ]): ObservedShoot => {
    const { state = 'idle', standing = 'waiting', verdict = null, disturbed = false } = before?.rows.get(shoot) ?? {};
    return {
      shoot,
      state,
      standing,
      verdict,
      dependants: new Map([...views].map(([key, view]) => [key, firstDependant(view)])),
      threat: null,
      unasked: false,
      leftAlone: false,
      scaledUnasked: false,
      decidedAt: null,
      downAt: null,
      nodesMarked: 0,
      machinesReplaced: 0,
      healthyProbes: [],
      disturbed,
      bugs: 0,
    };
  };
  return {
    ...begunState<Phase, ObservedShoot>(at, [...shoots].map(rowOf), 'calm', before),
    twoPaths,
    twin: twin === undefined ? null : rowOf([twinName, twin]),
    healedAt: null,
    quiet: null,
  };
}

function firstDependant(now: DependantView): ObservedDependant {
  return { before: now.replicas, now, least: now.replicas, downAt: null };
}

/** No dependant of it runs any more. Those that the operator wants left alone do not count. */
export function isDown({ dependants }: ObservedShoot): boolean {
  return [...dependants.values()].every(({ now }) => now.ignored || hasNone(now));
}

/** All dependants run as before, and none has an annotation of ours. */
export function isAsBefore({ dependants }: ObservedShoot): boolean {
  return [...dependants.values()].every(
    ({ before, now }) =>
      now.replicas === before && now.readyReplicas === before && !now.marked && now.record === undefined,
  );
}

/** Something of it was scaled down by the watchdog, and is not back. */
export function carriesMark({ dependants }: ObservedShoot): boolean {
  return [...dependants.values()].some(({ now }) => now.marked || now.record !== undefined);
}

export function hasNone({ replicas, readyReplicas }: DependantView): boolean {
  return replicas === 0 && readyReplicas === 0;
}

import type { ClusterView } from '../domain/prober/cluster-view.ts';
import type { DependantKey } from '../domain/prober/dependant.ts';
import { isScaledDown, type Aim } from '../domain/prober/due-change.ts';
import type { PartialOutage } from '../domain/prober/partial-outage.ts';
import { fullBudget, type EarlyBudget } from '../domain/prober/probe-schedule.ts';
import type { FlowScope, ScaleFlow } from '../domain/prober/scale-flow.ts';
import { unknown, type KnownDependant } from '../domain/prober/scale-step.ts';
import { hasTwoPaths, type TwoPathConfig } from '../domain/prober/prober-config.ts';
import type { ProbeFailureReason } from '../domain/prober/probe-failure.ts';
import { leasePolicyOf, type LeasePolicy, type Verdict } from '../domain/prober/verdict.ts';
import type { Silence } from '../domain/prober/silence.ts';
import type { PathTold, PathVerdict } from '../domain/prober/shoot-path.ts';
import type { Instant, Millis } from '../domain/time.ts';
import type { LeasesSeen } from './leases-seen.ts';
import type { ShootNote, ShootCommand, ShootEvent, ShootInput, Unjudged } from './shoot-language.ts';

/** Raised within a turn, from the probe to the shield. It never comes from outside. */
type VerdictReached = Readonly<{
  type: 'verdict.reached';
  at: Instant;
  verdict: Verdict | PathVerdict;
  aim: Aim;
}>;

export type MachineEvent = ShootEvent | VerdictReached;

/** Everything a shoot machine remembers; plain data, so that it can be journaled and restored. */
export type ShootContext = ShootInput &
  Readonly<{
    /** The last number given to a probe, read or write. */
    numbered: number;
    /** The last readable Cluster. */
    cluster: ClusterView | null;
    /** What the stream of Clusters tells can be relied on (SPEC 3.5). */
    clusterLive: boolean;
    /** Null while the shoot is probed, and before its first Cluster. */
    pause: Pause | null;
    known: Readonly<Record<DependantKey, KnownDependant>>;
    probe: Probe;
    /** What the last answered probe showed; null before the first one, after a pause, and where two paths are asked instead. */
    seen: LeasesSeen | null;
    /** Only in the older generation. */
    paths?: Paths;
    streak: Streak;
    /** Null unless the last verdict was `cutOff`. */
    outage: Outage | null;
    /** Null unless the shoot is scaled down or up. */
    flow: ScaleFlow | null;
    /** Ways down by our hand, each begun within ten minutes of the one before (SPEC 6.5); null before the first. */
    descents: Descents | null;
    said: Said;
  }>;

/** Why the shoot is idle. */
type Pause = Readonly<{
  because: string;
  /** A Cluster that could not be read cut probing short: it goes on with the next readable one (SPEC 3.4). */
  interrupted: boolean;
}>;

export type Probe = Readonly<{
  /** The one under way, or the last one; null before the first, after one that was never answered, and after a stop. */
  asked: AskedProbe | null;
  /** Null before the first one is planned. */
  nextAt: Instant | null;
  /** The shoot asked to be left alone until then (SPEC 4.5); null where it never did. */
  heldUntil: Instant | null;
  failuresInRow: number;
  /** The shoot's own API server gave no answer since the last verdict (SPEC 9.2); null where it did, or nobody knows. */
  silence: Silence | null;
  early: EarlyBudget;
}>;

export type AskedProbe = Readonly<{
  number: number;
  askedAt: Instant;
  deadlineAt: Instant;
  /** A GET of the Cluster is part of it; `overtaken`: the stream has told of the Cluster since (SPEC 3.5). */
  cluster?: 'asked' | 'overtaken';
}>;

/** What the two paths of the older generation told (SPEC 4.9). The streak counts what the external one told. */
export type Paths = Readonly<{
  /** Of the probe under way, or of the last one. */
  asked: Readonly<{ internal: PathState; external: PathState }>;
  /** Why the external path gave no answer this time. */
  reason: ProbeFailureReason | null;
  /** The internal path answered last time, or has answered already: both are asked at once. */
  sideBySide: boolean;
  /** The internal path took more than half of the time this time, so a time-out of the external one tells nothing. */
  internalSlow: boolean;
  /** How often in a row the internal path has failed. */
  internalFailures: number;
  /** When the external path was last asked and answered; null where it never did. */
  carriedAt: Instant | null;
}>;

export type PathState = 'notAsked' | 'asked' | PathTold;

/** A shoot whose two paths are asked. */
export type TwoPaths = ShootContext & Readonly<{ config: TwoPathConfig; paths: Paths }>;

/** A shoot of which a probe was answered. */
export type Answered = ShootContext & Readonly<{ seen: LeasesSeen }>;

/** Consecutive verdicts of one direction (SPEC 2, failureThreshold and successThreshold). */
type Streak = Readonly<{ of: 'cutOff' | 'connected'; count: number }>;

/** One outage, from the first verdict in the streak of `cutOff`. */
type Outage = Readonly<{
  crossedAt: Instant;
  firstMarkAt: Instant;
  /**
   * `decided`: a scale-down was commanded, or all was down without one. `shielded`: it was said that everything is scaled down.
   * Each is reached once, but for `shielded` where somebody else raises something.
   */
  stage: 'crossed' | 'decided' | 'shielded';
  /** When somebody else raised the first of what was all down (SPEC 6.9); absent once it is down again. */
  raisedAt?: Instant;
}>;

export type Descents = Readonly<{ lastAt: Instant; count: number }>;

/** What was said and still holds, so that it is not said again. */
type Said = Readonly<{
  /** Dependants that are missing (SPEC 6.8). */
  missing: readonly DependantKey[];
  /** By how much a clock of the shoot last differed from ours, and when (SPEC 5.1); null where that is over. */
  clockDiffers: Readonly<{ by: Millis; at: Instant }> | null;
  /** When leases were last found ahead of the time (SPEC 5.1); null where that is over. */
  aheadAt: Instant | null;
  /** Nobody renews so many leases though their nodes are Ready (SPEC 5.5). */
  notRenewed: number;
  /** Leases are left out, since there are too many (SPEC 4.7). */
  leftOut: boolean;
  /** The part of the shoot that was said to be cut off (SPEC 5.6), as it was then; `expired` is of the groups that are named. Null where none is. */
  partial: PartialOutage | null;
  /** Many leases are late (SPEC 5.7). */
  late: boolean;
  /** Nobody can tell whether the shoot is cut off (SPEC 5.8, 5.9), with the reasons as they were then; null where somebody can. */
  unjudged: Unjudged | null;
}>;

/** What a decision comes to: all that is remembered from now on, what to command, and the verdict to raise, if any. */
export type Decision = Readonly<{
  context: ShootContext;
  commands: readonly ShootCommand[];
  verdict?: VerdictReached;
}>;

/** Decides twice, the second time on what the first decision remembers. */
export function andThen(first: Decision, next: (context: ShootContext) => Decision): Decision {
  const second = next(first.context);
  return { ...first, ...second, commands: [...first.commands, ...second.commands] };
}

export function remember(context: ShootContext, commands: readonly ShootCommand[] = []): Decision {
  return { context, commands };
}

export function note(params: ShootNote): ShootCommand {
  return { type: 'note', params };
}

export function firstContext(input: ShootInput): ShootContext {
  return {
    ...input,
    numbered: 0,
    cluster: null,
    clusterLive: false,
    pause: null,
    known: Object.fromEntries(input.config.dependants.map(({ key }) => [key, unknown])),
    probe: { asked: null, nextAt: null, heldUntil: null, failuresInRow: 0, silence: null, early: fullBudget },
    seen: null,
    ...(hasTwoPaths(input.config) ? { paths: firstPaths } : {}),
    streak: noStreak,
    outage: null,
    flow: null,
    descents: null,
    said: {
      missing: [],
      clockDiffers: null,
      aheadAt: null,
      notRenewed: 0,
      leftOut: false,
      partial: null,
      late: false,
      unjudged: null,
    },
  };
}

export const firstPaths: Paths = {
  asked: { internal: 'notAsked', external: 'notAsked' },
  reason: null,
  sideBySide: false,
  internalSlow: false,
  internalFailures: 0,
  carriedAt: null,
};

/** Throws where leases are asked for: the chart never gets there. */
export function asTwoPaths(context: ShootContext): TwoPaths {
  const { config, paths } = context;
  if (!hasTwoPaths(config) || paths === undefined) throw new Error('this shoot is judged by its leases');
  return { ...context, config, paths };
}

export const noStreak: Streak = { of: 'connected', count: 0 };

/** The streak with one more verdict of this direction. */
export function longerStreak(streak: Streak, of: Streak['of']): Streak {
  return { of, count: streak.of === of ? streak.count + 1 : 1 };
}

export function leasePolicy(context: ShootContext): LeasePolicy {
  return leasePolicyOf(context.cluster, context.config);
}

export function flowScope(context: ShootContext): FlowScope {
  const { config, known, outage } = context;
  // A controller-manager that starts gives each node a whole grace (SPEC 6.9).
  const { firstMarkAt, raisedAt } = outage ?? {};
  const mark = raisedAt === undefined ? firstMarkAt : raisedAt + leasePolicy(context).grace;
  return { dependants: config.dependants, known, ...(mark === undefined ? {} : { firstMarkAt: mark }) };
}

export function failureThresholdMet({ streak, config }: ShootContext): boolean {
  return streak.of === 'cutOff' && streak.count >= config.failureThreshold;
}

/** Something bears our mark, or is on its way down or up by our hand (SPEC 4.6). */
export function isDownByUs({ flow, known }: ShootContext): boolean {
  return flow !== null || Object.values(known).some(({ view }) => view?.found === true && !view.ignored && view.marked);
}

/** Something stands at 0 or bears our mark, or may do so. What we may not read never counts. */
export function mayBeScaledDown(context: ShootContext): boolean {
  if (context.flow !== null) return true;
  return Object.values(context.known).some(({ view, refusal }) =>
    view === null ? refusal === null : isScaledDown(view),
  );
}

import type { ClusterView } from '../domain/prober/cluster-view.ts';
import type { DependantKey } from '../domain/prober/dependant.ts';
import { isScaledDown, type Aim } from '../domain/prober/due-change.ts';
import { fullBudget, type EarlyBudget } from '../domain/prober/early-probes.ts';
import type { FlowWorld, ScaleFlow } from '../domain/prober/scale-flow.ts';
import type { Known } from '../domain/prober/scale-step.ts';
import type { SeenLease } from '../domain/prober/seen-lease.ts';
import type { Instant, Millis } from '../domain/time.ts';
import type { LeasePolicy, Verdict } from '../domain/prober/verdict.ts';
import type { ShootCommand, ShootEvent, ShootInput } from './shoot-language.ts';

/** Raised within a turn, from the probe to the shield; never comes from outside. */
type VerdictReached = Readonly<{ type: 'verdict.reached'; at: Instant; verdict: Verdict; aim: Aim }>;

export type MachineEvent = ShootEvent | VerdictReached;

/** Everything a shoot machine remembers; plain data, so that it can be journaled and restored. */
export type ShootContext = ShootInput &
  Readonly<{
    /** The last readable Cluster. */
    cluster: ClusterView | null;
    /** What the stream of Clusters tells can be relied on (SPEC 3.5). */
    clusterLive: boolean;
    /** Why the shoot is idle. */
    pausedBecause: string | null;
    /** Probing was cut short by a Cluster that could not be read, and goes on with the next readable one (SPEC 3.4). */
    interrupted: boolean;
    known: Readonly<Record<DependantKey, Known>>;
    /** Dependants said to be missing, until they are found again (SPEC 6.8). */
    saidMissing: readonly DependantKey[];
    /** The last number given to a probe, read or write. */
    numbered: number;
    probe: Readonly<{
      number: number;
      /** Of the last probe; null before the first. */
      askedAt: Instant | null;
      deadlineAt: Instant;
      nextAt: Instant;
      /** The shoot asked to be left alone until then (SPEC 4.5). */
      heldUntil: Instant;
      failuresInRow: number;
      early: EarlyBudget;
      /** By how much the shoot's clock is ahead of ours, as the last answer's date tells; 0 within what is tolerated. */
      clockAhead: Millis;
    }>;
    /** As the last answered probe showed them, and when that one was asked. */
    leases: readonly SeenLease[];
    leasesAt: Instant | null;
    /** It was said that the shoot's clock differs from ours. */
    clockDiffers: boolean;
    /** Nodes whose leases the last look found to tell nothing (SPEC 5.2). */
    nonCandidates: readonly string[];
    /** Consecutive verdicts (SPEC 2, failureThreshold and successThreshold). */
    streak: Readonly<{ cutOff: number; connected: number }>;
    /** Of the first verdict in the streak of `cutOff`. */
    crossing: Readonly<{ crossedAt: Instant; firstMarkAt: Instant; said: boolean }> | null;
    flow: ScaleFlow | null;
    /** The flow has written something. */
    flowWrote: boolean;
  }>;

/** What a decision comes to: what to remember, what to command, and the verdict to raise, if any. */
export type Decision = Readonly<{
  change: Partial<ShootContext>;
  commands: readonly ShootCommand[];
  verdict?: VerdictReached;
}>;

const unknown: Known = {
  view: null,
  live: false,
  outdated: false,
  reading: null,
  slow: false,
  overtaken: false,
  writing: null,
  heardAt: null,
  refusal: null,
};

export function firstContext(input: ShootInput): ShootContext {
  return {
    ...input,
    cluster: null,
    clusterLive: false,
    pausedBecause: null,
    interrupted: false,
    known: Object.fromEntries(input.config.dependants.map(({ key }) => [key, unknown])),
    saidMissing: [],
    numbered: 0,
    probe: {
      number: 0,
      askedAt: null,
      deadlineAt: 0,
      nextAt: 0,
      heldUntil: 0,
      failuresInRow: 0,
      early: fullBudget,
      clockAhead: 0,
    },
    leases: [],
    leasesAt: null,
    clockDiffers: false,
    nonCandidates: [],
    streak: { cutOff: 0, connected: 0 },
    crossing: null,
    flow: null,
    flowWrote: false,
  };
}

export function leasePolicy(context: ShootContext): LeasePolicy {
  return {
    grace: context.cluster?.nodeMonitorGrace ?? context.config.kcmNodeMonitorGraceDuration,
    failureFraction: context.config.nodeLeaseFailureFraction,
  };
}

export function flowWorld(context: ShootContext): FlowWorld {
  return { dependants: context.config.dependants, known: context.known };
}

/**
 * Which way a verdict points: too few to tell raises our own only (SPEC 5.3), and so does one that nobody could hold
 * against the Cluster: the shoot may hibernate (SPEC 3.5).
 */
export function aimOf(verdict: Verdict, clusterKnown: boolean): Aim {
  switch (verdict.kind) {
    case 'cutOff':
      return 'down';
    case 'connected':
      return clusterKnown ? 'upAll' : 'upOurs';
    case 'tooFew':
      return 'upOurs';
  }
}

/** Something stands at 0 or bears our mark, or it is not known whether it does; of what we may not read nobody will know. */
export function mayBeScaledDown(context: ShootContext): boolean {
  if (context.flow !== null) return true;
  return Object.values(context.known).some(({ view, refusal }) =>
    view === null ? refusal === null : isScaledDown(view),
  );
}

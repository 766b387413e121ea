import type { Instant, Millis } from '../time.ts';
import { backoff } from '../backoff.ts';
import { leasesWithout, type NodeLease } from './node-lease.ts';
import type { ProbeFailure } from './probe-failure.ts';
import { expiryFraction, nextCrossing, type LeasePolicy } from './verdict.ts';

/**
 * How many early probes a shoot may still have (SPEC 4.6). Its owner decides what the leases say: without a budget, leases
 * that are always about to cross the threshold would cause four probes a second.
 */
export type EarlyBudget = Readonly<{
  left: number;
  filledAt: Instant;
  /** It ran out, and has not been full since. */
  spent: boolean;
}>;

/** Two probes of one shoot are never nearer than this, so that leases expiring one by one do not become a hail of probes. */
const leastPause: Millis = 250;

/** An honest outage is decided by the first or second of them; leases that expire one by one take some more. */
const atOnce = 10;

/** A healthy shoot with Gardener's interval of 30 s takes three a minute. */
const refillEvery: Millis = 5_000;

/** Once the budget is used up. An honest outage is then decided late by this much at worst. */
const pauseWhenSpent: Millis = 2_000;

export const fullBudget: EarlyBudget = { left: atOnce, filledAt: 0, spent: false };

/** Takes one early probe out of the budget, and says when it may come. `askedAt`: of the probe before it. */
export function takeEarly(
  budget: EarlyBudget,
  { at, wanted, askedAt }: Readonly<{ at: Instant; wanted: Instant; askedAt: Instant }>,
): Readonly<{ probeAt: Instant; budget: EarlyBudget }> {
  const filled = Math.min(atOnce, budget.left + Math.max(0, at - budget.filledAt) / refillEvery);
  const spent = budget.spent && filled < atOnce;
  if (filled >= 1)
    return { probeAt: Math.max(wanted, askedAt + leastPause), budget: { left: filled - 1, filledAt: at, spent } };
  return { probeAt: Math.max(wanted, askedAt + pauseWhenSpent), budget: { left: filled, filledAt: at, spent: true } };
}

type Throttled = Pick<ProbeFailure, 'retryAfter' | 'closes'>;

/** After the first failed probe in a row. */
export const firstBackoff: Millis = 1_000;
/**
 * Nodes and Machines are looked at so long before the leases could cross, where a probe comes then: they may be 10 s old when something goes
 * down by them (SPEC 5.4), and the probe at the crossing may be a little late.
 */
export const lookAhead: Millis = 9_000;

/** Where none comes then, one is planned so long before the crossing: a look takes less. */
const lookBefore: Millis = 4_000;

/** Kubelets renew every 10 s, and a renewal may take a while. Leases that are older are late, and in calm there are none. */
const oldestInCalm: Millis = 12_000;

const longestHold: Millis = 60_000;

/** What is known of a shoot's nodes since the last look. */
type LeasesLooked = Readonly<{
  leases: readonly NodeLease[];
  nonCandidates: readonly string[];
  /** So many nodes count and have no lease (SPEC 5.9). */
  missing: number;
}>;

/**
 * When to look again on account of the leases alone: the instant at which they meet the threshold if no kubelet
 * renews (SPEC 4.6). Over the last known candidates; and over all leases, since nodes may have become candidates
 * after the last look. So many nodes are `missing` that counted then, and may be gone with their leases, or not. The
 * earliest one is never too late for any.
 */
export function crossingAfter(
  askedAt: Instant,
  { leases, nonCandidates, missing }: LeasesLooked,
  policy: LeasePolicy,
): Instant | undefined {
  const each = nonCandidates.length === 0 ? [leases] : [leases, leasesWithout(leases, nonCandidates)];
  const counts = missing === 0 ? [0] : [0, missing];
  const crossings = each.flatMap((some) => counts.map((count) => nextCrossing(some, askedAt, policy, count)));
  const earliest = Math.min(...crossings.map((at) => at ?? Infinity));
  return earliest === Infinity ? undefined : earliest;
}

/** When to probe on account of a crossing: at the crossing itself, or in time for a look before it, where leases are late already and this probe is too early for one. */
export function probeForCrossing(askedAt: Instant, crossing: Instant, { grace }: LeasePolicy): Instant {
  const ahead = crossing - askedAt;
  return ahead > lookAhead && ahead < expiryFraction * grace - oldestInCalm ? crossing - lookBefore : crossing;
}

type ProbePlan = Readonly<{ nextAt: Instant; early: EarlyBudget }>;

/** The next probe: when it is due by the clock, or at the crossing as far as the budget lets it, whichever comes first. */
export function planProbe(
  early: EarlyBudget,
  now: Readonly<{ at: Instant; askedAt: Instant; dueAt: Instant; crossing: Instant | undefined }>,
): ProbePlan {
  const { at, askedAt, dueAt, crossing } = now;
  if (crossing === undefined || crossing >= dueAt) return { nextAt: Math.max(at, dueAt), early };
  const taken = takeEarly(early, { at, wanted: crossing, askedAt });
  return { nextAt: Math.max(at, Math.min(dueAt, taken.probeAt)), early: taken.budget };
}

/** How long to wait after the `failures`-th failed probe in a row: 1 s, doubling up to the interval (SPEC 4.4). */
export function probeBackoff(failures: number, interval: Millis): Millis {
  return backoff(failures, { first: firstBackoff, longest: interval });
}

/**
 * How long a shoot is left alone after its `failures`-th failed probe in a row, a 429 (SPEC 4.5): as long as was asked. A server that closed the connection shuts
 * down, so the next connection may find another one; where all do so, each try waits for longer, until it is what was asked.
 */
export function throttleHold({ retryAfter = 0, closes }: Throttled, failures: number): Millis {
  const asked = Math.min(longestHold, Math.max(firstBackoff, retryAfter));
  return closes === true ? backoff(failures, { first: leastPause, longest: asked }) : asked;
}

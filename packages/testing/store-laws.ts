import type { Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';

// What a role may do to a seed (S1, S2, S4, S5, S6), said once more in words of its own: a law that asked the program would believe its
// mistakes. The walk over all states, the tests of whole roles, the soak and the nights on real servers judge by it, each by what it can see.

/** A dependant as it stands in a store. `record`: the text of the annotation. */
export type DependantSeen = Readonly<{
  replicas: number;
  marked: boolean;
  ignored: boolean;
  record?: string | undefined;
}>;

/** The replicas that a record speaks of: an integer above 0 that Kubernetes can hold. */
export function recordedIn({ record = '' }: Pick<DependantSeen, 'record'>): number | undefined {
  const count = /^\d{1,10}$/.test(record) ? Number(record) : 0;
  return count > 0 && count < 2 ** 31 ? count : undefined;
}

/** What is ignored loses its mark, and nothing else (S2). */
export function isLeftAlone(before: DependantSeen, after: DependantSeen): boolean {
  return before.replicas === after.replicas && before.record === after.record && !after.marked;
}

/** Nothing is left at 0 without a mark and a record by which it comes back (S5). What is ignored is not ours. */
export function comesBack(after: DependantSeen): boolean {
  return after.replicas > 0 || after.ignored || (after.marked && recordedIn(after) !== undefined);
}

/**
 * What is wrong with what a write that changes all at once made of the replicas (6.4, 6.5), in words; undefined where nothing is. `mayBeOurs`: whether a
 * write of ours had no answer, which is asked where that would explain it.
 */
export function wrongReplicas(
  before: DependantSeen,
  after: DependantSeen,
  mayBeOurs: () => boolean,
): string | undefined {
  const recorded = recordedIn(after);
  if (before.replicas > 0 && after.replicas === 0) {
    const kept = before.marked ? recordedIn(before) : undefined;
    return recorded === (kept ?? before.replicas) ? undefined : 'the record is another';
  }
  if (before.replicas === 0 && after.replicas > 0) {
    const isGivenBack = !before.marked && after.marked && recorded === after.replicas;
    if (isGivenBack && mayBeOurs()) return undefined;
    return after.replicas === (recordedIn(before) ?? 1) ? undefined : 'not what was recorded';
  }
  const isRaisedFurther = before.marked && after.replicas === recordedIn(before);
  return before.replicas === after.replicas || isRaisedFurther ? undefined : 'neither down nor up';
}

/** The dependants that this one waits for, by their levels (S4). */
export function levelsBefore<One extends Pick<Dependant, 'scaleDown' | 'scaleUp'>>(
  dependants: readonly One[],
  own: Pick<Dependant, 'scaleDown' | 'scaleUp'>,
  side: 'scaleDown' | 'scaleUp',
): readonly One[] {
  return dependants.filter((other) => other[side].level < own[side].level);
}

/** A lease that was last renewed then counts as expired from three quarters of the grace on (5.1). */
export function expiryOf(renewedAt: Instant, grace: Millis): Instant {
  return renewedAt + 0.75 * grace;
}

/**
 * When so many leases had expired that their shoot counts as cut off (S1, 5.3); Infinity where there are not so many. `count`: of all leases, also of
 * those that nobody has seen.
 */
export function cutOffAt(expiries: readonly Instant[], failureFraction: number, count = expiries.length): Instant {
  const needed = Math.max(1, Math.ceil(failureFraction * count));
  return expiries.toSorted((one, other) => one - other)[needed - 1] ?? Infinity;
}

/** The last write of a name into the Lease of a role; '' is nobody's. */
export type LeaseClaim = Readonly<{ holder: string; at: Instant }>;

/** What is wrong with a write by what stood in the Lease then (S6), in words: it is another's, or was not renewed for as long as the deadline. Undefined where nothing is. */
export function wrongWriter(
  claim: LeaseClaim | undefined,
  { by, at }: Readonly<{ by: string; at: Instant }>,
  renewDeadline: Millis = Infinity,
): string | undefined {
  if (claim?.holder !== by) return `while ${claim?.holder || 'nobody'} held the Lease`;
  const age = at - claim.at;
  return age >= renewDeadline ? `${age} ms after its last renewal` : undefined;
}

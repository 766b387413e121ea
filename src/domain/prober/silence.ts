import type { Instant, Millis } from '../time.ts';
import type { NodeLease } from './node-lease.ts';
import type { ProbeFailure } from './probe-failure.ts';

/** The shoot's own API server gave no answer: when the first of these probes in a row was asked, and the last. */
export type Silence = Readonly<{ since: Instant; until: Instant }>;

const silent: ReadonlySet<ProbeFailure['reason']> = new Set(['unreachable', 'timeout', 'refused']);

/** The silence with one more failed probe. What the server did answer, or this machine could not ask, makes it no longer. */
export function longerSilence(silence: Silence | null, askedAt: Instant, failure: ProbeFailure): Silence | null {
  const { stage, reason } = failure;
  if ((stage !== 'version' && stage !== 'leases') || !silent.has(reason)) return silence;
  return { since: silence?.since ?? askedAt, until: askedAt };
}

/** A kube-controller-manager that cannot renew its own Lease for so long ends, and the next one knows of no lease what it had seen. */
const losesLeadAfter: Millis = 10_000;

type Crossing = Readonly<{ crossedAt: Instant; firstMarkAt: Instant }>;

/**
 * When the threshold was met, and when the first node would be marked, where nobody could renew for a while (SPEC 9.2): the controller-manager lost its
 * API server as well, and counts a whole grace from its return. A lease that was renewed meanwhile shows that only our own way was out.
 */
export function crossingAfterSilence(
  { crossedAt, firstMarkAt }: Crossing,
  silence: Silence | null,
  leases: readonly NodeLease[],
  grace: Millis,
): Crossing {
  if (silence === null || silence.until - silence.since < losesLeadAfter) return { crossedAt, firstMarkAt };
  const { since, until } = silence;
  if (leases.some(({ renewedAt }) => renewedAt !== null && renewedAt > since && renewedAt < until))
    return { crossedAt, firstMarkAt };
  return { crossedAt: Math.max(crossedAt, until), firstMarkAt: Math.max(firstMarkAt, until + grace) };
}

import type { Instant, Millis } from '../time.ts';
import { type NodeLease, renewedWithin, toleratedDifference, type SeenLease } from './node-lease.ts';
import type { ProbeFailure } from './probe-failure.ts';
import { isExpired } from './verdict.ts';

/** The shoot's own API server gave no answer: when the first of these probes in a row was asked, and the last. */
export type Silence = Readonly<{
  since: Instant;
  until: Instant;
  /** The same of those probes that got there, and found that nobody serves; null where none did. */
  turnedAway: Span | null;
  /** When the first answer after it was received; null where none came yet. */
  overAt: Instant | null;
}>;

type Span = Readonly<{ since: Instant; until: Instant }>;

const silent: ReadonlySet<ProbeFailure['reason']> = new Set(['unreachable', 'timeout', 'refused']);

/** The silence with one more failed probe. What the server did answer, or this machine could not ask, makes it no longer. */
export function longerSilence(silence: Silence | null, askedAt: Instant, failure: ProbeFailure): Silence | null {
  const { stage, reason } = failure;
  if ((stage !== 'version' && stage !== 'leases') || !silent.has(reason)) return silence;
  const longer = (span: Span | null | undefined): Span => ({ since: span?.since ?? askedAt, until: askedAt });
  // It had answered for its version.
  const gotThere = stage === 'leases' || reason === 'refused' || failure.turnedAway === true;
  const turnedAway = silence?.turnedAway ?? null;
  return { ...longer(silence), turnedAway: gotThere ? longer(turnedAway) : turnedAway, overAt: null };
}

/** A kube-controller-manager that cannot renew its own Lease for so long ends, and the next one knows of no lease what it had seen. */
const losesLeadAfter: Millis = 10_000;

const isLong = (span: Span | null): boolean => span !== null && span.until - span.since >= losesLeadAfter;

/** Whether a lease was renewed meanwhile: then only our own way was out. Kubelets' clocks may be off by so much and count as right. */
function isRenewedIn({ since, until }: Span, leases: readonly NodeLease[]): boolean {
  const [from, to] = [since + toleratedDifference, until - toleratedDifference];
  return leases.some(({ renewedAt }) => renewedAt !== null && renewedAt > from && renewedAt < to);
}

/**
 * What a silence says of leases that are old once it is over (SPEC 5.1). `nobody`: the API server served nobody, so nobody could renew, and its
 * controller-manager counts a whole grace anew. `us`: it may have been our own way alone. Undefined where it says nothing.
 */
export function servedMeanwhile(silence: Silence | null, leases: readonly NodeLease[]): 'nobody' | 'us' | undefined {
  if (silence === null || !isLong(silence) || isRenewedIn(silence, leases)) return undefined;
  return isLong(silence.turnedAway) ? 'nobody' : 'us';
}

type Crossing = Readonly<{ crossedAt: Instant; firstMarkAt: Instant }>;

/**
 * When the threshold was met, and when the first node would be marked, where nobody could renew for a while (SPEC 9.2): the controller-manager lost its
 * API server as well, and counts a whole grace from its return.
 */
export function crossingAfterSilence(
  { crossedAt, firstMarkAt }: Crossing,
  silence: Silence | null,
  leases: readonly NodeLease[],
  grace: Millis,
): Crossing {
  if (silence === null || servedMeanwhile(silence, leases) === undefined) return { crossedAt, firstMarkAt };
  const { until } = silence;
  return { crossedAt: Math.max(crossedAt, until), firstMarkAt: Math.max(firstMarkAt, until + grace) };
}

/** How long a kube-controller-manager that runs takes at most to see that a lease has expired: it looks every 5 s. */
const marksWithin: Millis = 10_000;

/** What was asked when, and of whom. `silence`: of the shoot's API server, before this answer. */
type Asked = Readonly<{ askedAt: Instant; grace: Millis; silence: Silence | null }>;

/**
 * Returns a function that tells when it is known whether an old lease is one that nobody renews; undefined where that is known now, or it is not
 * old (SPEC 5.1). `all`: the leases of the same answer.
 */
export function leaseDoubts(all: readonly SeenLease[], { askedAt, grace, silence }: Asked) {
  const served = servedMeanwhile(silence, all);
  return (lease: SeenLease): Instant | undefined => {
    const { renewedAt, movedAt, shownAt } = lease;
    if (renewedAt === null || shownAt === undefined || !isExpired(lease, askedAt, grace)) return undefined;
    // A controller-manager that runs has marked its node already, so there is no harm left that waiting would add.
    const harmIsDone = askedAt - renewedAt > grace + marksWithin;
    // Nobody could renew it before. Where the controller-manager may have run on, only what it has done already can wait.
    const returnedAt = served === 'nobody' || (served === 'us' && harmIsDone) ? silence?.overAt : undefined;
    // Nobody has seen it move: its kubelet's clock may be behind.
    const firstSeenAt = movedAt === undefined && harmIsDone ? shownAt : undefined;
    const endsAt = Math.max(returnedAt ?? -Infinity, firstSeenAt ?? -Infinity) + renewedWithin;
    return askedAt < endsAt ? endsAt : undefined;
  };
}

import type { Instant, Millis } from '../time.ts';
import { type NodeLease, renewedWithin, toleratedDifference, type SeenLease } from './node-lease.ts';
import type { ProbeFailure } from './probe-failure.ts';
import { expiresAt, isExpired } from './verdict.ts';

/** The shoot's own API server gave no answer. */
export type Silence = Readonly<{
  /** The last answer before it was asked for then; null where there was none. */
  since: Instant | null;
  /** The first question without an answer was asked then, and the last one. */
  from: Instant;
  to: Instant;
  /** One of them got there, and found that nobody is served. */
  gotThere: boolean;
  /** The first answer after it was received then; null where none came yet. */
  overAt: Instant | null;
}>;

const silent: ReadonlySet<ProbeFailure['reason']> = new Set(['unreachable', 'timeout', 'refused']);
const answers: ReadonlySet<ProbeFailure['reason']> = new Set(['unauthorized', 'throttled', 'garbled', 'tooLarge']);

type Question = Readonly<{ askedAt: Instant; at: Instant }>;

/** The silence after one more failed probe. `lastAnswered`: the last answer with leases was asked for then. What this machine could not ask, or the seed did not answer, changes nothing. */
export function silenceAfter(
  silence: Silence | null,
  { stage, reason, turnedAway }: ProbeFailure,
  { askedAt, at }: Question,
  lastAnswered: Instant | null,
): Silence | null {
  if (answers.has(reason) && stage !== 'machines') return silence && answered(silence, at);
  if ((stage !== 'version' && stage !== 'leases') || !silent.has(reason)) return silence;
  // It had answered for its version.
  const gotThere = stage === 'leases' || reason === 'refused' || turnedAway === true;
  if (silence !== null && silence.overAt === null)
    return { ...silence, to: askedAt, gotThere: silence.gotThere || gotThere };
  return { since: lastAnswered ?? silence?.overAt ?? null, from: askedAt, to: askedAt, gotThere, overAt: null };
}

/** An answer ends it for good. */
export function answered(silence: Silence, at: Instant): Silence {
  return { ...silence, overAt: silence.overAt ?? at };
}

/** Its leases took so much longer than its version: it waited for its etcd. */
const waitsFor: Millis = 3_000;

/** What was known before an answer: the silence, when the answer before it was asked for, and until when there was a doubt. */
type Before = Readonly<{ silence: Silence | null; askedAt: Instant | null; doubtedUntil: Instant | null }>;

/**
 * Nobody could renew before this answer, though no question failed: it came that slowly, or shows a history that went back. Where the answer before was such a one
 * already, and in doubt, this is how the server always answers: a doubt that began anew each time would never end.
 */
export function silenceBefore({ askedAt, at }: Question, before: Before, versionAt = at, wentBack = 0): Silence | null {
  if (at - versionAt < waitsFor && wentBack < 2) return null;
  const { silence, doubtedUntil } = before;
  // Only such an answer ends at once what begins with it.
  if (silence !== null && silence.overAt !== null && silence.to === before.askedAt) {
    const isDoubted = silence.to > silence.from || (doubtedUntil ?? -Infinity) > before.askedAt;
    if (isDoubted) return { ...silence, to: askedAt };
  }
  return { since: null, from: askedAt, to: askedAt, gotThere: true, overAt: at };
}

/** A kube-controller-manager that cannot renew its own Lease for so long ends, and the next one knows of no lease what it had seen. */
const losesLeadAfter: Millis = 10_000;

/** Whether nobody may have been able to renew for a while, so that a lease may be old for that. */
export function isLong(silence: Silence | null): silence is Silence {
  if (silence === null) return false;
  const { since, to, overAt } = silence;
  return since === null || (overAt ?? to) - since >= losesLeadAfter;
}

/** Whether it was renewed meanwhile, and so could be. Kubelets' clocks may be off by so much and count as right. */
function isRenewedIn({ from }: Silence, { renewedAt }: NodeLease): boolean {
  return renewedAt !== null && renewedAt > from + toleratedDifference;
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
  if (!isLong(silence)) return { crossedAt, firstMarkAt };
  const { to } = silence;
  const isServed = (lease: NodeLease): boolean => isRenewedIn(silence, lease) && (lease.renewedAt ?? to) < to;
  if (leases.some(isServed)) return { crossedAt, firstMarkAt };
  return { crossedAt: Math.max(crossedAt, to), firstMarkAt: Math.max(firstMarkAt, to + grace) };
}

/** How long a kube-controller-manager that runs takes at most to see that a lease has expired: it looks every 5 s. */
const marksWithin: Millis = 10_000;

/** What was asked when, and of whom. `silence`: of the shoot's API server, before this answer. */
type Asked = Readonly<{ askedAt: Instant; grace: Millis; silence: Silence | null }>;

/** When it is known whether a lease that may be old is one that nobody renews; undefined where it is fresh for sure, or old for sure (SPEC 5.1). */
export function doubtEndsAt(lease: SeenLease, { askedAt, grace, silence }: Asked): Instant | undefined {
  const { renewedAt, notBefore = -Infinity, shownAt = -Infinity, clock, doubtedUntil = -Infinity } = lease;
  if (renewedAt === null) return undefined;
  const movesBy = shownAt + renewedWithin;
  if (!isExpired(lease, askedAt, grace)) {
    if (askedAt < expiresAt(notBefore, grace)) return undefined;
    return Math.min(expiresAt(renewedAt, grace), askedAt < movesBy ? movesBy : Infinity);
  }
  // A controller-manager that runs has marked its node already, so there is no harm left that waiting would add.
  const harmIsDone = askedAt - renewedAt > grace + marksWithin;
  const ends = [doubtedUntil];
  // Nobody has seen it move: its kubelet's clock may be behind.
  if (clock?.most === undefined && harmIsDone) ends.push(movesBy);
  // Nobody could renew it before. Where nobody was reached, the controller-manager may have run on, and only what it has done already can wait.
  if (isLong(silence) && silence.overAt !== null && !isRenewedIn(silence, lease) && (silence.gotThere || harmIsDone))
    ends.push(silence.overAt + renewedWithin);
  const endsAt = Math.max(...ends);
  return askedAt < endsAt ? endsAt : undefined;
}

import type { Instant, Millis } from '../time.ts';
import { type NodeLease, renewedWithin, toleratedDifference, type SeenLease } from './node-lease.ts';
import type { ProbeFailure } from './probe-failure.ts';
import { expiresAt } from './verdict.ts';

/** The shoot's own API server gave no answer. */
export type Silence = Readonly<{
  /** The last answer before it was asked for then; null where there was none. */
  since: Instant | null;
  /** The first question without an answer was asked then, and the last one. */
  from: Instant;
  to: Instant;
  /**
   * The last one of them that a server told it serves nobody, or else the first one that was turned away, as it may be by what stands in our own way; null
   * where none got there.
   */
  foundAwayAt: Instant | null;
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
  if (answers.has(reason) && stage !== 'machines') {
    // Whoever is asked too much may wait for its etcd still.
    const tellsNothing = reason === 'throttled' && silence?.foundAwayAt === silence?.to;
    return silence === null || tellsNothing ? silence : answered(silence, at);
  }
  if ((stage !== 'version' && stage !== 'leases') || !silent.has(reason)) return silence;
  // It had answered for its version.
  const isAway = stage === 'leases' || reason === 'refused';
  const isFirst = silence === null || silence.overAt !== null || silence.foundAwayAt === null;
  return unanswered(silence, askedAt, isAway || (turnedAway === true && isFirst) ? askedAt : null, lastAnswered);
}

function unanswered(
  silence: Silence | null,
  to: Instant,
  foundAwayAt: Instant | null,
  lastAnswered: Instant | null,
): Silence {
  if (silence?.overAt === null) return { ...silence, to, foundAwayAt: foundAwayAt ?? silence.foundAwayAt };
  return { since: lastAnswered ?? silence?.overAt ?? null, from: to, to, foundAwayAt, overAt: null };
}

/** An answer ends it for good. */
function answered(silence: Silence, at: Instant): Silence {
  return { ...silence, overAt: silence.overAt ?? at };
}

/** Its leases took so much longer than its version, and than those of the answer before: it waited for its etcd, and nobody could renew. */
const waitsFor: Millis = 3_000;

/** Lists that are late now and then are usual, too: each counts half as much as the next. One that waited for etcd counts so little that another such wait is seen. */
export function usualWait(waited: Millis, before: Readonly<{ waited: Millis }> | null): Millis {
  return Math.max(waited, Math.min(before?.waited ?? 0, 2 * waitsFor) / 2);
}

/** The silence after an answer, whose leases took `waited` longer than its version; `before` is the answer before. `serverIsNew`: it was away since then, unseen. */
export function silenceBefore(
  silence: Silence | null,
  { askedAt, at, serverIsNew = false }: Question & Readonly<{ serverIsNew?: boolean }>,
  waited: Millis,
  before: Readonly<{ askedAt: Instant; waited: Millis }> | null,
): Silence | null {
  const isSlow = waited - (before?.waited ?? 0) >= waitsFor;
  const all = isSlow || serverIsNew ? unanswered(silence, askedAt, askedAt, before?.askedAt ?? null) : silence;
  return all && answered(all, at);
}

/** A kube-controller-manager that cannot renew its own Lease for so long ends, and the next one knows of no lease what it had seen. */
const losesLeadAfter: Millis = 10_000;

/** A silence that is over, and in which nobody may have been able to renew for so long that a lease may be old for that. */
type LongSilence = Silence & Readonly<{ overAt: Instant }>;

export function wasLong(silence: Silence | null): silence is LongSilence {
  if (silence === null || silence.overAt === null) return false;
  return silence.since === null || silence.overAt - silence.since >= losesLeadAfter;
}

/** Whether it was renewed later, and so could be. Kubelets' clocks may be off by so much and count as right. */
function isRenewedAfter(at: Instant, { renewedAt }: NodeLease): boolean {
  return renewedAt !== null && renewedAt > at + toleratedDifference;
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
  // One that is only concluded, or in which one question was not answered, may have been short.
  const isKnown = wasLong(silence) && (silence.since === null || silence.overAt - silence.from >= losesLeadAfter);
  if (!isKnown) return { crossedAt, firstMarkAt };
  const { from, to } = silence;
  const isServed = (lease: NodeLease): boolean => isRenewedAfter(from, lease) && (lease.renewedAt ?? to) < to;
  if (leases.some(isServed)) return { crossedAt, firstMarkAt };
  return { crossedAt: Math.max(crossedAt, to), firstMarkAt: Math.max(firstMarkAt, to + grace) };
}

/** How long a kube-controller-manager that runs takes at most to see that a lease has expired: it looks every 5 s. */
const marksWithin: Millis = 10_000;

/** Who renewed later was served. Where there is time to lose, only what is certain counts: a refusal may be our own way's. */
function lastAway({ foundAwayAt, from, to }: Silence, harmIsDone: boolean): Instant {
  if (foundAwayAt === null) return harmIsDone ? from : -Infinity;
  return harmIsDone ? to : foundAwayAt;
}

/** So many answers that show a lease unrenewed are no chance of when they came. */
const mostDoubted = 4;

/** What was asked when, and of whom. `silence`: of the shoot's API server, before this answer. */
type Asked = Readonly<{ askedAt: Instant; grace: Millis; silence: Silence | null }>;

/** When it is told whether a lease is old that is so only perhaps, unless it is renewed before; undefined where it is fresh for sure, or old for sure (SPEC 5.1). */
export function perhapsUntil(lease: SeenLease, { askedAt, grace, silence }: Asked): Instant | undefined {
  const { renewedAt, notBefore, shownAt = -Infinity, odd } = lease;
  if (renewedAt === null || (notBefore !== undefined && askedAt < expiresAt(notBefore, grace))) return undefined;
  // A controller-manager that runs has marked its node already, so there is no harm left that waiting would add.
  const harmIsDone = askedAt - renewedAt > grace + marksWithin;
  const expiredAt = expiresAt(renewedAt, grace);
  const isOld = askedAt >= expiredAt;
  const mayBeYounger = !isOld || odd === true || (notBefore === undefined && harmIsDone);
  const couldNot =
    wasLong(silence) &&
    !isRenewedAfter(lastAway(silence, harmIsDone), lease) &&
    // However often the server comes and goes: a kubelet that lives would have met it by then.
    (lease.stands?.times ?? 0) < mostDoubted;
  const servedSince = Math.max(mayBeYounger ? shownAt : -Infinity, couldNot ? silence.overAt : -Infinity);
  const toldAt = servedSince + renewedWithin;
  if (isOld) return askedAt < toldAt ? toldAt : undefined;
  return askedAt < toldAt ? Math.min(toldAt, expiredAt) : expiredAt;
}

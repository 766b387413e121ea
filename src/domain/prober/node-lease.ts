import { longestName } from '../names.ts';
import { readInstant, type Instant, type Millis } from '../time.ts';
import { textAt, valueAt } from '../value-at.ts';

/** A lease in `kube-node-lease`, named as its node. */
export type NodeLease = Readonly<{
  node: string;
  /** Null where `renewTime` is missing or cannot be read: neither fresh nor expired (SPEC 5.1). */
  renewedAt: Instant | null;
}>;

// Kubelets have renewed leases since 2018. An instant of the year 0 or 9999 tells nothing of a node, and would stand in sums
// and histograms, which all shoots share, for as long as the process lives.
const earliest = Date.parse('2010-01-01T00:00:00Z');
const latest = Date.parse('2200-01-01T00:00:00Z');

/**
 * Keeps of a `coordination.k8s.io/v1` Lease what tells a node's health (SPEC 5.1). Anything may come in. The holder is
 * not read: in `kube-node-lease` the name is the node's. Undefined where there is no usable name, which no API server
 * would send.
 */
export function readLease(object: unknown): NodeLease | undefined {
  const node = textAt(object, 'metadata', 'name');
  if (node === '' || node.length > longestName) return undefined;
  return { node, renewedAt: renewalOf(valueAt(object, 'spec', 'renewTime')) };
}

/** The leases of all other nodes. */
export function leasesWithout<Lease extends NodeLease>(
  leases: readonly Lease[],
  nodes: readonly string[],
): readonly Lease[] {
  const excluded = new Set(nodes);
  return leases.filter(({ node }) => !excluded.has(node));
}

function renewalOf(renewTime: unknown): Instant | null {
  const at = readInstant(renewTime);
  return at === undefined || at < earliest || at > latest ? null : at;
}

/** The `Date` of a shoot's answer, in whole seconds, between two instants of our clock: it was written in between. */
export type ServedDate = Readonly<{ date: Instant; sentAt: Instant; receivedAt: Instant }>;

/** The form of RFC 9110 that servers write today. `Date.parse` alone would accept almost any text. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Undefined where there is no header, or it is no date. */
export function readServedDate(
  header: string | undefined,
  sentAt: Instant,
  receivedAt: Instant,
): ServedDate | undefined {
  const date = header !== undefined && httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : { date, sentAt, receivedAt };
}

/** A date has whole seconds only; the rest is cut off. */
const resolution: Millis = 1_000;

/** Clocks under NTP differ by less. A kubelet's own clock may differ from its API server's by as much. */
export const toleratedDifference: Millis = 3_000;

/**
 * By how much the shoot's clock is ahead of ours (below 0: behind); 0 unless it is surely more than is tolerated (SPEC 5.1).
 * The date's resolution and the duration of the request count in the shoot's favour.
 */
export function clockDifference(served: ServedDate | undefined): Millis {
  if (served === undefined) return 0;
  const least = served.date - served.receivedAt;
  const most = served.date + resolution - served.sentAt;
  return least > toleratedDifference || most + toleratedDifference < 0 ? (least + most) / 2 : 0;
}

/** A lease as it is judged: `renewedAt` by our own clock (SPEC 5.1). */
export type SeenLease = NodeLease &
  Readonly<{
    /** As it stands in the shoot, whoever's clock wrote it. */
    renewTime: Instant | null;
    /** The first answer that shows it so was received then, so it was renewed before. Absent only where it cannot be read. */
    shownAt?: Instant;
    /** The last answer that showed an older one was asked for then, so it came after. Absent until it was seen to move. */
    movedAt?: Instant;
    /** Its kubelet's clock is ahead of the shoot's by so much at the least (below 0: behind by so much at the most). */
    atLeast?: Millis;
    /** By how much its kubelet's clock is ahead for certain (below 0: behind); absent where it may be right. */
    ahead?: Millis;
    /** It was held up on its way: by what is known of its kubelet's clock, it was written long before it came. */
    late?: true;
  }>;

/** What the last answered probe showed, and when it was asked. */
type LeasesBefore = Readonly<{ leases: readonly SeenLease[]; askedAt: Instant; clockAhead: Millis }>;

/** The answer with these leases: when it was received, and by how much the shoot's clock is ahead of ours. */
type LeasesAnswer = Readonly<{ at: Instant; clockAhead: Millis }>;

/** From one renewal of a kubelet to the next. An error of as much lets no lease that is renewed expire. */
const renewalInterval: Millis = 10_000;

/** A kubelet that can renew has done so again by then: 4 % of chance, and the time of a request that had to be sent again. */
export const renewedWithin: Millis = 12_000;
/** Two renewals in a row are written so far apart at the least, and so far at most: a kubelet waits 10 s for the answer to one, and as long after it. */
const renewedAfter: Millis = 9_500;
const renewedBy: Millis = 21_000;

/** What a clock may gain or lose in a second when somebody puts it right bit by bit. Most that NTP does is below. */
const slew = 0.01;

/**
 * Puts the leases of a probe on our clock (SPEC 5.1). `before`: null where no probe was answered yet. What was seen bounds what is written: a
 * lease was renewed after the last answer that shows an older value was asked for, and before the first one that shows this value was
 * received. A lease that went back, as in a restored shoot, proves nothing.
 */
export function seeLeases(
  leases: readonly NodeLease[],
  answer: LeasesAnswer,
  before: LeasesBefore | null,
): readonly SeenLease[] {
  const known = new Map(before?.leases.map((lease) => [lease.node, lease]));
  // Our clock was set, or the shoot's was: what was received by the one says nothing of what is written by the other.
  const isSameClock = before !== null && Math.abs(answer.clockAhead - before.clockAhead) <= toleratedDifference;
  return leases.map(({ node, renewedAt: renewTime }) => {
    if (renewTime === null) return { node, renewedAt: null, renewTime };
    const earlier = known.get(node);
    const isKnown = before !== null && earlier !== undefined && earlier.renewTime !== null;
    const stands = isKnown && renewTime === earlier.renewTime;
    const moves = isKnown && renewTime > (earlier.renewTime ?? Infinity);
    const movedAt = moves ? before.askedAt : stands ? earlier.movedAt : undefined;
    const shownAt = (stands && isSameClock ? earlier.shownAt : undefined) ?? answer.at;

    const onOurClock = renewTime - answer.clockAhead;
    const clock = kubeletClock(
      onOurClock - shownAt,
      movedAt === undefined ? Infinity : onOurClock - movedAt,
      (stands || moves) && isSameClock ? knownClock(earlier, renewTime, shownAt) : undefined,
    );
    const written = onOurClock - (clock.ahead ?? 0);
    const renewedAt = Math.min(clock.late ? written : Math.max(written, movedAt ?? -Infinity), shownAt);
    return { node, renewedAt, renewTime, shownAt, ...(movedAt === undefined ? {} : { movedAt }), ...clock };
  });
}

type KubeletClock = Pick<SeenLease, 'ahead' | 'late'> & Readonly<{ atLeast: Millis }>;

/** `runsOn`: by its own time, the renewal before was one interval ago. So nobody set it meanwhile, but it may have stood still: then the one after is late, too. */
type KnownClock = Readonly<{ atLeast: Millis; isWrong: boolean; runsOn: boolean }>;

/** What was known of the kubelet's clock, and may still be so: a difference that is too old would make its leases too old. */
function knownClock(earlier: SeenLease, renewTime: Instant, now: Instant): KnownClock | undefined {
  const { atLeast, ahead, shownAt = now, late = false } = earlier;
  if (atLeast === undefined) return undefined;
  const since = renewTime - (earlier.renewTime ?? renewTime);
  return {
    atLeast: atLeast - slew * Math.max(0, now - shownAt),
    isWrong: ahead !== undefined,
    runsOn: since === 0 ? late : !late && since >= renewedAfter && since <= renewedBy,
  };
}

/**
 * By how much a kubelet's clock is ahead, between `least` and `most` by what is seen now. The answer that came soonest after a renewal tells it best,
 * so the greatest `least` is kept for as long as nothing contradicts it, as NTP does. It makes no lease older than it is.
 */
function kubeletClock(least: Millis, most: Millis, known: KnownClock | undefined): KubeletClock {
  const contradicts = known !== undefined && most < known.atLeast;
  // What seems to be of a clock that was set back, and was not, was held up on its way.
  const isLate = contradicts && known.runsOn && known.atLeast <= toleratedDifference;
  const isKept = known !== undefined && (!contradicts || isLate);
  const atLeast = isKept ? Math.max(least, known.atLeast) : least;
  const late = isLate ? ({ late: true } as const) : {};
  if (atLeast > toleratedDifference) {
    // A clock that was put right writes what may be right. By what was known of it, its leases would be too old.
    return least > toleratedDifference || atLeast <= renewalInterval ? { atLeast, ahead: atLeast } : { atLeast: least };
  }
  const isBehind = (isKept && known.isWrong) || most + toleratedDifference < 0;
  return atLeast + toleratedDifference < 0 && isBehind ? { atLeast, ahead: atLeast, ...late } : { atLeast, ...late };
}

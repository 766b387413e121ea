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

/** One that was told goes on down to this: a difference of little more is certain only now and then. */
export const stillDifferent: Millis = 2_000;

/** How far a clock is ahead of ours (below 0: behind), between two bounds; without `most`: nobody knows how far. */
type Ahead = Readonly<{ least: Millis; most?: Millis }>;

/** The date was written at some time between question and answer, and has whole seconds: each may have been in its favour. */
function aheadOf({ date, sentAt, receivedAt }: ServedDate): Required<Ahead> {
  return { least: date - receivedAt, most: date + resolution - sentAt };
}

/** By how much the server's clock is ahead of ours (below 0: behind); 0 unless it is surely more than is tolerated (SPEC 5.1). */
export function clockDifference(served: ServedDate | undefined, tolerated = toleratedDifference): Millis {
  if (served === undefined) return 0;
  const { least, most } = aheadOf(served);
  return least > tolerated || most + tolerated < 0 ? (least + most) / 2 : 0;
}

/** A lease as it is judged (SPEC 5.1). `renewedAt`: by our own clock, it was renewed no later. */
export type SeenLease = NodeLease &
  Readonly<{
    /** As it stands in the shoot, whoever's clock wrote it. */
    renewTime: Instant | null;
    /** It was renewed no sooner, by our own clock; absent where nobody knows. */
    notBefore?: Instant;
    /** The first answer that shows it so was received then. Absent only where it cannot be read. */
    shownAt?: Instant;
    /** Its kubelet's clock, as far as it was seen. Without `most`, nobody has seen the lease move. */
    clock?: Ahead;
    /** It was held up on its way: by what is known of its kubelet's clock, it was written long before it came. */
    late?: true;
    /** Its kubelet's clock may just have been put right: until then it may be younger than `renewedAt`. */
    doubtedUntil?: Instant;
  }>;

/** What the last answered probe showed, and when it was asked. */
type LeasesBefore = Readonly<{ leases: readonly SeenLease[]; askedAt: Instant }>;

/** A kubelet that can renew has done so again by then: 4 % of chance, and the time of a request that had to be sent again. */
export const renewedWithin: Millis = 12_000;
/** Two renewals in a row are written so far apart at the least, and so far at most: a kubelet waits 10 s for the answer to one, and as long after it. */
const renewedAfter: Millis = 9_500;
const renewedBy: Millis = 21_000;

/** What a clock may gain or lose in a second when somebody puts it right bit by bit. Most that NTP does is below. */
const slew = 0.01;

/**
 * Puts the leases of an answer on our clock (SPEC 5.1). `before`: null where what was shown before, if anything, tells nothing. `wentBack`: so many leases
 * are older than they were.
 */
export function seeLeases(
  leases: readonly NodeLease[],
  { at, served }: Readonly<{ at: Instant; served?: ServedDate }>,
  before: LeasesBefore | null,
): Readonly<{ leases: readonly SeenLease[]; wentBack: number }> {
  const known = new Map(before?.leases.map((lease) => [lease.node, lease]));
  const theirs = clockDifference(served);
  let wentBack = 0;
  const seen = leases.map(({ node, renewedAt: renewTime }): SeenLease => {
    if (renewTime === null) return { node, renewedAt: null, renewTime };
    const earlier = known.get(node);
    // Nobody renewed it, whoever's clock says what.
    if (earlier?.renewTime === renewTime) return earlier;
    const isBack = renewTime < (earlier?.renewTime ?? -Infinity);
    if (isBack) wentBack += 1;
    if (isBack || before === null || !isTimed(earlier)) return { node, ...firstShown(renewTime, at, theirs) };
    return { node, ...moved({ renewTime, from: before.askedAt, until: at }, earlier) };
  });
  return { leases: seen, wentBack };
}

type Timed = Omit<SeenLease, 'node'> & Readonly<{ renewTime: Instant; shownAt: Instant; clock: Ahead }>;

function isTimed(lease: SeenLease | undefined): lease is SeenLease & Timed {
  return lease?.clock !== undefined;
}

/** Its kubelet's clock may agree with ours, or with the server's, which is ahead by `theirs`. */
function firstShown(renewTime: Instant, until: Instant, theirs: Millis): Timed {
  const least = renewTime - until;
  const readings = [0, theirs]
    .filter((one) => one >= least - toleratedDifference)
    .map((one) => Math.min(until, renewTime - one));
  const shown = { renewTime, shownAt: until, clock: { least } };
  if (readings.length === 0) return { ...shown, renewedAt: until };
  return { ...shown, renewedAt: Math.max(...readings), notBefore: Math.min(...readings) };
}

/** `from`, `until`: the last answer without it was asked for, and the first one with it was received. */
type Renewal = Readonly<{ renewTime: Instant; from: Instant; until: Instant }>;

/** When a lease was renewed, by what is written, by what its kubelet's clock was seen to be, and within what was seen. */
function moved({ renewTime, from, until }: Renewal, earlier: Timed): Timed {
  const seen = { least: renewTime - until, most: renewTime - from };
  const known = widened(earlier.clock, until - earlier.shownAt);
  const both = { least: Math.max(seen.least, known.least), most: Math.min(seen.most, known.most) };
  const agree = both.least <= both.most;
  const late = !agree && isHeldUp(renewTime, earlier, seen.most);
  const { least, most } = late ? known : agree ? both : seen;

  const countsAsRight = least <= toleratedDifference && most + toleratedDifference >= 0;
  // Else the middle of what it may be. It makes a lease no older than clocks that count as right may.
  const likely = countsAsRight ? 0 : Math.min((least + most) / 2, least + toleratedDifference);
  const renewedAt = renewTime - Math.min(Math.max(likely, least), most);
  // Or somebody has just put it right, and the lease is younger.
  const inDoubt = agree && !countsAsRight && renewTime > renewedAt && renewTime <= until + toleratedDifference;
  return {
    renewedAt,
    renewTime,
    notBefore: countsAsRight ? renewedAt : renewTime - most,
    shownAt: until,
    clock: { least, ...(most === Infinity ? {} : { most }) },
    ...(late ? { late } : {}),
    ...(inDoubt ? { doubtedUntil: until + renewedWithin } : {}),
  };
}

/**
 * What seems to be of a clock that was set back was held up on its way where it is written just one renewal after the one before: nobody set that clock. If that
 * one was late, too, the machine stood still for a while, and its clock with it. A clock that is ahead was rather put right.
 */
function isHeldUp(renewTime: Instant, { clock, ...before }: Timed, most: Millis): boolean {
  const since = renewTime - before.renewTime;
  const isNext = !before.late && since >= renewedAfter && since <= renewedBy;
  return isNext && most < clock.least && clock.least <= toleratedDifference;
}

/** What is still known of a clock after so long. */
function widened({ least, most = Infinity }: Ahead, length: Millis): Required<Ahead> {
  const by = slew * Math.max(0, length);
  return { least: least - by, most: most + by };
}

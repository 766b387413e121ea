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

/** A lease as it is judged (SPEC 5.1). By our own clock, it was renewed no later than `renewedAt`. */
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
    /** So many answers have shown it since, each 9.5 s or more after the one before, the last of them then. */
    stands?: Readonly<{ times: number; at: Instant }>;
    /** It does not fit what was seen of that clock, or our own: somebody has set it, or this renewal was held up on its way, or the shoot was restored. */
    odd?: true;
  }>;

/** What the last answered probe showed, and when it was asked. */
type LeasesBefore = Readonly<{ leases: readonly SeenLease[]; askedAt: Instant }>;

/** A kubelet that can renew has done so again by then: 4 % of chance, and the time of a request that had to be sent again. */
export const renewedWithin: Millis = 12_000;

/** Two renewals in a row are written so far apart at the least: a kubelet waits for 10 s in between. */
const renewedAfter: Millis = 9_500;

/** What a clock may gain or lose in a second when somebody puts it right bit by bit. Most that NTP does is below. */
const slew = 0.01;

/** Puts the leases of an answer on our clock (SPEC 5.1). `before`: null where what was shown before, if anything, tells nothing. */
export function seeLeases(
  leases: readonly NodeLease[],
  { at, served }: Readonly<{ at: Instant; served?: ServedDate }>,
  before: LeasesBefore | null,
): readonly SeenLease[] {
  const known = new Map(before?.leases.map((lease) => [lease.node, lease]));
  const theirs = clockDifference(served);
  return leases.map(({ node, renewedAt: renewTime }): SeenLease => {
    if (renewTime === null) return { node, renewedAt: null, renewTime };
    const earlier = known.get(node);
    // Nobody renewed it, whoever's clock says what.
    if (earlier?.renewTime === renewTime) return stillShown(earlier, at);
    if (before === null || !isTimed(earlier)) return { node, ...firstShown(renewTime, at, theirs) };
    return { node, ...moved({ renewTime, from: before.askedAt, until: at }, earlier) };
  });
}

type Timed = Omit<SeenLease, 'node'> & Readonly<{ renewTime: Instant; shownAt: Instant; clock: Ahead }>;

function isTimed(lease: SeenLease | undefined): lease is SeenLease & Timed {
  return lease?.clock !== undefined;
}

/** Its kubelet's clock may agree with ours, or with the server's, which is ahead by `theirs`. Or it is ahead of both, and nobody knows how old this is. */
function firstShown(renewTime: Instant, until: Instant, theirs: Millis): Timed {
  const readings = [renewTime, renewTime - theirs].filter((at) => at <= until + toleratedDifference);
  const renewedAt = readings.length === 0 ? until : Math.min(until, Math.max(...readings));
  const first = { renewTime, renewedAt, shownAt: until, clock: { least: renewTime - until } };
  // Its kubelet's clock is not ours, and nobody knows whether it is this server's.
  return renewTime > until + toleratedDifference ? { ...first, odd: true } : first;
}

/** `from`, `until`: the last answer without it was asked for, and the first one with it was received. */
type Renewal = Readonly<{ renewTime: Instant; from: Instant; until: Instant }>;

/** One more answer shows it as it was; those that came soon after another count as one. */
function stillShown(lease: SeenLease, at: Instant): SeenLease {
  const { shownAt = at, stands } = lease;
  return at - (stands?.at ?? shownAt) < renewedAfter
    ? lease
    : { ...lease, stands: { times: (stands?.times ?? 0) + 1, at } };
}

/** When a lease was renewed, by what is written and by what is known of its kubelet's clock: each answer narrows that, and what does not fit widens it to both. */
function moved({ renewTime, from, until }: Renewal, earlier: Timed): Timed {
  const seen = { least: renewTime - until, most: renewTime - from };
  const known = stillKnown(earlier.clock, until - earlier.shownAt);
  const both = { least: Math.max(seen.least, known.least), most: Math.min(seen.most, known.most) };
  // Nobody was answered for long. Of a clock that was ahead by less, a lease that lives would not look old.
  const mayBePutRight = both.least > renewedWithin && seen.least <= toleratedDifference;
  if (both.least > both.most || renewTime - earlier.renewTime < renewedAfter || mayBePutRight) {
    const least = Math.min(seen.least, known.least);
    const most = Math.max(seen.most, known.most);
    // As plain data.
    const clock = most === Infinity ? { least } : { least, most };
    const renewedAt = asWritten(renewTime, until, known);
    return { renewTime, notBefore: renewedAt, renewedAt, shownAt: until, clock, odd: true };
  }
  if (mayBeRight(both)) {
    const renewedAt = asWritten(renewTime, until, both);
    return { renewTime, notBefore: renewedAt, renewedAt, shownAt: until, clock: both };
  }
  // The middle of what it may be. It makes a lease no older than a clock that counts as right may.
  const likely = Math.min((both.least + both.most) / 2, both.least + toleratedDifference);
  return { renewTime, notBefore: renewTime - both.most, renewedAt: renewTime - likely, shownAt: until, clock: both };
}

/** When it was renewed, as near to what is written as its clock allows. */
function asWritten(renewTime: Instant, until: Instant, { least, most }: Required<Ahead>): Instant {
  return Math.min(until, renewTime - Math.min(Math.max(0, least), most));
}

/** To what is tolerated; and its lease was seen as young as that of a kubelet that lives. */
function mayBeRight({ least, most }: Required<Ahead>): boolean {
  const isTolerated = least <= toleratedDifference && most + toleratedDifference >= 0;
  return isTolerated && least + renewedWithin + toleratedDifference >= 0;
}

/** What is still known of a clock after so long. */
function stillKnown({ least, most = Infinity }: Ahead, length: Millis): Required<Ahead> {
  const by = slew * Math.max(0, length);
  return { least: least - by, most: most + by };
}

import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Tone } from '../states.ts';

/** How one stretch is told: `label` where there is room for it, `short` where there is less, `words` where somebody asks. None of them is ever cut. */
export type SpanFace = Readonly<{ tone: Tone; label: string; short?: string; words: string }>;

/** `until` is null while it goes on. The spans of a lane are in order, and none begins before the one before it has ended. */
export type LaneSpan = SpanFace & Readonly<{ from: Instant; until: Instant | null }>;

/**
 * The renewals of one lease, as far as probes showed them; both lists are as long. At `seen[i]` the youngest one was that of `renewed[i]`,
 * for the last time that it was asked for. Between then and the next renewal there may have been others, which nobody saw.
 */
export type LeaseAges = Readonly<{ renewed: readonly Instant[]; seen: readonly Instant[] }>;

type LaneName = Readonly<{
  /** Stays the same while lanes come and go. */
  id: string;
  name: string;
}>;

/** `under`: what is on its way meanwhile, such as writes. */
export type SpanLane = LaneName &
  Readonly<{
    shows: 'state' | 'probes' | 'path' | 'dependant' | 'endpoints' | 'window' | 'pods' | 'pod' | 'leader';
    spans: readonly LaneSpan[];
    under: readonly LaneSpan[];
  }>;

/** `spans`: where it is expired, or its node is left out. */
export type LeaseLane = LaneName & Readonly<{ shows: 'lease'; spans: readonly LaneSpan[]; ages: LeaseAges }>;

export type Lane = SpanLane | LeaseLane;

/** From `at` on a lease counts as expired at the age of `limit`, and its node may be marked at that of `grace` (SPEC 5.1). */
export type LeaseLimit = Readonly<{ at: Instant; limit: Millis; grace: Millis }>;

/** One machine in time. */
export type Lanes = Readonly<{
  /** There are few of these, in the order in which they are read. */
  first: readonly Lane[];
  /** Leases, or pods: as many as the shoot has, the worst first. */
  many: readonly Lane[];
  limits: readonly LeaseLimit[];
  /** Of the first and the last turn; null where there is none. */
  firstAt: Instant | null;
  lastAt: Instant | null;
}>;

/** The first index from which on `isPast` holds, of a list in which it never stops to hold; its length where it never does. */
export function firstWhere(length: number, isPast: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The index of the last one that is not later than that, in a list that is in order; −1 where none is. */
export function lastUntil(list: readonly Readonly<{ at: Instant }>[], at: Instant): number {
  return firstWhere(list.length, (index) => (list[index]?.at ?? Infinity) > at) - 1;
}

/** The spans that are seen between two instants: from the first index up to, and without, the second. */
export function spansWithin(spans: readonly LaneSpan[], from: Instant, until: Instant): readonly [number, number] {
  const begin = firstWhere(spans.length, (index) => (spans[index]?.until ?? Infinity) >= from);
  const end = firstWhere(spans.length, (index) => (spans[index]?.from ?? Infinity) > until);
  return [begin, end];
}

/** Undefined where nothing is known of that instant. A span with no length is found where nothing else is. */
export function spanAt(spans: readonly LaneSpan[], at: Instant): LaneSpan | undefined {
  const next = firstWhere(spans.length, (index) => (spans[index]?.from ?? Infinity) > at);
  const span = spans[next - 1];
  return span !== undefined && (span.until === null || at < span.until || at === span.from) ? span : undefined;
}

export function limitAt(limits: readonly LeaseLimit[], at: Instant): LeaseLimit | undefined {
  return limits[lastUntil(limits, at)] ?? limits[0];
}

/** The index of the turn nearest in time; of several in the same instant the last. -1 where there is none. */
export function nearestTurn(turns: readonly Readonly<{ turn: Readonly<{ at: Instant }> }>[], at: Instant): number {
  const next = firstWhere(turns.length, (index) => (turns[index]?.turn.at ?? Infinity) > at);
  const [before, after] = [turns[next - 1], turns[next]];
  if (before === undefined || after === undefined)
    return before === undefined ? Math.min(0, turns.length - 1) : next - 1;
  if (at - before.turn.at <= after.turn.at - at) return next - 1;
  const same = after.turn.at;
  return firstWhere(turns.length, (index) => (turns[index]?.turn.at ?? Infinity) > same) - 1;
}

type TurnInTime = Readonly<{ turn: Readonly<{ at: Instant; run: string; seq: number }> }>;

/**
 * Which turn is asked for: by its name, or the last one before an instant; the last of all where nothing is asked. `missing`: it is not among
 * these, and the turn nearest in time, or the first one, takes its place.
 */
export function askedTurn(
  turns: readonly TurnInTime[],
  asked: Readonly<{ run?: string; seq?: number; at: Instant | null; before?: Instant }> | undefined,
): Readonly<{ selected: number; missing: 'nearest' | 'first' | null }> {
  if (asked === undefined) return { selected: turns.length - 1, missing: null };
  const { run, seq, at, before } = asked;
  if (before !== undefined) {
    const selected = firstWhere(turns.length, (index) => (turns[index]?.turn.at ?? Infinity) >= before) - 1;
    return selected === -1
      ? { selected: Math.min(0, turns.length - 1), missing: 'first' }
      : { selected, missing: null };
  }
  const named = turns.findIndex(({ turn }) => turn.seq === seq && turn.run === run);
  if (named !== -1) return { selected: named, missing: null };
  return { selected: nearestTurn(turns, at ?? Infinity), missing: 'nearest' };
}

/** More leases than this are no picture: the worst are shown, and the others folded until somebody asks for them. */
export const mostUnfolded = 20;

/** So many more come with each asking: thousands at once would be slow to scroll. */
export const unfoldedAtOnce = 100;

export type Folded = Readonly<{ shown: readonly Lane[]; foldedCount: number }>;

/** `many` has the worst first. Those that are shown stand in the order of time, leases by name: so none changes its place while turns come. */
export function foldLanes(many: readonly Lane[], most: number): Folded {
  const beganAt = ({ shows, spans }: Lane) => (shows === 'lease' ? 0 : (spans[0]?.from ?? Infinity));
  const shown = many.length > most ? many.slice(0, most) : many;
  const inOrder = shown.toSorted((one, other) => beganAt(one) - beganAt(other) || naturalOrder(one.name, other.name));
  return { shown: inOrder, foldedCount: many.length - shown.length };
}

import type { Instant } from '../../domain/time.ts';
import type { LaneSpan, LeaseLimit } from './lanes.ts';

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
  const next = firstWhere(limits.length, (index) => (limits[index]?.at ?? Infinity) > at);
  return limits[next - 1] ?? limits[0];
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

import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Tone } from '../states.ts';
import { firstWhere, spanAt, type Lane, type Lanes } from './lanes.ts';
import { shortestWindow, wholeWindow, type TimeBounds, type TimeWindow } from './time-window.ts';

/** What happens to a machine in these is what one looks at. `unknown`, as between two runs of a process, may lie within it. */
const troubled: ReadonlySet<Tone> = new Set<Tone>(['cutOff', 'down', 'busy', 'refused', 'failed']);

/** A lease that expired earlier than this before its shoot was cut off has another story. */
const longestBefore: Millis = 300_000;

/** A process that took over says nothing of an outage before its first verdict: until then its machine looks calm. */
const firstVerdictWithin: Millis = 60_000;

/** On each side some room is left, as a share of what is shown. */
const marginFraction = 0.03;

/**
 * What is seen of a machine's time when nobody chose a part of it: the outage, or the recovery, that the turn at `at` belongs to, from the last
 * renewal of its first late lease on until it is over. Of a turn that belongs to none: the calm time around it. Undefined where there is no time.
 */
export function frameOf(lanes: Lanes, at: Instant | null): TimeWindow | undefined {
  const { firstAt, lastAt } = lanes;
  if (firstAt === null || lastAt === null) return undefined;
  const bounds = { from: firstAt, until: lastAt };
  if (at === null) return wholeWindow(bounds);
  const troubles = troublesOf(lanes, bounds);
  const own = troubles.find(({ from, until }) => from <= at && at <= until);
  if (own !== undefined) return withMargin(own, bounds);
  const before = troubles.findLast(({ until }) => until < at);
  const after = troubles.find(({ from }) => from > at);
  return withMargin({ from: before?.until ?? bounds.from, until: after?.from ?? bounds.until }, bounds);
}

/** A range that somebody chose, as a window. An end that is open, or beyond all there is, leaves room behind the last turn. */
export function windowOf(
  { from, until }: Readonly<{ from: Instant | null; until: Instant | null }>,
  bounds: TimeBounds,
): TimeWindow {
  const whole = wholeWindow(bounds);
  const begin = from === null || from <= bounds.from ? whole.from : from;
  const end = until === null || until >= bounds.until ? whole.until : until;
  return { from: begin, until: Math.max(end, begin + shortestWindow) };
}

/** The stretches of trouble, in order, each from its first sign on. */
function troublesOf({ first, many }: Lanes, bounds: TimeBounds): readonly TimeWindow[] {
  const state = first.find(({ id }) => id === 'state');
  const troubles: { from: Instant; until: Instant }[] = [];
  let goesOn = false;
  let begunAt = -Infinity;
  for (const span of state?.spans ?? []) {
    const until = span.until ?? bounds.until;
    if (span.tone === 'unknown') begunAt = until;
    else if (!troubled.has(span.tone)) goesOn &&= until - begunAt < firstVerdictWithin;
    else {
      const last = troubles.at(-1);
      if (goesOn && last !== undefined) last.until = until;
      else troubles.push({ from: firstSign([...first, ...many], span.from), until });
      goesOn = true;
    }
  }
  return troubles;
}

/** Where what came to `at` began: with the last renewal of the lease that was late first, or where a path or the endpoints failed. */
function firstSign(lanes: readonly Lane[], at: Instant): Instant {
  const signs = lanes.flatMap((lane) => {
    const span = lane.id === 'state' ? undefined : spanAt(lane.spans, at);
    if (span?.tone !== 'cutOff' || span.from < at - longestBefore) return [];
    if (lane.shows !== 'lease') return [span.from];
    const { renewed } = lane.ages;
    const next = firstWhere(renewed.length, (index) => (renewed[index] ?? Infinity) > span.from);
    return [renewed[next - 1] ?? span.from];
  });
  return Math.min(at, ...signs);
}

/** Never the time before the record. */
function withMargin({ from, until }: TimeWindow, bounds: TimeBounds): TimeWindow {
  const margin = Math.max(until - from, shortestWindow) * marginFraction;
  const { from: begin, until: end } = wholeWindow(bounds);
  return { from: Math.max(from - margin, begin), until: Math.min(Math.max(until, from) + margin, end) };
}

import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { TimeWindow } from './time-window.ts';

/** A stretch of time and where it is drawn, in shares of the whole width. `opened`: a burst, drawn wider than its time. */
type Stretch = TimeWindow & Readonly<{ begin: number; end: number; opened: boolean }>;

/** All of a window, in order, without gaps. */
export type TimeScale = readonly Stretch[];

/** Turns that are nearer than this to each other, as a share of what is seen, cannot be told apart. */
const nearest = 0.004;
/** So many of them are a burst, */
const leastOfBurst = 3;
/** which is no burst if it fills as much as this by itself. */
const longestBurst = 0.04;
/** Of so many bursts each is opened to so much of the width: the rest must stay a picture of the whole. */
const mostOpened = 2;
const openedTo = 0.22;
/** Before the first turn of a burst and behind its last, as a share of its length. */
const room = 0.12;
const leastRoom: Millis = 2;

/** Where many turns with consequences fall together, such as a way down of half a second in an outage of minutes; those with the most turns, in order. */
export function burstsOf(instants: readonly Instant[], window: TimeWindow): readonly TimeWindow[] {
  const length = window.until - window.from;
  const runs: Instant[][] = [];
  for (const at of instants) {
    if (at < window.from || at > window.until) continue;
    const last = runs.at(-1);
    if (last !== undefined && at - (last.at(-1) ?? at) <= length * nearest) last.push(at);
    else runs.push([at]);
  }
  return runs
    .map((run) => ({ first: run[0] ?? 0, last: run.at(-1) ?? 0, turns: run.length }))
    .filter(({ first, last, turns }) => turns >= leastOfBurst && last > first && last - first <= length * longestBurst)
    .toSorted((one, other) => other.turns - one.turns)
    .slice(0, mostOpened)
    .map(({ first, last }) => {
      const around = Math.max((last - first) * room, leastRoom);
      return { from: Math.max(first - around, window.from), until: Math.min(last + around, window.until) };
    })
    .toSorted((one, other) => one.from - other.from);
}

/** Draws each burst wide, and shares what is left among the rest by its length. */
export function timeScale(window: TimeWindow, bursts: readonly TimeWindow[]): TimeScale {
  const opened = bursts.reduce((sum, { from, until }) => sum + until - from, 0);
  const perTime = (1 - bursts.length * openedTo) / Math.max(1, window.until - window.from - opened);
  const stretches: Stretch[] = [];
  let [from, begin] = [window.from, 0];
  const add = (until: Instant, width: number, isOpened: boolean) => {
    if (until > from) stretches.push({ from, until, begin, end: begin + width, opened: isOpened });
    [from, begin] = [Math.max(from, until), begin + width];
  };
  for (const burst of bursts) {
    add(burst.from, (burst.from - from) * perTime, false);
    add(burst.until, openedTo, true);
  }
  add(window.until, 1 - begin, false);
  return stretches;
}

/** Where an instant stands: 0 at the left of the window, 1 at its right; what lies beyond stands beyond. */
export function shareOf(scale: TimeScale, at: Instant): number {
  const stretch = scale.find(({ until }) => at <= until) ?? scale.at(-1);
  if (stretch === undefined) return 0;
  const { from, until, begin, end } = stretch;
  return begin + ((at - from) / (until - from)) * (end - begin);
}

export function instantOf(scale: TimeScale, share: number): Instant {
  const stretch = scale.find(({ end }) => share <= end) ?? scale.at(-1);
  if (stretch === undefined) return 0;
  const { from, until, begin, end } = stretch;
  return from + ((share - begin) / (end - begin)) * (until - from);
}

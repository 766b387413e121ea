import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';

/** The part of time that is seen, and how many pixels wide it is. */
export type TimeWindow = Readonly<{ from: Instant; until: Instant }>;

/** All that there is to see. */
export type TimeBounds = TimeWindow;

/** A millisecond is the finest that the journal's instants tell apart with any sense; 200 of them fill the width at most. */
export const shortestWindow: Millis = 200;

/** On each side of all turns some room is left, so that the first and the last can be seen. */
const marginFraction = 0.02;

export function wholeWindow({ from, until }: TimeBounds): TimeWindow {
  const length = Math.max(until - from, shortestWindow);
  const margin = length * marginFraction;
  return { from: from - margin, until: from + length + margin };
}

/** `factor` below 1 comes nearer. What is at `about` stays where it is. */
export function zoomed(window: TimeWindow, factor: number, about: Instant, bounds: TimeBounds): TimeWindow {
  const whole = wholeWindow(bounds);
  const length = window.until - window.from;
  const next = Math.min(Math.max(length * factor, shortestWindow), whole.until - whole.from);
  const share = (about - window.from) / length;
  const from = about - share * next;
  return held({ from, until: from + next }, bounds);
}

export function panned(window: TimeWindow, by: Millis, bounds: TimeBounds): TimeWindow {
  return held({ from: window.from + by, until: window.until + by }, bounds);
}

/** Moves no more than is needed to see `at`, with some room around it. */
export function showing(window: TimeWindow, at: Instant, bounds: TimeBounds): TimeWindow {
  const length = window.until - window.from;
  const room = length * 0.1;
  if (at >= window.from + room && at <= window.until - room) return window;
  const from = at < window.from + room ? at - room : at + room - length;
  // A distant instant is shown in the middle: how the view moved could not be followed anyway.
  const isFar = at < window.from - length || at > window.until + length;
  const begin = isFar ? at - length / 2 : from;
  return held({ from: begin, until: begin + length }, bounds);
}

/** Keeps the window's length, and keeps it within all that there is. */
function held({ from, until }: TimeWindow, bounds: TimeBounds): TimeWindow {
  const whole = wholeWindow(bounds);
  const length = until - from;
  if (length >= whole.until - whole.from) return whole;
  const begin = Math.min(Math.max(from, whole.from), whole.until - length);
  return { from: begin, until: begin + length };
}

/** Steps between marks of the ruler that can be counted by. */
const steps: readonly Millis[] = [
  10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000,
  1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000,
];

/** The least step of which at most `most` marks fit into the window. */
export function rulerStep({ from, until }: TimeWindow, most: number): Millis {
  const least = (until - from) / Math.max(1, most);
  return steps.find((step) => step >= least) ?? Math.ceil(least / 604_800_000) * 604_800_000;
}

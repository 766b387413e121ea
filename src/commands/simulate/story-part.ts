import type { Instant, Millis } from '../../domain/time.ts';

/** What follows the present phase, and what was waited for in vain. */
export type StoryStep<Phase> = Readonly<{ next: Phase; missed: readonly string[] }>;

/** One phase of a story: what it waits for, and how long it takes. */
export type StoryPart<Phase, Row> = Readonly<{
  next: Phase;
  /** The phase goes on while this holds of any row; `inVain` says so, should it never end. */
  awaits: (row: Row) => boolean;
  inVain: string;
  /** How long it takes in any case, and how long after its goal it goes on. */
  least: Millis;
  pause: Millis;
  /** It takes no longer where all goes well. */
  deadline: Millis;
}>;

export type StepTimes = Readonly<{
  now: Instant;
  /** When the phase's goal was first seen to be reached. */
  reachedAt: Instant | undefined;
  /** Added to every deadline, for what goes by this machine's time and not by the clock. */
  slack: Millis;
}>;

/** A busy machine gets a little more time than the story takes at most. */
const patience = 1.1;

/** The step that is due, undefined where none is. `name` tells a row in a sentence. */
export function dueStep<Phase, Row>(
  part: StoryPart<Phase, Row>,
  rows: readonly Row[],
  name: (row: Row) => string,
  phaseAt: Instant,
  { now, reachedAt, slack }: StepTimes,
): StoryStep<Phase> | undefined {
  const since = now - phaseAt;
  if (reachedAt !== undefined && since >= part.least && now - reachedAt >= part.pause) {
    return { next: part.next, missed: [] };
  }
  if (since < patience * part.deadline + slack) return undefined;
  return { next: part.next, missed: rows.filter(part.awaits).map((row) => `${name(row)} ${part.inVain}`) };
}

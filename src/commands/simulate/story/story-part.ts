import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';

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

/** What every story has seen of the world. */
type StoryModel<Phase, Row> = Readonly<{ phase: Phase; phaseAt: Instant; rows: ReadonlyMap<unknown, Row> }>;

/** Whether everything that the part waits for is there. */
export function isGoalReached<Phase, Row>(
  part: StoryPart<Phase, Row> | undefined,
  { rows }: StoryModel<Phase, Row>,
): boolean {
  return part !== undefined && ![...rows.values()].some(part.awaits);
}

/** The step that is due, undefined where none is. `part`: the present one, undefined where the story is over. */
export function dueStep<Phase, Row extends Readonly<{ shoot: string }>>(
  part: StoryPart<Phase, Row> | undefined,
  { phaseAt, rows }: StoryModel<Phase, Row>,
  { now, reachedAt, slack }: StepTimes,
): StoryStep<Phase> | undefined {
  if (part === undefined) return undefined;
  const { next, least, pause, deadline, awaits, inVain } = part;
  const since = now - phaseAt;
  if (reachedAt !== undefined && since >= least && now - reachedAt >= pause) return { next, missed: [] };
  if (since < patience * deadline + slack) return undefined;
  return { next, missed: [...rows.values()].filter(awaits).map(({ shoot }) => `${shoot} ${inVain}`) };
}

/**
 * Calls again and again, `every()` so much later, and says how late it is. A tick that was missed is not made up for.
 * Answers how to stop.
 */
export function ticks(clock: Clock, every: () => Millis, tick: (now: Instant, late: Millis) => void): () => void {
  let waiting: Subscription | undefined;
  const wait = (at: Instant): void => {
    waiting = clock.wakeAt(at).subscribe((now) => {
      wait(Math.max(at, now - every()) + every());
      tick(now, now - at);
    });
  };
  wait(clock.now() + every());
  return () => waiting?.unsubscribe();
}

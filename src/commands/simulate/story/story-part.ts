import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { StoryState } from './story.ts';

/** The phase that comes next, and what the story waited for in vain. */
export type StoryStep<Phase> = Readonly<{ next: Phase; missed: readonly string[] }>;

/** One phase of a story: what it waits for, and how long it takes. */
export type StoryPart<Phase, Row> = Readonly<{
  next: Phase;
  /** The phase goes on while this is true of any row. `inVain` says what is missing if it never ends. */
  awaits: (row: Row) => boolean;
  inVain: string;
  /** The shortest time that it takes, and how long it goes on after its goal is reached. */
  least: Millis;
  pause: Millis;
  /** It takes no longer than this if all goes well. */
  deadline: Millis;
}>;

export type StepTimes = Readonly<{
  now: Instant;
  /** When the phase's goal was first reached. */
  reachedAt: Instant | undefined;
  /** Added to every deadline, because some things take the machine's time and not the clock's. */
  slack: Millis;
}>;

/** A busy machine gets a little more time than the story needs. */
const patience = 1.1;

/** Whether the part no longer waits for anything. */
export function isGoalReached<Phase, Row>(
  part: StoryPart<Phase, Row> | undefined,
  { rows }: Pick<StoryState<Phase, Row>, 'rows'>,
): boolean {
  return part !== undefined && ![...rows.values()].some(part.awaits);
}

/** The step that is due, or undefined if none is. `part` is the present one, or undefined if the story is over. */
export function dueStep<Phase, Row extends Readonly<{ shoot: string }>>(
  part: StoryPart<Phase, Row> | undefined,
  { phaseAt, rows }: Pick<StoryState<Phase, Row>, 'phaseAt' | 'rows'>,
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
 * Calls `tick` again and again, `every()` ms apart, and says how late each call is. A missed tick is not repeated.
 * Returns a function that stops it.
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

import type { Instant, Millis } from '../../domain/time.ts';
import type { Phase } from './observation.ts';
import { isAsBefore, isDown, type ShootRow, type SimulationModel } from './simulation-model.ts';
import type { StoryLengths } from './story-lengths.ts';

/** What follows the present phase, and what was waited for in vain. */
export type StoryStep = Readonly<{ next: Phase; missed: readonly string[] }>;

type Part = Readonly<{
  next: Phase;
  /** The phase goes on while this holds of any shoot; `inVain` says so, should it never end. */
  awaits: (row: ShootRow) => boolean;
  inVain: string;
  /** How long it takes in any case, and how long after its goal it goes on. */
  least: Millis;
  pause: Millis;
  /** It takes no longer where all goes well. */
  deadline: Millis;
}>;

/** A busy machine gets a little more time than the story takes at most. */
const patience = 1.1;

/**
 * Tells the story as a function of what was seen: it answers the step that is due at `now`, undefined where none is.
 * `reachedAt` is when the phase's goal was first seen to be reached. `slack` is added to every deadline, for what
 * goes by this machine's time and not by the clock.
 */
export function storyStep(
  model: SimulationModel,
  lengths: StoryLengths,
  times: Readonly<{ now: Instant; reachedAt: Instant | undefined; slack: Millis }>,
): StoryStep | undefined {
  const part = partOf(model.phase, lengths);
  if (part === undefined) return undefined;
  const { now, reachedAt, slack } = times;
  const since = now - model.phaseAt;
  if (reachedAt !== undefined && since >= part.least && now - reachedAt >= part.pause) {
    return { next: part.next, missed: [] };
  }
  if (since < patience * part.deadline + slack) return undefined;
  const late = [...model.rows.values()].filter(part.awaits).map(({ shoot }) => shoot);
  return { next: part.next, missed: late.map((shoot) => `${shoot} ${part.inVain}`) };
}

/** Whether everything that the present phase waits for is there. */
export function isGoalReached(model: SimulationModel, lengths: StoryLengths): boolean {
  const part = partOf(model.phase, lengths);
  return part !== undefined && ![...model.rows.values()].some(part.awaits);
}

function partOf(phase: Phase, lengths: StoryLengths): Part | undefined {
  const { calm, quiet, down, outage, back, pause } = lengths;
  switch (phase) {
    case 'calm':
      return {
        next: 'outage',
        awaits: ({ state, verdict }) => state !== 'probing' || verdict === null,
        inVain: 'was never found healthy in the calm',
        least: 0,
        pause: quiet,
        deadline: calm + quiet,
      };
    case 'outage':
      return {
        next: 'healing',
        awaits: (row) => row.threat !== null && (row.state !== 'scaledDown' || !isDown(row)),
        inVain: 'was not scaled down while it was cut off',
        least: outage,
        pause,
        deadline: Math.max(down, outage) + pause,
      };
    case 'healing':
      return {
        next: 'over',
        awaits: (row) => row.state !== 'probing' || !isAsBefore(row),
        inVain: 'was not as before when the outage was over',
        least: 0,
        pause,
        deadline: back + pause,
      };
    case 'over':
      return undefined;
  }
}

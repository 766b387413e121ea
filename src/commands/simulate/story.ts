import type { Phase } from './observation.ts';
import { isAsBefore, isDown, type ShootRow, type SimulationModel } from './simulation-model.ts';
import type { StoryLengths } from './story-lengths.ts';
import { dueStep, type StepTimes, type StoryPart, type StoryStep } from './story-part.ts';

/** Tells the story as a function of what was seen: it answers the step that is due at `now`, undefined where none is. */
export function storyStep(
  model: SimulationModel,
  lengths: StoryLengths,
  times: StepTimes,
): StoryStep<Phase> | undefined {
  const part = partOf(model.phase, lengths);
  return part && dueStep(part, [...model.rows.values()], ({ shoot }) => shoot, model.phaseAt, times);
}

/** Whether everything that the present phase waits for is there. */
export function isGoalReached(model: SimulationModel, lengths: StoryLengths): boolean {
  const part = partOf(model.phase, lengths);
  return part !== undefined && ![...model.rows.values()].some(part.awaits);
}

function partOf(phase: Phase, lengths: StoryLengths): StoryPart<Phase, ShootRow> | undefined {
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

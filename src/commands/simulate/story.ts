import type { Phase } from './observation.ts';
import { isAsBefore, isDown, type ShootRow } from './simulation-model.ts';
import type { StoryLengths } from './story-lengths.ts';
import type { StoryPart } from './story-part.ts';

/** What a phase of the story is about; undefined once it is over. */
export function storyPart(phase: Phase, lengths: StoryLengths): StoryPart<Phase, ShootRow> | undefined {
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

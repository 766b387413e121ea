import type { Millis } from '../../../domain/time.ts';
import type { StoryPart } from '../story/story-part.ts';
import { isWell, type PlaneRow } from './control-plane-model.ts';
import { dependantStages, sides, type Phase } from './observation.ts';

/** How long the parts of the story take at most if all goes well, by the simulated clock. */
export type EtcdStoryLengths = Readonly<{
  /** Until every control plane is well, and known to the weeder. */
  calm: Millis;
  /** etcd is away for exactly so long, if everything crash-loops by then. */
  outage: Millis;
  /** Until everything is well again, without any help. */
  recovery: Millis;
  /** The pause between a goal and the next phase, so that a reader sees the goal reached. */
  pause: Millis;
}>;

/** The part of the story that belongs to a phase; undefined once the story is over. */
export function etcdStoryPart(
  phase: Phase,
  { calm, outage, recovery, pause }: EtcdStoryLengths,
): StoryPart<Phase, PlaneRow> | undefined {
  switch (phase) {
    case 'calm':
      return {
        next: 'outage',
        awaits: (row) => row.services.size === 0 || !sides.every((side) => isWell(row, side)),
        inVain: 'was not well in the calm, or has no service that the weeder knows',
        least: 0,
        pause,
        deadline: calm,
      };
    case 'outage':
      return {
        next: 'recovery',
        awaits: (row) => !sides.every((side) => dependantStages.every((stage) => row[side][stage].longestBackOff > 0)),
        inVain: 'did not crash-loop while etcd was away',
        least: outage,
        pause: 0,
        deadline: outage,
      };
    case 'recovery':
      return {
        next: 'over',
        awaits: (row) => !sides.every((side) => isWell(row, side)),
        inVain: 'was not well again when the story was over',
        least: 0,
        pause,
        deadline: recovery,
      };
    case 'over':
      return undefined;
  }
}

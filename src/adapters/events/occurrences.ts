import type { Turn } from '../../effects/turn.ts';
import type { Occurrence } from './occurrence.ts';
import { shootOccurrences } from './shoot-occurrences.ts';
import { weederOccurrences } from './weeder-occurrences.ts';

/** Picks from the turns what the owner of an object wants to know. Every turn must pass through it, in order. */
export function occurrences(): (turn: Turn) => readonly Occurrence[] {
  const ofShoots = shootOccurrences();
  const ofServices = weederOccurrences();
  return (turn) => ('shoot' in turn ? ofShoots(turn) : ofServices(turn));
}

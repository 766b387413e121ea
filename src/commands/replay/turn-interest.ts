import type { JournalTurn } from '../../adapters/journal/journal-line.ts';
import { shootTurnInterest } from './shoot-turn-interest.ts';
import { isEventfulForWeeder } from './weeder-turn-interest.ts';

/**
 * Says of each turn whether an operator wants to see it. It remembers each shoot's last finding, so every turn must pass
 * through it, in order.
 */
export function turnInterest(): (turn: JournalTurn) => boolean {
  const ofShoots = shootTurnInterest();
  return (turn) => ('shoot' in turn ? ofShoots(turn) : isEventfulForWeeder(turn));
}

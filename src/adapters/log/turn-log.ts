import type { Turn } from '../../effects/turn.ts';
import { turnWords } from '../words/turn-words.ts';
import type { Log } from './log.ts';
import { shootTurnLog } from './shoot-turn-log.ts';
import { subjectFields } from './subject-fields.ts';
import { weederTurnLog } from './weeder-turn-log.ts';

/**
 * Tells the turns that an operator wants to read (SPEC 9.4): a line for each change of state and each write, one when
 * something begins to fail and one when it ends; at DEBUG every turn as well.
 */
export function turnLog(log: Log): (turn: Turn) => void {
  const tellShoots = shootTurnLog(log);
  const tellServices = weederTurnLog(log);

  return (turn) => {
    if (log.writes('debug')) {
      const { seq, from, to } = turn;
      const { event, notes, commands } = turnWords(turn);
      log.debug('turn', { seq, ...subjectFields(turn), event, from, to, notes, commands });
    }
    if ('shoot' in turn) tellShoots(turn);
    else tellServices(turn);
  };
}

import { serviceOf } from '../../../domain/weeder/service-ref.ts';
import type { Turn, Turns } from '../../../effects/turn.ts';
import type { LeaderOf } from '../episodes/leaders.ts';
import { byKind } from '../facts/turns.ts';
import { kindWords, turnWords } from '../words/turn-words.ts';
import type { Log } from './log.ts';
import { shootTurnLog } from './shoot-turn-log.ts';
import { weederTurnLog } from './weeder-turn-log.ts';
import { instantText } from '../../words/plain-words.ts';

/**
 * Tells the turns that an operator wants to read (SPEC 9.4): a line for each change of state and each write, one when
 * something begins to fail and one when it ends; at DEBUG every turn as well. Every turn must pass, in order, once. `leader`: this process, once it leads.
 */
export function turnLog(log: Log, leader?: LeaderOf): (turn: Turn) => void {
  const last = lastTurns();
  const tellLines = byKind<Turns, void>({ shoot: shootTurnLog(log, leader), weeder: weederTurnLog(log) });

  return (turn) => {
    const { seq, kind, subject, event, from, to } = turn;
    const { noun } = kindWords[kind];
    const about = turn.kind === 'shoot' ? { shoot: turn.subject } : serviceOf(turn.subject);
    if (log.writes('debug')) {
      const said = turnWords(turn);
      log.debug(`${subject}: ${said.event}`, { line: 'turn', seq, ...about, from, to, ...said });
    }
    tellLines(turn);
    if (event.type !== 'ended') {
      last.add(turn);
      return;
    }
    const turns = last.take(subject);
    if (event.because === 'gone') log.debug(`${subject}: the ${noun} is gone`, { line: `${noun} gone`, ...about });
    else {
      const { error, during } = event;
      const met = during === undefined ? undefined : turnWords({ ...turn, event: during }).event;
      log.error(`a bug of the watchdog ended its work on the ${noun} ${subject}; it begins afresh`, {
        line: 'bug',
        ...about,
        error,
        event: met,
        lastTurns: turns,
      });
    }
  };
}

/** How many turns before a bug are told with it. */
const turnsKept = 8;

type Kept = Readonly<{ at: number; type: string; from: string | undefined; to: string }>;

/**
 * Keeps the last turns of each machine, which are told with the bug that ends it: a turn does not tell what came before
 * it. Only what a line needs is kept, and the lines are written when they are needed.
 */
function lastTurns() {
  const bySubject = new Map<string, Kept[]>();
  return {
    add({ subject, at, event: { type }, from, to }: Turn): void {
      const kept = bySubject.get(subject);
      if (kept === undefined) bySubject.set(subject, [{ at, type, from, to }]);
      else if (kept.push({ at, type, from, to }) > turnsKept) kept.shift();
    },
    /** Oldest first; they are forgotten with it. */
    take(subject: string): readonly string[] {
      const kept = bySubject.get(subject) ?? [];
      bySubject.delete(subject);
      return kept.map(({ at, type, from, to }) => `${instantText(at)} ${type}: ${from ?? 'nothing'} → ${to}`);
    },
  };
}

import { serviceOf } from '../../domain/weeder/service-ref.ts';
import type { Turn, TurnOf, TurnsOf } from '../../effects/turn.ts';
import type { LanguageMap, Languages } from '../../machines/kinds.ts';
import type { Language } from '../../machines/pure-machine.ts';
import { byKind } from '../turns/by-kind.ts';
import { isEnded } from '../turns/runtime-events.ts';
import { kindWords, turnWords, type KindWords } from '../words/turn-words.ts';
import type { Log, LogFields } from './log.ts';
import { shootTurnLog } from './shoot-turn-log.ts';
import { weederTurnLog } from './weeder-turn-log.ts';
import { instantText } from '../words/plain-words.ts';

/** How the turns of one kind of machine are told. */
type TurnLogOf<Spoken extends Language> = Readonly<{
  /** Whom a line is about. */
  fields(subject: Spoken['Subject']): LogFields;
  /** Begins to tell; every turn of this kind must pass through it, in order, once. */
  lines(log: Log): (turn: TurnOf<Spoken>) => void;
}>;

export type TurnLogs<Spoken extends LanguageMap<Spoken>> = { readonly [Kind in keyof Spoken]: TurnLogOf<Spoken[Kind]> };

export const turnLogs: TurnLogs<Languages> = {
  shoot: { fields: (shoot) => ({ shoot }), lines: shootTurnLog },
  weeder: { fields: serviceOf, lines: weederTurnLog },
};

/**
 * Tells the turns that an operator wants to read (SPEC 9.4): a line for each change of state and each write, one when
 * something begins to fail and one when it ends; at DEBUG every turn as well.
 */
export function turnLog(log: Log): (turn: Turn) => void {
  return logTurns<Languages>(log, turnLogs, kindWords);
}

/** The same for any kinds of machines. */
function logTurns<Spoken extends LanguageMap<Spoken>>(
  log: Log,
  logs: TurnLogs<Spoken>,
  words: KindWords<Spoken>,
): (turn: TurnsOf<Spoken>[keyof Spoken]) => void {
  const last = lastTurns();
  return byKind<TurnsOf<Spoken>, void>(logs, (kind) => {
    const { fields, lines } = logs[kind];
    const { noun, event: eventWords } = words[kind];
    const tellLines = lines(log);
    return (turn) => {
      const { seq, subject, event, from, to } = turn;
      const about = fields(subject);
      if (log.writes('debug')) {
        const { event: eventText, notes, commands } = turnWords(words, turn);
        log.debug(`${subject}: ${eventText}`, {
          line: 'turn',
          seq,
          ...about,
          event: eventText,
          from,
          to,
          notes,
          commands,
        });
      }
      tellLines(turn);
      if (!isEnded(event)) {
        last.add(turn);
        return;
      }
      const turns = last.take(subject);
      if (event.because === 'gone') log.debug(`${subject}: the ${noun} is gone`, { line: `${noun} gone`, ...about });
      else {
        const { error, during } = event;
        const met = during === undefined ? undefined : eventWords(during);
        log.error(`a bug of the watchdog ended its work on the ${noun} ${subject}; it begins afresh`, {
          line: 'bug',
          ...about,
          error,
          event: met,
          lastTurns: turns,
        });
      }
    };
  });
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
    add({ subject, at, event: { type }, from, to }: TurnOf<Language>): void {
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

import type { JournalTurn } from '../../adapters/journal/journal-line.ts';
import { instantText } from '../../adapters/words/instant-text.ts';
import { turnWords } from '../../adapters/words/turn-words.ts';
import type { ReplayReport } from './replay-report.ts';

/** A replay for programs: a line of JSON for each turn, told in `says`, and one for the summary. Nothing is folded. */
export function jsonReport(): ReplayReport {
  return {
    opened: ({ program, version, run, openedAt }, source) =>
      line({ source, opened: { program, version, run, at: instantText(openedAt) } }),
    turn({ turn, replayed, place, eventful }) {
      const { seq, at, event, from, to, commands, notes } = turn;
      const words = turnWords(turn);
      const says = [words.event, ...words.notes, ...words.commands];
      return line({
        seq,
        time: instantText(at),
        ...named(turn),
        place,
        from,
        to,
        eventful,
        says,
        replayed,
        event,
        commands,
        notes,
      });
    },
    cutOff: (place) => line({ cutOff: place }),
    damaged: (place, problem, ends) => line({ damaged: place, problem, ends }),
    end: ({ finalStates, differences, ...counts }) =>
      line({
        summary: {
          ...counts,
          differences: differences.map(({ turn, place }) => ({ ...named(turn), seq: turn.seq, place })),
          finalStates: Object.fromEntries(finalStates),
        },
      }),
  };
}

function named(turn: JournalTurn) {
  return 'shoot' in turn ? { shoot: turn.shoot } : { service: turn.service };
}

function line(value: unknown): readonly string[] {
  return [JSON.stringify(value)];
}

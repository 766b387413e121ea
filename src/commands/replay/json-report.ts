import { commandWords } from '../../adapters/words/command-words.ts';
import { eventWords } from '../../adapters/words/event-words.ts';
import { noteWords } from '../../adapters/words/note-words.ts';
import { instantText } from '../../adapters/words/instant-text.ts';
import type { ReplayReport } from './replay-report.ts';

/** A replay for programs: a line of JSON for each turn, told in `says`, and one for the summary. Nothing is folded. */
export function jsonReport(): ReplayReport {
  return {
    opened: ({ program, version, run, openedAt }, source) =>
      line({ source, opened: { program, version, run, at: instantText(openedAt) } }),
    turn({ turn, replayed, place, eventful }) {
      const { seq, at, shoot, event, from, to, commands, notes } = turn;
      const says = [
        eventWords(event),
        ...notes.map((note) => noteWords(note, at)),
        ...commands.map((command) => commandWords(command, at)),
      ];
      return line({
        seq,
        time: instantText(at),
        shoot,
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
    end: ({ finalStates, differences, ...counts }) =>
      line({
        summary: {
          ...counts,
          differences: differences.map(({ turn, place }) => ({ shoot: turn.shoot, seq: turn.seq, place })),
          finalStates: Object.fromEntries(finalStates),
        },
      }),
  };
}

function line(value: unknown): readonly string[] {
  return [JSON.stringify(value)];
}

import { commandWords } from '../../adapters/journal/command-words.ts';
import { eventWords } from '../../adapters/journal/event-words.ts';
import { noteWords } from '../../adapters/journal/note-words.ts';
import { instantText } from '../../adapters/log/instant-text.ts';
import type { ReplayReport } from './replay-report.ts';

/** A replay for programs: a line of JSON for each turn, told in `says`, and one for the summary. Nothing is folded. */
export function jsonReport(): ReplayReport {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  return {
    opened: ({ configuration: _, ...header }, source) => line({ opened: header, source }),
    turn({ turn: { before: _, ...turn }, replayed, place, eventful }) {
      const { at, event, commands, notes } = turn;
      const says = [
        eventWords(event),
        ...notes.map((note) => noteWords(note, at)),
        ...commands.map((command) => commandWords(command, at)),
      ];
      return line({ time: instantText(at), place, eventful, replayed, says, turn });
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

import type { ShootTurn, WeederTurn } from '../../effects/turn.ts';
import { commandWords } from './command-words.ts';
import { eventWords } from './event-words.ts';
import { noteWords } from './note-words.ts';
import { weederCommandWords } from './weeder-command-words.ts';
import { weederEventWords } from './weeder-event-words.ts';
import { weederNoteWords } from './weeder-note-words.ts';

type Told = 'at' | 'event' | 'commands' | 'notes';

/** A whole turn as an operator would tell it, each part in its own words. */
export type TurnWords = Readonly<{ event: string; notes: readonly string[]; commands: readonly string[] }>;

export function turnWords(turn: Pick<ShootTurn, Told | 'shoot'> | Pick<WeederTurn, Told | 'service'>): TurnWords {
  const { at } = turn;
  return 'shoot' in turn
    ? {
        event: eventWords(turn.event),
        notes: turn.notes.map((note) => noteWords(note, at)),
        commands: turn.commands.map((command) => commandWords(command, at)),
      }
    : {
        event: weederEventWords(turn.event),
        notes: turn.notes.map((note) => weederNoteWords(note, at)),
        commands: turn.commands.map((command) => weederCommandWords(command, at)),
      };
}

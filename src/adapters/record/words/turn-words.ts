import type { TurnOf } from '../../../effects/turn.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { Instant } from '../../../domain/time.ts';
import { shootCommandWords, shootEventWords, shootNoteWords } from './shoot-words.ts';
import { weederCommandWords, weederEventWords, weederNoteWords } from './weeder-words.ts';

type AnyLanguage = Languages[keyof Languages];

/** How an operator would tell what one kind of machine heard and said. `at`: the turn's. */
type WordsOf<Spoken extends AnyLanguage> = Readonly<{
  /** What its subject is: `shoot`. */
  noun: string;
  event(event: TurnOf<Spoken>['event']): string;
  note(note: Spoken['Note'], at: Instant): string;
  command(command: Spoken['Command'], at: Instant): string;
}>;

export const kindWords: { readonly [Kind in keyof Languages]: WordsOf<Languages[Kind]> } = {
  shoot: { noun: 'shoot', event: shootEventWords, note: shootNoteWords, command: shootCommandWords },
  weeder: { noun: 'service', event: weederEventWords, note: weederNoteWords, command: weederCommandWords },
};

/** A whole turn as an operator would tell it, each part in its own words. */
export type TurnWords = Readonly<{ event: string; notes: readonly string[]; commands: readonly string[] }>;

export function turnWords(turn: Pick<TurnOf<AnyLanguage>, 'kind' | 'at' | 'event' | 'commands' | 'notes'>): TurnWords {
  const { at, event, notes, commands } = turn;
  const words: WordsOf<AnyLanguage> = kindWords[turn.kind];
  return {
    event: words.event(event),
    notes: notes.map((note) => words.note(note, at)),
    commands: commands.map((command) => words.command(command, at)),
  };
}

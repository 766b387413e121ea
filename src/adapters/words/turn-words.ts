import type { TurnOf } from '../../effects/turn.ts';
import type { LanguageMap, Languages } from '../../machines/kinds.ts';
import type { Language } from '../../machines/pure-machine.ts';
import type { Instant } from '../../domain/time.ts';
import { shootCommandWords, shootEventWords, shootNoteWords } from './shoot-words.ts';
import { weederCommandWords, weederEventWords, weederNoteWords } from './weeder-words.ts';

/** How an operator would tell what one kind of machine heard and said. `at`: the turn's. */
type WordsOf<Spoken extends Language> = Readonly<{
  /** What its subject is: `shoot`. */
  noun: string;
  event(event: TurnOf<Spoken>['event']): string;
  note(note: Spoken['Note'], at: Instant): string;
  command(command: Spoken['Command'], at: Instant): string;
}>;

export type KindWords<Spoken extends LanguageMap<Spoken>> = { readonly [Kind in keyof Spoken]: WordsOf<Spoken[Kind]> };

export const kindWords: KindWords<Languages> = {
  shoot: { noun: 'shoot', event: shootEventWords, note: shootNoteWords, command: shootCommandWords },
  weeder: { noun: 'service', event: weederEventWords, note: weederNoteWords, command: weederCommandWords },
};

type Told<Spoken extends Language> = Pick<TurnOf<Spoken>, 'kind' | 'at' | 'event' | 'commands' | 'notes'>;

/** A whole turn as an operator would tell it, each part in its own words. */
export type TurnWords = Readonly<{ event: string; notes: readonly string[]; commands: readonly string[] }>;

export function turnWords<Spoken extends LanguageMap<Spoken>, Kind extends keyof Spoken>(
  words: KindWords<Spoken>,
  turn: Told<Spoken[Kind]>,
): TurnWords {
  const { at, event, notes, commands } = turn;
  const one = words[turn.kind as Kind];
  return {
    event: one.event(event),
    notes: notes.map((note) => one.note(note, at)),
    commands: commands.map((command) => one.command(command, at)),
  };
}

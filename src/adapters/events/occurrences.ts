import type { TurnOf, TurnsOf } from '../../effects/turn.ts';
import type { LanguageMap, Languages } from '../../machines/kinds.ts';
import { byKind } from '../turns/by-kind.ts';
import type { Occurrence } from './event-object.ts';
import { shootOccurrences } from './shoot-occurrences.ts';
import { weederOccurrences } from './weeder-occurrences.ts';

/** By kind of machine, what picks from one of its turns. */
export type KindOccurrences<Spoken extends LanguageMap<Spoken>> = {
  readonly [Kind in keyof Spoken]: (turn: TurnOf<Spoken[Kind]>) => readonly Occurrence[];
};

export const kindOccurrences: KindOccurrences<Languages> = { shoot: shootOccurrences, weeder: weederOccurrences };

/** Picks from the turns what the owner of an object wants to know. */
export function occurrences<Spoken extends LanguageMap<Spoken>>(
  kinds: KindOccurrences<Spoken>,
): (turn: TurnsOf<Spoken>[keyof Spoken]) => readonly Occurrence[] {
  return byKind<TurnsOf<Spoken>, readonly Occurrence[]>(kinds, (kind) => kinds[kind]);
}

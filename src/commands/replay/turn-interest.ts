import { byKind } from '../../adapters/turns/by-kind.ts';
import type { JournalTurnOf, JournalTurns } from '../../adapters/journal/journal-line.ts';
import type { LanguageMap, Languages } from '../../machines/kinds.ts';
import type { Language } from '../../machines/pure-machine.ts';
import { shootTurnInterest } from './shoot-turn-interest.ts';
import { isEventfulForWeeder } from './weeder-turn-interest.ts';

/** What an operator wants to see of one kind of machine. */
type InterestOf<Spoken extends Language> = Readonly<{
  /** Begins to say of each turn whether he wants to see it; every turn must pass through it, in order. */
  begin(): (turn: JournalTurnOf<Spoken>) => boolean;
  /** Whether a machine that ends in this state is named. A healthy one is only counted. */
  named: Readonly<Record<Spoken['State'], boolean>>;
}>;

export type KindInterests<Spoken extends LanguageMap<Spoken>> = {
  readonly [Kind in keyof Spoken]: InterestOf<Spoken[Kind]>;
};

export const kindInterests: KindInterests<Languages> = {
  shoot: {
    begin: shootTurnInterest,
    named: { idle: false, probing: false, leaseFailed: true, scalingDown: true, scaledDown: true, scalingUp: true },
  },
  weeder: {
    begin: () => isEventfulForWeeder,
    named: { settled: false, down: true, recovering: true, relapsed: true },
  },
};

export function turnInterest<Spoken extends LanguageMap<Spoken>>(
  interests: KindInterests<Spoken>,
): (turn: JournalTurns<Spoken>[keyof Spoken]) => boolean {
  return byKind<JournalTurns<Spoken>, boolean>(interests, (kind) => interests[kind].begin());
}

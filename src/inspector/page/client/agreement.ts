import type { TurnName } from '../../../adapters/turns/turn-name.ts';
import type { Language } from '../../../machines/pure-machine.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Kind, Replayed } from '../../wire/wire.ts';
import { numberText } from '../format/texts.ts';

/** What came of taking recorded turns again with the machines that the page holds (view 7). */
export type Agreement = Readonly<{
  /** Turns that could be taken again. */
  checked: number;
  /** Turns before which nothing tells where their machine stood. */
  withoutBeginning: number;
  /** The first turn that came out otherwise. */
  first: (TurnName & Readonly<{ in: string }>) | null;
}>;

/** Of the turns of one machine, oldest first. */
export function agreementOf<Spoken extends Language>(
  kind: Kind,
  replayedTurn: readonly Pick<ReplayedTurn<Spoken>, 'turn' | 'replayed'>[],
): Agreement {
  const outcomes = replayedTurn.map(({ replayed }) => replayed.outcome);
  const differing = replayedTurn.find(({ replayed }) => replayed.outcome === 'differs');
  return {
    checked: outcomes.filter((outcome) => outcome === 'same' || outcome === 'differs').length,
    withoutBeginning: outcomes.filter((outcome) => outcome === 'no beginning').length,
    first: differing === undefined ? null : differenceOf(kind, differing),
  };
}

export const noAgreement: Agreement = { checked: 0, withoutBeginning: 0, first: null };

/** Of several machines: their sums, and the earliest turn that came out otherwise. */
export function joinAgreements(one: Agreement, other: Agreement): Agreement {
  const earlier = other.first === null || (one.first !== null && one.first.at <= other.first.at) ? one : other;
  return {
    checked: one.checked + other.checked,
    withoutBeginning: one.withoutBeginning + other.withoutBeginning,
    first: earlier.first,
  };
}

/** Of files, as the server found when it read them. */
export function agreementOfFiles({ checked, withoutBeginning, differences }: Replayed): Agreement {
  const first = differences.toSorted((a, b) => a.at - b.at)[0] ?? null;
  return { checked, withoutBeginning, first };
}

/** `replay agrees: 1,240 turns`. */
export function agreementWords({ checked, withoutBeginning, first }: Agreement): string {
  if (first !== null) return `replay differs: ${first.subject}, in its ${first.in}`;
  if (checked === 0) return withoutBeginning === 0 ? 'nothing to replay' : 'replay has no beginning';
  return `replay agrees: ${numberText(checked)} turn${checked === 1 ? '' : 's'}`;
}

function differenceOf<Spoken extends Language>(
  kind: Kind,
  { turn, replayed }: Pick<ReplayedTurn<Spoken>, 'turn' | 'replayed'>,
): Agreement['first'] {
  if (replayed.outcome !== 'differs') return null;
  const { subject, run, seq, at } = turn;
  return { kind, subject, run, seq, at, in: replayed.difference.in };
}

import { nameOf, type TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { Language } from 'dependency-watchdog/machines/pure-machine.ts';
import type { Kind, MachineName, Replayed, Turns, WireTurnOf } from '../../wire/wire.ts';
import { numberText } from '../format/texts.ts';
import { useEffect } from 'preact/hooks';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import { replayTurns, type ReplayedTurn } from '../../model/replayed-turn.ts';
import { machinePath } from './address.ts';
import { getJson } from './server.ts';
import { createStore } from './store.ts';

/** What came of replaying recorded turns with the machines that the page holds (view 7). */
export type Agreement = Readonly<{
  /** Turns that could be replayed. */
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
  return { ...nameOf({ ...turn, kind }, turn.run), in: replayed.difference.in };
}

/** What came of replaying the turns that are shown now; null where no machine is shown. */
export const shownAgreement = createStore<(Agreement & Readonly<{ subject: string }>) | null>(null);

/** Tells the header how the turns that a page shows came out (view 7). */
export function useShownAgreement<Spoken extends Language>(
  kind: Kind,
  subject: string,
  replayedTurn: readonly Pick<ReplayedTurn<Spoken>, 'turn' | 'replayed'>[],
): void {
  useEffect(() => {
    shownAgreement.set(replayedTurn.length === 0 ? null : { ...agreementOf(kind, replayedTurn), subject });
    return () => shownAgreement.set(null);
  }, [kind, subject, replayedTurn]);
}

/** How far the page is in replaying the turns of all machines. `problem`: why one machine could not be asked for. */
export type WholeReplay = Readonly<{
  done: number;
  of: number;
  agreement: Agreement;
  problem: string | null;
}>;

/** Null until somebody asks for it: a seed of 1,000 shoots is some hundred megabytes of turns. */
export const wholeReplay = createStore<WholeReplay | null>(null);

/** Takes the turns of all these machines again, one machine after the other, as many of each as the server gives at once. */
export async function replayWhole(names: readonly MachineName[]): Promise<void> {
  let agreement = noAgreement;
  let problem: string | null = null;
  for (const [done, { kind, subject }] of names.entries()) {
    wholeReplay.set({ done, of: names.length, agreement, problem });
    try {
      agreement = joinAgreements(agreement, await replayOne(kind, subject));
    } catch (error) {
      problem ??= `${subject}: ${error instanceof Error ? error.message : 'no answer'}`;
    }
  }
  wholeReplay.set({ done: names.length, of: names.length, agreement, problem });
}

async function replayOne<Of extends Kind>(kind: Of, subject: string): Promise<Agreement> {
  const { turns } = await getJson<Turns>(`${machinePath(kind, subject)}/turns`);
  return agreementOf(kind, replayTurns(pureMachines[kind], turns as readonly WireTurnOf<Of>[]));
}

import { useEffect } from 'preact/hooks';
import { pureMachines } from '../../../machines/kinds.ts';
import type { Language } from '../../../machines/pure-machine.ts';
import { replayTurns, type ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Kind, Turns, WireTurnOf } from '../../wire/wire.ts';
import { machinePath } from './address.ts';
import { agreementOf, joinAgreements, noAgreement, type Agreement } from './agreement.ts';
import { getJson } from './server.ts';
import type { FoundName } from './server-state.ts';
import { createStore } from './store.ts';

/** What came of taking the turns again that are shown now; null where no machine is shown. */
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

/** How far the page is in taking the turns of all machines again. `problem`: why one machine could not be asked for. */
export type WholeReplay = Readonly<{
  done: number;
  of: number;
  agreement: Agreement;
  problem: string | null;
}>;

/** Null until somebody asks for it: a seed of 1,000 shoots is some hundred megabytes of turns. */
export const wholeReplay = createStore<WholeReplay | null>(null);

/** Takes the turns of all these machines again, one machine after the other, as many of each as the server gives at once. */
export async function replayWhole(names: readonly FoundName[]): Promise<void> {
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

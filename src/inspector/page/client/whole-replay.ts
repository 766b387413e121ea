import { pureMachines } from '../../../machines/kinds.ts';
import { retakeTurns } from '../../told/retaken.ts';
import type { Kind, Turns, WireTurnOf } from '../../wire/wire.ts';
import { agreementOf, joinAgreements, noAgreement, type Agreement } from './agreement.ts';
import type { FoundName } from './find-names.ts';
import { getJson } from './get-json.ts';
import { createStore } from './store.ts';

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
  const path = subject.split('/').map(encodeURIComponent).join('/');
  const { turns } = await getJson<Turns>(`/${kind === 'shoot' ? 'shoots' : 'services'}/${path}/turns`);
  return agreementOf(kind, retakeTurns(pureMachines[kind], turns as readonly WireTurnOf<Of>[]));
}

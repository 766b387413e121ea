import { useEffect } from 'preact/hooks';
import type { Language } from '../../../machines/pure-machine.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import type { Kind } from '../../wire/wire.ts';
import { agreementOf, type Agreement } from './agreement.ts';
import { createStore } from './store.ts';

/** What came of taking the turns again that are shown now; null where no machine is shown. */
export const shownAgreement = createStore<(Agreement & Readonly<{ subject: string }>) | null>(null);

/** Tells the header how the turns that a page shows came out (view 7). */
export function useShownAgreement<Spoken extends Language>(
  kind: Kind,
  subject: string,
  retaken: readonly Pick<RetakenTurn<Spoken>, 'turn' | 'replayed'>[],
): void {
  useEffect(() => {
    shownAgreement.set(retaken.length === 0 ? null : { ...agreementOf(kind, retaken), subject });
    return () => shownAgreement.set(null);
  }, [kind, subject, retaken]);
}

import { kindWords } from '../../../adapters/words/turn-words.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import type { Kind } from '../../wire/wire.ts';

/** To say a turn reads all its leases: a list that is filtered would say thousands of them with each letter. */
const said = new WeakMap<object, string>();

/** The event of a turn, in words. */
export function turnText<Of extends Kind>(kind: Of, { event }: RetakenTurn<Languages[Of]>['turn']): string {
  const known = said.get(event);
  if (known !== undefined) return known;
  const words = kindWords[kind].event(event);
  said.set(event, words);
  return words;
}

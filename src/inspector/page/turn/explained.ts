import type { Languages } from '../../../machines/kinds.ts';
import { explainTurn } from '../../told/explain-turn.ts';
import type { Explanation } from '../../told/explanation.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import type { Kind } from '../../wire/wire.ts';

/** As long as a turn is held, so is what was told of it: the chart and the panel show the same turn. */
const told = new WeakMap<object, unknown>();

/** What a turn was decided by. Each turn is explained once, and only when it is shown. */
export function explained<Of extends Kind>(kind: Of, retaken: RetakenTurn<Languages[Of]>): Explanation<Languages[Of]> {
  const known = told.get(retaken) as Explanation<Languages[Of]> | undefined;
  if (known !== undefined) return known;
  const explanation = explainTurn(kind, retaken);
  told.set(retaken, explanation);
  return explanation;
}

import type { Languages } from '../../../machines/kinds.ts';
import type { TakenTransition } from '../../told/explanation.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import type { Kind } from '../../wire/wire.ts';
import { explained } from '../turn/explained.ts';

/** The transitions that a turn took; none where nothing tells where the machine stood, or the runtime took it. */
export function takenOf<Of extends Kind>(kind: Of, retaken: RetakenTurn<Languages[Of]>): readonly TakenTransition[] {
  return explained(kind, retaken).taken;
}

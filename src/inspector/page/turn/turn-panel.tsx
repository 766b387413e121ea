import type { Languages } from '../../../machines/kinds.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import type { Kind } from '../../wire/wire.ts';

/** One turn, with what it was decided by (view 5). */
export function TurnPanel<Of extends Kind>({
  kind,
  retaken,
}: Readonly<{ kind: Of; retaken: RetakenTurn<Languages[Of]> }>) {
  const { turn } = retaken;
  return (
    <section>
      {kind} {turn.subject} {turn.event.type} → {turn.to}
    </section>
  );
}

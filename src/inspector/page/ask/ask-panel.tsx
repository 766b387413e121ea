import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { RetakenTurn } from '../../told/retaken.ts';

/** Why not, and what if, of the turn at `index` of a shoot (view 6). */
export function AskPanel({ turns, index }: Readonly<{ turns: readonly RetakenTurn<ShootLanguage>[]; index: number }>) {
  return (
    <section>
      {index + 1} of {turns.length}
    </section>
  );
}

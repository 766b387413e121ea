import type { TakenTransition } from '../../told/explanation.ts';
import type { Kind } from '../../wire/wire.ts';

/** The statechart of a machine (view 4). `value`: the active states, as the snapshot has them. `taken`: the transitions of the turn that is shown. */
export function Chart({
  kind,
  value,
  taken,
}: Readonly<{ kind: Kind; value: unknown; taken: readonly TakenTransition[] }>) {
  return (
    <figure>
      {kind} {JSON.stringify(value)} {taken.length}
    </figure>
  );
}

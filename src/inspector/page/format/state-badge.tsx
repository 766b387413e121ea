import type { Kind } from '../../wire/wire.ts';
import { Mark } from './mark.tsx';
import { stateLook } from './state-look.ts';

/** A machine's state: a shape and a word, coloured where it has consequences. */
export function StateBadge({ kind, state }: Readonly<{ kind: Kind; state: string }>) {
  const { word, shape, tone } = stateLook(kind, state);
  return (
    <span class={`format-badge format-${tone}`}>
      <Mark shape={shape} tone={tone} />
      {word}
    </span>
  );
}

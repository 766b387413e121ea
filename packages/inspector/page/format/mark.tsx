import type { Kind } from '../../wire/wire.ts';
import { stateLook, type Shape, type Tone } from '../../model/states.ts';

const paths: Readonly<Record<Shape, string>> = {
  ring: 'M6 1.75a4.25 4.25 0 1 0 0 8.5a4.25 4.25 0 1 0 0-8.5Z',
  pause: 'M3.5 2v8M8.5 2v8',
  warning: 'M6 1.2 11.2 10.6H.8ZM6 4.6v2.8M6 8.9v.6',
  fall: 'M6 1v9M2 6.2 6 10.4l4-4.2',
  floor: 'M1.2 2.2h9.6L6 8.2ZM1.2 10.6h9.6',
  rise: 'M6 11V2M2 5.8 6 1.6l4 4.2',
  diamond: 'M6 .8 11.2 6 6 11.2.8 6Z',
  dot: 'M6 3.6a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0-4.8Z',
  cross: 'M2 2l8 8M10 2l-8 8',
  check: 'M1.8 6.6 4.6 9.4 10.2 2.8',
};

/** A shape beside a word. It is not read aloud, since the word says the same. */
export function Mark({ shape, tone = 'calm' }: Readonly<{ shape: Shape; tone?: Tone }>) {
  return (
    <svg class={`format-mark format-${tone} format-shape-${shape}`} viewBox="0 0 12 12" aria-hidden="true">
      <path d={paths[shape]} />
    </svg>
  );
}

/** A shape and a word, coloured where it has consequences. */
export function Badge({ words, shape, tone }: Readonly<{ words: string; shape: Shape; tone: Tone }>) {
  return (
    <span class={`format-badge format-${tone}`}>
      <Mark shape={shape} tone={tone} />
      {words}
    </span>
  );
}

/** A machine's state. */
export function StateBadge({ kind, state }: Readonly<{ kind: Kind; state: string }>) {
  const { word, shape, tone } = stateLook(kind, state);
  return <Badge words={word} shape={shape} tone={tone} />;
}

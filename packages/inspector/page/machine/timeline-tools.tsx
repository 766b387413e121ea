import type { Keys } from '../client/keys.ts';

type Tool = readonly [sign: string, name: string, key: string, shown: string];

const toolsBefore: readonly Tool[] = [
  ['⇤', 'The consequence before', 'Shift+ArrowLeft', 'Shift+←'],
  ['←', 'The turn before', 'ArrowLeft', '←'],
];
const toolsAfter: readonly Tool[] = [
  ['→', 'The turn after', 'ArrowRight', '→'],
  ['⇥', 'The next consequence', 'Shift+ArrowRight', 'Shift+→'],
  ['−', 'Further away', '-', '-'],
  ['+', 'Nearer', '+', '+'],
];

/** What the keys do on the time axis, as buttons. */
export function TimelineTools(
  props: Readonly<{
    keys: Keys;
    playing: boolean;
    /** What a time of trouble is called. */
    frames: string;
  }>,
) {
  const { keys, playing, frames } = props;
  const button = ([sign, name, key, shown]: Tool) => (
    <button key={key} type="button" title={`${name} (${shown})`} aria-label={name} onClick={keys[key]}>
      {sign}
    </button>
  );
  return (
    <div class="machine-tools" role="toolbar" aria-label="Time axis">
      {toolsBefore.map(button)}
      <button type="button" data-play title="Play (space)" aria-pressed={playing} onClick={keys[' ']}>
        {playing ? 'Stop' : 'Play'}
      </button>
      {toolsAfter.map(button)}
      <button
        type="button"
        title={`What happened around this turn, from its first sign to its end (o)`}
        onClick={keys['o']}
      >
        {frames}
      </button>
      <button type="button" title="All turns (0)" onClick={keys['0']}>
        All
      </button>
      <Legend />
    </div>
  );
}

/** Each sign of the lanes, by the class that draws it. */
const signs: readonly (readonly [look: string, words: string])[] = [
  ['cut-off', 'cut off'],
  ['down', 'down'],
  ['refused', 'refused, raised by others'],
  ['busy', 'under way'],
  ['unknown', 'not known'],
  ['age', 'age of a lease'],
  ['over', 'expired'],
  ['mark', 'consequence'],
  ['opened', 'opened'],
];

/** Open where there is room for it. */
function Legend() {
  return (
    <details class="machine-legend" open={matchMedia('(width >= 1080px)').matches}>
      <summary>Legend</summary>
      <ul>
        {signs.map(([look, words]) => (
          <li key={look}>
            <i class={`machine-sign machine-sign-${look}`} aria-hidden="true" /> {words}
          </li>
        ))}
      </ul>
    </details>
  );
}

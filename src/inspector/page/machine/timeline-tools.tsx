import type { Keys } from '../client/keys.ts';

type Tool = readonly [sign: string, name: string, key: string, shown: string];

const before: readonly Tool[] = [
  ['⇤', 'The consequence before', 'Shift+ArrowLeft', 'Shift+←'],
  ['←', 'The turn before', 'ArrowLeft', '←'],
];
const after: readonly Tool[] = [
  ['→', 'The turn after', 'ArrowRight', '→'],
  ['⇥', 'The next consequence', 'Shift+ArrowRight', 'Shift+→'],
  ['−', 'Further away', '-', '-'],
  ['+', 'Nearer', '+', '+'],
];

/** What the keys do on the time axis, as buttons. */
export function TimelineTools({ keys, playing }: Readonly<{ keys: Keys; playing: boolean }>) {
  const button = ([sign, name, key, shown]: Tool) => (
    <button key={key} type="button" title={`${name} (${shown})`} aria-label={name} onClick={keys[key]}>
      {sign}
    </button>
  );
  return (
    <div class="machine-tools" role="toolbar" aria-label="Time axis">
      {before.map(button)}
      <button type="button" data-play title="Play (space)" aria-pressed={playing} onClick={keys[' ']}>
        {playing ? 'Stop' : 'Play'}
      </button>
      {after.map(button)}
      <button type="button" title="All turns (0)" onClick={keys['0']}>
        All
      </button>
      <span class="quiet machine-hint">
        <kbd>←</kbd> <kbd>→</kbd> turns, with <kbd>Shift</kbd> consequences · wheel zooms, drag moves, double click
        shows all
      </span>
    </div>
  );
}

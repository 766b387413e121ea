import type { TimelineSurface } from './timeline-surface.ts';

/** What the keys do on the time axis, as buttons. */
export function TimelineTools(
  props: Readonly<{
    surface: Readonly<{ current: TimelineSurface | null }>;
    playing: boolean;
    onPlay: () => void;
    onStep: (direction: 1 | -1) => void;
    onJump: (direction: 1 | -1) => void;
  }>,
) {
  const { surface, playing, onPlay, onStep, onJump } = props;
  return (
    <div class="machine-tools" role="toolbar" aria-label="Time axis">
      {tool('⇤', 'The consequence before', 'Shift+←', () => onJump(-1))}
      {tool('←', 'The turn before', '←', () => onStep(-1))}
      <button type="button" data-play title="Play (space)" aria-pressed={playing} onClick={onPlay}>
        {playing ? 'Stop' : 'Play'}
      </button>
      {tool('→', 'The turn after', '→', () => onStep(1))}
      {tool('⇥', 'The next consequence', 'Shift+→', () => onJump(1))}
      {tool('−', 'Further away', '-', () => surface.current?.zoom(1.6))}
      {tool('+', 'Nearer', '+', () => surface.current?.zoom(1 / 1.6))}
      <button type="button" title="All turns (0)" onClick={() => surface.current?.fit()}>
        All
      </button>
      <span class="quiet machine-hint">
        <kbd>←</kbd> <kbd>→</kbd> turns, with <kbd>Shift</kbd> consequences · wheel zooms, drag moves, double click
        shows all
      </span>
    </div>
  );
}

function tool(sign: string, name: string, keys: string, does: () => void) {
  return (
    <button type="button" title={`${name} (${keys})`} aria-label={name} onClick={does}>
      {sign}
    </button>
  );
}

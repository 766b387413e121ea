import type { TimelineSurface } from './timeline-surface.ts';

/** What the keys do on the time axis, as buttons. */
export function TimelineTools({
  surface,
  playing,
  onPlay,
  onStep,
  onJump,
}: Readonly<{
  surface: Readonly<{ current: TimelineSurface | null }>;
  playing: boolean;
  onPlay: () => void;
  onStep: (direction: 1 | -1) => void;
  onJump: (direction: 1 | -1) => void;
}>) {
  return (
    <div class="machine-tools" role="toolbar" aria-label="Time axis">
      <button
        type="button"
        title="The consequence before (Shift+←)"
        aria-label="The consequence before"
        onClick={() => onJump(-1)}
      >
        ⇤
      </button>
      <button type="button" title="The turn before (←)" aria-label="The turn before" onClick={() => onStep(-1)}>
        ←
      </button>
      <button type="button" data-play title="Play (space)" aria-pressed={playing} onClick={onPlay}>
        {playing ? 'Stop' : 'Play'}
      </button>
      <button type="button" title="The turn after (→)" aria-label="The turn after" onClick={() => onStep(1)}>
        →
      </button>
      <button
        type="button"
        title="The next consequence (Shift+→)"
        aria-label="The next consequence"
        onClick={() => onJump(1)}
      >
        ⇥
      </button>
      <button
        type="button"
        title="Further away (-)"
        aria-label="Further away"
        onClick={() => surface.current?.zoom(1.6)}
      >
        −
      </button>
      <button type="button" title="Nearer (+)" aria-label="Nearer" onClick={() => surface.current?.zoom(1 / 1.6)}>
        +
      </button>
      <button type="button" title="All turns (0)" onClick={() => surface.current?.fit()}>
        All
      </button>
      <span class="machine-hint">
        <kbd>←</kbd> <kbd>→</kbd> turns, with <kbd>Shift</kbd> consequences · wheel zooms, drag moves, double click
        shows all
      </span>
    </div>
  );
}

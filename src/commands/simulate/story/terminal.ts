import process from 'node:process';
import type { WriteStream } from 'node:tty';
import { lineText, type PaintedLine, type ScreenSize } from './screen.ts';

/** A terminal that can be painted on. */
export type Terminal = Readonly<{
  colours: boolean;
  size(): ScreenSize;
  write(text: string): void;
  /** Answers how to stop listening. */
  onResize(listener: () => void): () => void;
  /** The process ends, in whatever way that leaves it a word. Answers how to stop listening. */
  onExit(listener: () => void): () => void;
}>;

export type LiveScreen = Readonly<{
  /** Shows these lines in the place of the ones before. They must be fewer than the terminal has rows. */
  paint(lines: readonly PaintedLine[]): void;
  /** Leaves what was painted last, with the cursor below it and to be seen again. */
  end(): void;
}>;

const escape = '\u001b[';
const hideCursor = `${escape}?25l`;
const showCursor = `${escape}?25h`;
const clearLine = `${escape}K`;
const clearBelow = `${escape}J`;
const clearAll = `${escape}H${escape}2J`;

/**
 * Paints in place, within what scrolls: what stood above stays, and nothing is lost when it ends. A terminal that changes
 * its width breaks the lines anew, and nobody can tell where the picture begins: then the whole of it is cleared.
 */
export function liveScreen(terminal: Terminal): LiveScreen {
  let height = 0;
  let resized = false;
  const stopListening = terminal.onResize(() => (resized = true));
  const restore = () => terminal.write(showCursor);
  const stopWaiting = terminal.onExit(restore);
  terminal.write(hideCursor);
  return {
    paint(lines) {
      const { columns } = terminal.size();
      // Cleared first: after a line as wide as the screen the cursor still stands on its last character.
      const texts = lines.map((line) => `${clearLine}${lineText(line, columns, terminal.colours)}\n`);
      const start = resized ? clearAll : height === 0 ? '\r' : `\r${escape}${height}A`;
      resized = false;
      height = lines.length;
      terminal.write(`${start}${texts.join('')}${clearBelow}`);
    },
    end() {
      stopListening();
      stopWaiting();
      restore();
    },
  };
}

/** What a terminal shows where it does not say how large it is. */
const usualSize = { columns: 80, rows: 24 } as const;

/** The terminal behind a stream; undefined where there is none, or one that cannot move its cursor. */
export function processTerminal(stream: WriteStream, env: NodeJS.ProcessEnv): Terminal | undefined {
  if (!stream.isTTY || env['TERM'] === 'dumb') return undefined;
  return {
    // As no-color.org has it, every text but an empty one.
    colours: (env['NO_COLOR'] ?? '') === '',
    size: () => ({ columns: stream.columns || usualSize.columns, rows: stream.rows || usualSize.rows }),
    write: (text) => void stream.write(text),
    onResize: (listener) => {
      stream.on('resize', listener);
      return () => stream.off('resize', listener);
    },
    onExit: (listener) => {
      process.on('exit', listener);
      return () => process.off('exit', listener);
    },
  };
}

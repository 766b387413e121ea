import process from 'node:process';
import type { WriteStream } from 'node:tty';
import { lineText, piece, type PaintedLine, type ScreenSize } from './painted-line.ts';

/** A terminal on which we can paint. */
export type Terminal = Readonly<{
  colours: boolean;
  size(): ScreenSize;
  write(text: string): void;
  /** Returns a function that stops listening. */
  onResize(listener: () => void): () => void;
  /** The process ends, in any way that still lets it run code. Returns a function that stops listening. */
  onExit(listener: () => void): () => void;
}>;

export type LiveScreen = Readonly<{
  /** How much room a picture has below the heading, if the terminal is high enough for both. */
  room(): ScreenSize;
  /** Replaces the lines shown before with these. There must be fewer of them than the terminal has rows. */
  paint(lines: readonly PaintedLine[]): void;
  /** Leaves the last picture in place, and shows the cursor below it again. */
  end(): void;
}>;

const escape = '\u001b[';
const hideCursor = `${escape}?25l`;
const showCursor = `${escape}?25h`;
const clearLine = `${escape}K`;
const clearBelow = `${escape}J`;
const clearAll = `${escape}H${escape}2J`;

/** A picture that is less high says too little. The heading, which is above it, then scrolls out of sight. */
const leastHeight = 16;

/**
 * Paints in place within the scrolling output: the lines above stay, and nothing is lost at the end. The heading is written once,
 * in full: a path that is cut is of no use. A terminal that changes its width breaks lines anew, and the start of the picture
 * is no longer known. Then the whole screen is cleared, and the heading written again.
 */
export function liveScreen(terminal: Terminal, heading: readonly string[] = []): LiveScreen {
  const above = heading.map((line) => `${piece(line).text}\n`).join('');
  let height = 0;
  let resized = false;
  const stopListening = terminal.onResize(() => (resized = true));
  const restore = () => terminal.write(showCursor);
  const stopWaiting = terminal.onExit(restore);
  terminal.write(`${hideCursor}${above}`);
  return {
    room() {
      const { columns, rows } = terminal.size();
      const headed = heading.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
      return { columns, rows: rows - headed < leastHeight ? rows : rows - headed };
    },
    paint(lines) {
      const { columns } = terminal.size();
      // The line is cleared before it is written: after a line as wide as the screen, the cursor stays on its last character.
      const texts = lines.map((line) => `${clearLine}${lineText(line, columns, terminal.colours)}\n`);
      const start = resized ? `${clearAll}${above}` : height === 0 ? '\r' : `\r${escape}${height}A`;
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

/** The size of a terminal that does not say how large it is. */
const usualSize = { columns: 80, rows: 24 } as const;

/**
 * Whether text on this stream may be coloured. `NO_COLOR` forbids it (no-color.org: any value but an empty one), `FORCE_COLOR` asks
 * for it even in a pipe, or with 0 or false forbids it; else a terminal has colours if `TERM` and `COLORTERM` say so.
 */
export function wantsColours(
  stream: Readonly<{ isTTY?: boolean; hasColors?: (count: number, env: object) => boolean }>,
  { NO_COLOR = '', FORCE_COLOR, ...env }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && stream.hasColors?.(16, env) === true;
}

/** The terminal behind a stream; undefined if there is none, or if it cannot move its cursor. */
export function processTerminal(stream: WriteStream, env: NodeJS.ProcessEnv): Terminal | undefined {
  if (!stream.isTTY || env['TERM'] === 'dumb') return undefined;
  return {
    colours: wantsColours(stream, env),
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

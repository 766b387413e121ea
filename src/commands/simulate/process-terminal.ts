import process from 'node:process';
import type { WriteStream } from 'node:tty';
import type { Terminal } from './live-screen.ts';

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

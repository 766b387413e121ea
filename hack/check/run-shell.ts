import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { endsWithUs } from '@dwd/lab/real/clearing-up.ts';
import type { Ended } from './in-lanes.ts';

/** What is kept of what one script prints, in characters. A program that floods says the same again and again. */
const mostSaid = 4_000_000;

/** Runs the words of a shell as `npm run` runs a script of the package.json at `root`, but for npm's own second. */
export function runShell(root: string, words: string): Promise<Ended> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
    // A script does not see the terminal, which it would paint for.
    const colour = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {};
    const child = spawn('/bin/sh', ['-c', words], {
      cwd: root,
      env: { ...process.env, ...colour, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endsWithUs(child);
    let said = '';
    let dropped = 0;
    const keep = (piece: string) => {
      const whole = said + piece;
      dropped += Math.max(0, whole.length - mostSaid);
      said = whole.slice(-mostSaid);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      const cut = dropped === 0 ? '' : `(${dropped} characters before this are left out)\n`;
      // Ended by a signal, it has no code.
      resolve({ code: code ?? 1, said: cut + said, seconds: (performance.now() - begin) / 1_000 });
    });
  });
}

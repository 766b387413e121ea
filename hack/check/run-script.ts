import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { endsWithUs } from '../real/clearing-up.ts';
import type { Ended } from './in-lanes.ts';

/** What is kept of what one script prints, in characters. A program that floods says the same again and again. */
const mostSaid = 4_000_000;

/** Runs a script of the package.json at `root`, as `npm run` does, but for npm's own second. Rejects where there is no such script. */
export function runScript(root: string, script: string): Promise<Ended> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<{
    scripts: Readonly<Record<string, string>>;
  }>;
  const text = scripts[script];
  if (text === undefined) return Promise.reject(new Error(`package.json has no script ${script}`));
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
    // A script does not see the terminal, which it would paint for.
    const colour = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {};
    const child = spawn('/bin/sh', ['-c', text], {
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

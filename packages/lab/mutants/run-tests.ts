import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endsWithUs } from '../real/clearing-up.ts';

export type TestRun = Readonly<{ outcome: 'passed' | 'failed' | 'hung'; said: string }>;

/** A slip may take the end away from a loop: what has not ended by then is killed, with all that it started. */
const longestRun = 180_000;

/** Runs the tests in the checkout at `root` until the first failure. */
export function runTests(root: string, tests: readonly string[], workers?: number): Promise<TestRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--bail=1',
        '--reporter=dot',
        '--no-color',
        // Half the usual patience: a slip that is seen by waiting is seen by waiting in vain.
        '--testTimeout=30000',
        ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
        ...tests,
      ],
      // It has a process group of its own, so that its workers can be ended with it.
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    endsWithUs(child);
    let said = '';
    let hung = false;
    const keep = (data: Buffer) => (said = `${said}${String(data)}`.slice(-4_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const limit = setTimeout(() => {
      hung = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, longestRun);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ outcome: hung ? 'hung' : code === 0 ? 'passed' : 'failed', said });
    });
  });
}

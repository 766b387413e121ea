import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';

const clearingUp = join(import.meta.dirname, '../real/clearing-up.ts');

/** Says its own number and that of a child, which ends with it. */
const program = `
  const { endsWithUs } = await import(${JSON.stringify(clearingUp)});
  const child = (await import('node:child_process')).spawn('sleep', ['60']);
  endsWithUs(child);
  console.log(process.pid, child.pid);
  setInterval(() => undefined, 1_000);
`;

/** As npm starts a script: by a shell, which stays between the two. */
const npm = `
  const child = require('node:child_process').spawn('/bin/sh', ['-c', '"$NODE" --input-type=module --eval "$PROGRAM"; true'], { stdio: 'inherit' });
  process.on('SIGTERM', () => { child.kill('SIGTERM'); process.exit(); });
`;

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'what npm started ends with it on %s, and its children too',
  async (signal) => {
    const env = { ...process.env, NODE: process.execPath, PROGRAM: program, npm_lifecycle_event: 'try' };
    const started = spawn(process.execPath, ['--eval', npm], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [said] = (await once(started.stdout, 'data')) as [Buffer];
    const [own = 0, child = 0] = String(said).split(' ').map(Number);
    onTestFinished(() => void (isAlive(own) && process.kill(own, 'SIGKILL')));
    expect([isAlive(own), isAlive(child)]).toEqual([true, true]);
    started.kill(signal);
    await expect.poll(() => [isAlive(own), isAlive(child)], { timeout: 20_000 }).toEqual([false, false]);
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { hasLostItsReader } from '../../src/adapters/output/machine-output.ts';
import { StandingPipe } from '@dwd/testing/standing-pipe.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';
import type { WritingReport } from '../support/writing-process.ts';

const script = new URL('../support/writing-process.ts', import.meta.url).pathname;
const linesScript = new URL('../support/writing-lines-process.ts', import.meta.url).pathname;
const all = 307_200;

/** A process that writes to this standard output; the function waits for a report of it. */
function writing(context: TestContext, stdout: 'pipe' | number) {
  const child: ChildProcess = fork(script, { stdio: ['ignore', stdout, 'inherit', 'ipc'] });
  context.onTestFinished(() => void child.kill('SIGKILL'));
  const report = (is: (report: WritingReport) => boolean): Promise<WritingReport> =>
    new Promise((resolve) => {
      const hear = (told: unknown): void => {
        if (!is(told as WritingReport)) return;
        child.off('message', hear);
        resolve(told as WritingReport);
      };
      child.on('message', hear);
    });
  return { child, report };
}

test(
  '11.1 a pipe that nobody reads takes 64 KiB, and the loop goes on; once it is read, it takes the rest',
  { timeout: 30_000 },
  async (context) => {
    const pipe = new StandingPipe(temporaryFolder(), 'pipe', context);
    const { report } = writing(context, pipe.end);
    expect(await report(({ turns }) => turns === 10)).toMatchObject({ taken: 65_536 });
    let read = 0;
    while (read < all) {
      await report(() => true);
      read += pipe.read().length;
    }
    expect(read).toBe(all);
  },
);

test('11.1 a socket that nobody reads: the loop goes on, and once it is read, it takes the rest', async (context) => {
  const { child, report } = writing(context, 'pipe');
  const stuck = await report(({ turns }) => turns === 10);
  expect(stuck.taken).toBeGreaterThan(0);
  expect(stuck.taken).toBeLessThan(all);
  child.stdout?.resume();
  await report(({ taken }) => taken === all);
});

test('11.1 lines of many turns of the loop go in a few writes, in order, and none is missing', async (context) => {
  const child = fork(linesScript, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  context.onTestFinished(() => void child.kill('SIGKILL'));
  let read = '';
  child.stdout?.on('data', (bytes: Buffer) => (read += bytes.toString()));
  const writes = await new Promise<unknown>((resolve) => child.once('message', resolve));
  // The loop turns in some microseconds. A machine that stands still in between may need more.
  expect(writes).toBeLessThan(10);
  const written = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('');
  await expect.poll(() => read).toBe(written);
});

test('11.1 a pipe whose reader is gone says so', async (context) => {
  const dir = temporaryFolder();
  const pipe = new StandingPipe(dir, 'pipe', context);
  expect(hasLostItsReader(pipe.end)).toBe(false);
  pipe.close();
  expect(hasLostItsReader(pipe.end)).toBe(true);
  const { report } = writing(context, pipe.end);
  expect(await report(({ error }) => error !== undefined)).toMatchObject({ taken: 0, error: 'EPIPE' });
});

test('11.1 a full disk says so', async (context) => {
  const full = openSync('/dev/full', 'w');
  context.onTestFinished(() => closeSync(full));
  const { report } = writing(context, full);
  expect(await report(({ error }) => error !== undefined)).toMatchObject({ taken: 0, error: 'ENOSPC' });
});

test('11.1 a file is written on from where it stands', async (context) => {
  const path = join(temporaryFolder(), 'file');
  const file = openSync(path, 'w');
  context.onTestFinished(() => closeSync(file));
  writeSync(file, 'before ');
  const { report } = writing(context, file);
  await report(({ taken }) => taken === all);
  expect(readFileSync(path, 'utf8')).toBe(`before ${'x'.repeat(all)}`);
  expect(hasLostItsReader(file)).toBe(false);
});

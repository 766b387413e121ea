import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StandingPipe } from '@dwd/testing/standing-pipe.ts';

const module = new URL('../../src/commands/end-process.ts', import.meta.url).href;

/** The fourth descriptor leads to a file system that hangs: as a pipe that is full does, it holds the thread that writes to it. */
const script = `
import { write, writeSync } from 'node:fs';
import { endProcess } from ${JSON.stringify(module)};
process.on('exit', (code) => writeSync(1, 'exit ' + code));
write(3, Buffer.alloc(100_000), () => undefined);
setTimeout(() => endProcess(7), 200);
`;

test('1.4 11.1 a process of which a thread hangs in a write ends all the same, with its code, and what is to be done at an exit is done', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-end-'));
  context.onTestFinished(() => rmSync(dir, { recursive: true }));
  const { end } = new StandingPipe(dir, 'pipe', context);
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 2, end] });
  context.onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
  expect(await once(child, 'close')).toEqual([7, null]);
  expect(said).toBe('exit 7');
});

test('1.4 a signal that comes while modules are evaluated, and nothing listens elsewhere yet, ends the process', () => {
  const loading = new URL('../../src/commands/while-loading.ts', import.meta.url).href;
  const loads = `
import { whileLoading } from ${JSON.stringify(loading)};
await whileLoading(async () => process.kill(process.pid, 'SIGTERM'));
process.exit(3);
`;
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', loads])).toMatchObject({ status: 0, signal: null });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { BusyCores } from './busy-cores.ts';

export type StressOrder = Readonly<{
  /** The checkout. */
  root: string;
  /** Of it, or any words that vitest takes for a file. */
  file: string;
  times: number;
  busy: number;
  /** Only the tests of this name. */
  only?: string | undefined;
  say: (text: string) => void;
}>;

/** Runs a file of tests so many times on busy cores. Stops at the first run that fails, and prints what it printed. Resolves to whether none did. */
export async function stress({ root, file, times, busy, only, say }: StressOrder): Promise<boolean> {
  const words = ['run', `--config=${configOf(root, file)}`, file, ...(only === undefined ? [] : ['-t', only])];
  say(`vitest ${words.join(' ')}: ${times} times; busy processes beside it: ${busy}\n`);
  using _load = new BusyCores(busy);
  const seconds: number[] = [];
  while (seconds.length < times) {
    const began = performance.now();
    const { code, output } = await runOnce(root, words);
    seconds.push((performance.now() - began) / 1_000);
    if (code !== 0) {
      say(`${output}\nrun ${seconds.length} of ${times} failed; ${seconds.length - 1} passed before it\n`);
      return false;
    }
    say('.');
  }
  const sorted = seconds.toSorted((one, other) => one - other);
  const [median, worst] = [sorted[Math.floor(times / 2)], sorted.at(-1)].map((one) => one?.toFixed(1));
  say(`\n${times} of ${times} runs passed; ${median} s in the median, ${worst} s at worst\n`);
  return true;
}

/** Each folder of tests that needs something has a configuration of its own: `packages/lab/test/apiserver/x.test.ts` runs by `vitest.apiserver.config.ts`. */
export function configOf(root: string, file: string): string {
  const folder = /test\/([^/]+)\//.exec(file)?.[1];
  const own = `vitest.${folder}.config.ts`;
  return folder !== undefined && existsSync(join(root, own)) ? own : 'vitest.config.ts';
}

async function runOnce(root: string, words: readonly string[]): Promise<Readonly<{ code: unknown; output: string }>> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of pipesOf(child)) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await ended) as [number | null];
  return { code, output };
}

function pipesOf({ stdout, stderr }: ChildProcess) {
  return [stdout, stderr].filter((stream) => stream !== null);
}

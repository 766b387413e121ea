import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BusyCores } from '../stress/busy-cores.ts';
import { configOf, stress } from '../stress/stress.ts';

const root = join(import.meta.dirname, '../../..');

/** A checkout with one test, which fails from its nth run on, and is not part of the usual ones. */
function checkout(failsFrom: number) {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-stress-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'test/slow'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'vitest.config.ts'), 'export default { test: { exclude: ["test/slow/**"] } };\n');
  writeFileSync(join(dir, 'vitest.slow.config.ts'), 'export default { test: {} };\n');
  writeFileSync(
    join(dir, 'test/slow/counted.test.ts'),
    `import { appendFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
test('it is not the ${failsFrom}th run', () => {
  appendFileSync('runs', 'x');
  expect(readFileSync('runs', 'utf8').length).toBeLessThan(${failsFrom});
});
`,
  );
  let said = '';
  const run = (times: number) =>
    stress({ root: dir, file: 'test/slow/counted.test.ts', times, busy: 1, say: (text) => (said += text) });
  return { run, said: () => said, runs: () => readFileSync(join(dir, 'runs'), 'utf8').length };
}

test('it runs a file as often as it is told, by the configuration of its folder', async () => {
  const { run, said, runs } = checkout(9);
  expect(await run(2)).toBe(true);
  expect(runs()).toBe(2);
  expect(said()).toMatch(/2 of 2 runs passed; [\d.]+ s in the median, [\d.]+ s at worst\n$/);
});

test('it stops at the first run that fails, and prints what that one printed', async () => {
  const { run, said, runs } = checkout(2);
  expect(await run(5)).toBe(false);
  expect(runs()).toBe(2);
  expect(said()).toContain('it is not the 2th run');
  expect(said()).toMatch(/run 2 of 5 failed; 1 passed before it\n$/);
});

test('each tier has its configuration', () => {
  const files = [
    'packages/lab/test/apiserver/x.test.ts',
    './test/kind/y.test.ts',
    'test/domain/z.test.ts',
    'test/tidy.test.ts',
  ];
  expect(files.map((file) => configOf(root, file))).toEqual([
    'vitest.apiserver.config.ts',
    'vitest.kind.config.ts',
    'vitest.config.ts',
    'vitest.config.ts',
  ]);
});

const isThere = (pid: number | undefined) => {
  try {
    return process.kill(pid!, 0);
  } catch {
    return false;
  }
};

// It had a fifth of a second of CPU, which is the 14th field, in hundredths; elsewhere than on Linux this is not known.
const isBusy = (pid: number | undefined) =>
  process.platform !== 'linux' || Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[11]) > 20;

test('the busy processes are busy, and gone with what started them', async () => {
  const cores = new BusyCores(2);
  const ids = cores.processIds;
  try {
    expect(ids).toHaveLength(2);
    expect(ids.map(isThere)).toEqual([true, true]);
    await vi.waitFor(() => expect(ids.map(isBusy)).toEqual([true, true]), 30_000);
  } finally {
    cores[Symbol.dispose]();
  }
  await vi.waitFor(() => expect(ids.map(isThere)).toEqual([false, false]), 10_000);
});

/**
 * `npm run histories`: plays many random histories of one machine, of each kind, until one breaks a law. Ends as vitest does: with 0 where none did, with
 * 1 where one did, which is printed with its seed; with 2 where it was asked wrongly.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { countOption, playAsked, readOptions } from './options/read-options.ts';

const usage = `Usage: npm run histories -- [--count N] [--seed S]

Plays random histories of one machine, of the prober's and then of the weeder's.

  --count N  of each kind (default 3000, and 100000 of the weeder's, or what $HISTORIES says)
  --seed S   those that belong to this number, or new ones with "new" (the default, or what $HISTORIES_SEED says)
`;

/** By how many there are of them usually. */
const files = [
  [3_000, ['histories.test.ts', 'histories-two-paths.test.ts']],
  [100_000, ['weeder-histories.test.ts']],
] as const;

const { HISTORIES, HISTORIES_SEED = 'new' } = process.env;
const asked = readOptions(
  process.argv.slice(2),
  { count: { type: 'string' }, seed: { type: 'string', default: HISTORIES_SEED } },
  ({ count = HISTORIES, seed }) => ({
    count: count === undefined ? undefined : countOption('count', count, 1),
    seed: seed === 'new' ? seed : String(countOption('seed', seed, -Infinity)),
  }),
);

await playAsked(asked, usage, async ({ count, seed }) => {
  const root = join(import.meta.dirname, '../..');
  for (const [usual, names] of files) {
    const tests = names.map((name) => join('test/model', name));
    const env = { ...process.env, HISTORIES: String(count ?? usual), HISTORIES_SEED: seed };
    const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=0', ...tests];
    const { status } = spawnSync(process.execPath, vitest, { cwd: root, env, stdio: 'inherit' });
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    return;
  }
});

/**
 * `npm run check`: format, types, lint, dead code and the fast tests. The tests have a lane of their own, since they take as long as all others
 * together; `--no-tests` leaves them out, for those who run all tests anyway, and the name of one step plays that one alone. Ends with 1 where
 * anything failed, and says what. `npm run check -- rules|commands|contracts|gardenlet` looks at the rules, the commands of
 * the pages, the contracts, or what gardenlet deploys.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { inLanes } from './check/in-lanes.ts';
import { runShell } from './check/run-shell.ts';
import { runOneOf } from '@dwd/lab/options/run-one-of.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

const root = join(import.meta.dirname, '..');
const fastTests = [
  ...['tidy', 'said-once', 'rules', 'links', 'hack/lock'].map((name) => `test/${name}.test.ts`),
  'packages/lab/test/mutants.test.ts',
  'packages/inspector/test/model/chart.test.ts',
  'test/domain',
  // The walk takes longer than all others together; `npm test` plays it.
  ...globSync('test/model/**/*.test.ts', { cwd: root }).filter((path) => !path.endsWith('/walk.test.ts')),
];
const steps: Readonly<Record<string, string>> = {
  tests: `vitest run ${fastTests.join(' ')}`,
  format: 'oxfmt --check',
  types: 'tsc && tsc -p packages/inspector/page',
  lint: 'oxlint --type-aware',
  dead: 'knip',
};
const say = (text: string): void => void process.stdout.write(text);
const looks = Object.keys(steps).filter((step) => step !== 'tests');

helpOfHeader('check -- [--no-tests | STEP | rules|commands|contracts|gardenlet …]', import.meta.filename);
await runOneOf(
  'check',
  {
    ...Object.fromEntries(Object.keys(steps).map((step) => [step, () => check([[step]])])),
    rules: () => import('./rules.ts'),
    commands: () => import('./commands.ts'),
    contracts: () => import('@dwd/lab/contract-table.ts'),
    gardenlet: () => import('@dwd/lab/gardenlet.ts'),
  },
  () => check(process.argv.includes('--no-tests') ? [looks] : [['tests'], looks]),
);

async function check(lanes: readonly (readonly string[])[]): Promise<void> {
  const begin = performance.now();
  const failed = await inLanes(lanes, { run: (step) => runShell(root, steps[step] ?? ''), say });
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  say(failed.length === 0 ? `check passed, ${seconds} s\n` : `check failed: ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

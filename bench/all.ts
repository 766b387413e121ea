// Every bench, one after the other; some eight minutes. `npm run bench`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

const benches: readonly (readonly string[])[] = [
  ['probe-cost.ts'],
  ['scrape.ts'],
  ['simulated-time.ts'],
  ['start.ts'],
  ['outage.ts', '--shoots', '100'],
  ['outage.ts', '--shoots', '500'],
  ['steady.ts'],
  ['weeding.ts'],
  ['weeding-all.ts'],
  ['weeding-rest.ts'],
];

for (const [file = '', ...args] of benches) {
  process.stdout.write(`\n${['node', `bench/${file}`, ...args].join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

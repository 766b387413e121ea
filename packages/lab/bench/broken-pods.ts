/**
 * What a namespace full of broken pods costs the event loop, on which all others wait: the longest turn of its machine, and all
 * of them. Aim: no turn longer than 10 ms at 1,500 pods.
 *
 *     node packages/lab/bench/broken-pods.ts [--pods 1500]
 */
import { performance } from 'node:perf_hooks';
import { WeederDriver } from '@dwd/testing/weeder-driver.ts';
import { flags } from './support/flags.ts';

const { pods } = flags({ pods: 1_500 });
const names = Array.from({ length: pods }, (_, index) => `pod-${index}`);
const driver = new WeederDriver();
driver.down();
driver.up();

let longest = 0;
const began = performance.now();
for (const name of names) takes(() => driver.pod(name));
for (const name of names) takes(() => driver.answers(name, { outcome: 'deleted' }));
const all = performance.now() - began;
if (driver.deletions.size !== names.length) throw new Error(`${driver.deletions.size} of ${names.length} were deleted`);
process.stdout.write(
  `${names.length} broken pods of one namespace: ${all.toFixed(0)} ms for all turns, ${longest.toFixed(1)} ms for the longest (aim: 10)\n`,
);

function takes(turn: () => unknown): void {
  const from = performance.now();
  turn();
  longest = Math.max(longest, performance.now() - from);
}

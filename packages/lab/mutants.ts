/**
 * `npm run mutants`: plays the slips of packages/lab/mutants, one after the other, each in a copy of the checkout, and says which of them no
 * test sees. Ends with 0 where what lives is explained, and at least 95 of 100 are seen where all were played; with 1 where not, or
 * where a slip no longer fits or a test fails without any; with 2 where it was asked wrongly.
 */
import { join } from 'node:path';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { misfitsAmong } from './mutants/misfits.ts';
import { readMutantsOptions, usage, type MutantsOptions } from './mutants/mutants-options.ts';
import { playSlips } from './mutants/play.ts';
import { playAsked } from './options/read-options.ts';
import { runTests } from './mutants/run-tests.ts';
import { scratchOf } from './mutants/scratch.ts';
import { allSlips, type PlacedSlip } from './mutants/slips.ts';
import { sumUp } from './mutants/sum.ts';

const root = join(import.meta.dirname, '../..');
await playAsked(readMutantsOptions(process.argv.slice(2)), usage, async (options) => {
  process.exitCode = (await play(options)) ? 0 : 1;
});

async function play({ sample, seed, only, jobs, baseline }: MutantsOptions): Promise<boolean> {
  const wanted = allSlips.filter(({ room, slip }) => `${room} ${slip.file} ${slip.says}`.includes(only));
  const slips = sample === undefined ? wanted : pick(wanted, sample, seed);
  const misfits = misfitsAmong(
    root,
    slips.map(({ slip }) => slip),
  );
  for (const misfit of misfits) print(misfit);
  if (misfits.length > 0) return false;
  print(`${slips.length} of ${allSlips.length} slips${sample === undefined ? '' : `, picked by --seed ${seed}`}`);

  if (baseline) {
    const tests = [...new Set(slips.flatMap(({ slip }) => slip.tests))];
    const { outcome, said } = await runTests(scratchOf(root), tests);
    if (outcome !== 'passed') {
      print(`${said}\nwithout any slip the tests do not pass: nothing can be told`);
      return false;
    }
    print(`without any slip all ${tests.length} files of tests pass`);
  }
  const played = await playSlips(root, slips, {
    jobs,
    onPlayed: ({ room, slip, fate, tookMs }) =>
      print(`${fate.padEnd(5)} ${(tookMs / 1_000).toFixed(1).padStart(6)} s  ${room.padEnd(12)}${slip.says}`),
  });
  const { lines, isGood } = sumUp(played, slips.length === allSlips.length);
  print(['', ...lines].join('\n'));
  return isGood;
}

/** So many of them, the same for the same number. */
function pick(slips: readonly PlacedSlip[], count: number, seed: number): readonly PlacedSlip[] {
  const chance = seededChance(seed);
  const left = [...slips];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [one] = left.splice(Math.floor(chance() * left.length), 1);
    return one;
  }).filter((one) => one !== undefined);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

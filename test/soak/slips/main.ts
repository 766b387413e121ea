/**
 * `npm run soak -- slips`: plays the slips of `slips.ts`, and says by which law each was found, and how long that took. Ends with 0 where
 * each is found or explained; with 1 where not; with 2 where it was asked wrongly.
 */
import { join } from 'node:path';
import process from 'node:process';
import { readSoakSlipsOptions, usage, type SoakSlipsOptions } from './options.ts';
import { playSoakSlips } from './play-soak-slips.ts';
import { soakSlips } from './slips.ts';
import { sumUp } from './sum-up.ts';

const options = readSoakSlipsOptions(process.argv.slice(2));
if (options === 'help') print(usage);
else if ('wrong' in options) {
  process.stderr.write(`${options.wrong}\n`);
  process.exitCode = 2;
} else process.exitCode = (await play(options)) ? 0 : 1;

async function play({ only, begin, count, seconds, from, jobs }: SoakSlipsOptions): Promise<boolean> {
  const slips = soakSlips
    .filter(({ room, slip }) => `${room} ${slip.file} ${slip.says}`.includes(only))
    .slice(begin, begin + count);
  print(`${slips.length} of ${soakSlips.length} slips, each for ${seconds} s at most`);
  const played = await playSoakSlips(join(import.meta.dirname, '../../..'), slips, {
    jobs,
    seconds,
    from,
    onPlayed({ room, slip, found, tookMs }) {
      const how = found === undefined ? '' : `\n        life ${found.number}: ${found.law}: ${found.why}`;
      const took = `${(tookMs / 1_000).toFixed(1).padStart(6)} s`;
      print(`${found === undefined ? 'lives' : 'found'} ${took}  ${room.padEnd(12)}${slip.says}${how}`);
    },
  });
  const { lines, isGood } = sumUp(played);
  print(['', ...lines].join('\n'));
  return isGood;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

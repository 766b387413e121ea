/**
 * `npm run soak -- slips`: plays the slips of `slips.ts`, and says by which law each was found, and how long that took. Ends with 0 where
 * each is found or explained; with 1 where not; with 2 where it was asked wrongly.
 */
import { join } from 'node:path';
import process from 'node:process';
import { countOption, playAsked, readOptions } from '../../options/read-options.ts';
import { playSoakSlips, sumUp } from './play.ts';
import { soakSlips } from './slips.ts';

type SoakSlipsOptions = Readonly<{
  only: string;
  seconds: number;
  from: number;
  begin: number;
  count: number;
  jobs: number;
}>;

const usage = `Usage: npm run soak -- slips [--seconds S] [--only TEXT] [--begin N] [--count N] [--from NUMBER] [--jobs J]

Puts one mistake after the other into a copy of the checkout, and plays simulated seeds until a law breaks.

  --seconds S    of soak for each slip (default 300)
  --only TEXT    only those with TEXT in their room, file or words
  --begin N      leaves out the first N of the list
  --count N      plays N of the list
  --from NUMBER  the number of the first seed (default 1)
  --jobs J       how many at a time, each in its own copy (default 1)
`;

const asked = readOptions(
  process.argv.slice(2),
  {
    seconds: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    begin: { type: 'string', default: '0' },
    count: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
  },
  (values): SoakSlipsOptions => ({
    only: values.only,
    seconds: countOption('seconds', values.seconds, 1),
    begin: countOption('begin', values.begin, 0),
    count: countOption('count', values.count, 1),
    from: countOption('from', values.from, 1),
    jobs: countOption('jobs', values.jobs, 1),
  }),
);
await playAsked(asked, `${usage}\n`, async (options) => {
  process.exitCode = (await play(options)) ? 0 : 1;
});

async function play({ only, begin, count, seconds, from, jobs }: SoakSlipsOptions): Promise<boolean> {
  const slips = soakSlips
    .filter(({ room, slip }) => `${room} ${slip.file} ${slip.says}`.includes(only))
    .slice(begin, begin + count);
  print(`${slips.length} of ${soakSlips.length} slips, each for ${seconds} s at most`);
  const played = await playSoakSlips(join(import.meta.dirname, '../../../..'), slips, {
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

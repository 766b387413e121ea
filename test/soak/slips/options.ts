import { parseArgs } from 'node:util';
import { countOption } from '../../../hack/options/read-options.ts';

export type SoakSlipsOptions = Readonly<{
  only: string;
  seconds: number;
  from: number;
  begin: number;
  count: number;
  jobs: number;
}>;

export const usage = `Usage: npm run soak -- slips [--seconds S] [--only TEXT] [--begin N] [--count N] [--from NUMBER] [--jobs J]

Puts one mistake after the other into a copy of the checkout, and lives simulated seeds until a law breaks.

  --seconds S    of soak for each slip; 300 unless told
  --only TEXT    those in whose room, file or words it stands
  --begin N      leaves out so many at the beginning of the list
  --count N      so many of the list
  --from NUMBER  the first life's number; 1 unless told
  --jobs J       how many at a time, each in a copy of its own; 1 unless told
`;

/** The options, or a sentence that says what is wrong with them. */
export function readSoakSlipsOptions(args: readonly string[]): SoakSlipsOptions | 'help' | Readonly<{ wrong: string }> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seconds: { type: 'string', default: '300' },
        only: { type: 'string', default: '' },
        begin: { type: 'string', default: '0' },
        count: { type: 'string', default: '1000' },
        from: { type: 'string', default: '1' },
        jobs: { type: 'string', default: '1' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    return {
      only: values.only,
      seconds: countOption('seconds', values.seconds, 1),
      begin: countOption('begin', values.begin, 0),
      count: countOption('count', values.count, 1),
      from: countOption('from', values.from, 1),
      jobs: countOption('jobs', values.jobs, 1),
    };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

import { countOption, readOptions, type Asked } from '../options/read-options.ts';

export type MutantsOptions = Readonly<{
  /** So many of the list, picked by `seed`; all of it where absent. */
  sample: number | undefined;
  seed: number;
  /** Only slips in whose room, file or words this stands. */
  only: string;
  jobs: number;
  /** Whether the tests are first seen to pass without any slip. */
  baseline: boolean;
}>;

export const usage = `Usage: npm run mutants -- [--sample N] [--seed S] [--only TEXT] [--jobs J] [--no-baseline]

Copies the checkout, puts one mistake (a slip) after the other into the copy, and says which of them no test sees.

  --sample N     plays N of the list, picked by --seed
  --seed S       the number by which they are picked; each run prints its own
  --only TEXT    only those with TEXT in their room, file or words
  --jobs J       how many at a time, each in its own copy (default 1)
  --no-baseline  does not check first that the tests pass without a slip
`;

/** The options, or a sentence that says what is wrong with them. */
export function readMutantsOptions(args: readonly string[]): Asked<MutantsOptions> {
  return readOptions(
    args,
    {
      sample: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      only: { type: 'string', default: '' },
      jobs: { type: 'string', default: '1' },
      baseline: { type: 'boolean', default: true },
    },
    (values) => ({
      sample: values.sample === undefined ? undefined : countOption('sample', values.sample, 1),
      seed: countOption('seed', values.seed, 0),
      only: values.only,
      jobs: countOption('jobs', values.jobs, 1),
      baseline: values.baseline,
    }),
  );
}

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export type SoakOptions = Readonly<{
  /** The first number. */
  first: number;
  /** How many numbers at most, one after the other. */
  lives: number;
  minutes: number;
  workers: number;
  /** Whether it is counted which lines of the program are reached. */
  coverage: boolean;
  /** One number alone is told in sentences. */
  story: boolean;
  /** Where the journals of a broken law go. */
  out: string;
}>;

export const usage = `Usage: npm run soak -- [--minutes N] [--lives N] [--first N] [--workers N] [--coverage] [--out DIR]
       npm run soak -- --seed N [--story]

Plays whole seeds in virtual time, with every fault, until a law breaks or the time is up. Each number is one life of a seed, the
same on any machine. Without --first, the first number is chosen at random, so each run plays lives that nobody has seen.

  --minutes N   how long (default: 5, or as long as --lives takes)
  --lives N     at most N numbers
  --first N     the first number
  --seed N      only this number
  --story       tells it in sentences
  --workers N   threads (default: one for each core)
  --coverage    counts which lines of streams, scaler, election and machines are reached, which takes half as long again
  --out DIR     where story, plan and journals of a broken law go (default: soak-NUMBER)
`;

/** Throws an Error whose message names the flag. */
export function readSoakOptions(args: readonly string[], draw: () => number): SoakOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      lives: { type: 'string' },
      first: { type: 'string' },
      seed: { type: 'string' },
      workers: { type: 'string' },
      story: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
      out: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const number = (
    name: 'minutes' | 'lives' | 'first' | 'seed' | 'workers',
    least: number,
    otherwise: number,
  ): number => {
    const text = values[name];
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (text === '' || !Number.isFinite(value) || value < least || (name !== 'minutes' && !Number.isInteger(value)))
      throw new Error(`--${name} is a number from ${least} on, not '${text}'`);
    return value;
  };
  const { story, coverage, out } = values;
  if (values.seed !== undefined)
    return { first: number('seed', 0, 0), lives: 1, minutes: Infinity, workers: 1, coverage, story, out };
  if (story) throw new Error('--story needs --seed: it tells one life');
  return {
    first: number('first', 0, draw()),
    lives: number('lives', 1, Infinity),
    minutes: number('minutes', 0, values.lives === undefined ? 5 : Infinity),
    workers: number('workers', 1, availableParallelism()),
    coverage,
    story,
    out,
  };
}

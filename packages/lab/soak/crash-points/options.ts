import { countOption, readOptions, type Asked } from '../../options/read-options.ts';
import { modes, type Mode } from './play.ts';

export type CrashPointsOptions = Readonly<{
  only: string;
  modes: readonly Mode[];
  every: number;
  from: number;
  workers: number;
}>;

export const usage = `Usage: npm run soak -- crash-points [--only TEXT] [--modes crash,pause,pair] [--every N] [--from K] [--workers W]

Plays each flow once for each of its points: before each request, when it was sent, before its answer is known, after it, and before each
piece of a watch. At that point the process crashes, or is paused for a minute while its standby takes over. The end must be the same as without it.

  --only TEXT   only flows with TEXT in their name
  --modes LIST  crash, pause, pair (default all). A pair is a crash, and a second one at each point of the recovery, for two small flows
  --every N     every Nth point (default 1: all of them)
  --from K      the first of these points (default 0)
  --workers W   threads (default: one for each core)
`;

/** The options, or a sentence that says what is wrong with them. */
export function readCrashPointsOptions(args: readonly string[], cores: number): Asked<CrashPointsOptions> {
  return readOptions(
    args,
    {
      only: { type: 'string', default: '' },
      modes: { type: 'string', default: modes.join(',') },
      every: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      workers: { type: 'string', default: String(cores) },
    },
    (values) => {
      const wanted = values.modes.split(',');
      const unknown = wanted.find((one) => !modes.some((mode) => mode === one));
      if (unknown !== undefined) throw new Error(`--modes knows ${modes.join(', ')}; found ${JSON.stringify(unknown)}`);
      return {
        only: values.only,
        modes: modes.filter((mode) => wanted.includes(mode)),
        every: countOption('every', values.every, 1),
        from: countOption('from', values.from, 0),
        workers: countOption('workers', values.workers, 1),
      };
    },
  );
}

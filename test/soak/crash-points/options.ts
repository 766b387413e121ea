import { countOption, readOptions, type Asked } from '../../../hack/options/read-options.ts';
import { modes, type Mode } from './play.ts';

export type CrashPointsOptions = Readonly<{
  only: string;
  modes: readonly Mode[];
  every: number;
  from: number;
  workers: number;
}>;

export const usage = `Usage: npm run soak -- crash-points [--only TEXT] [--modes crash,pause,pair] [--every N] [--from K] [--workers W]

Lives each flow once for each of its points: before each request, when it was sent, before its answer is known, after it, and before each
piece of a watch. There the process crashes, or stands still for a minute while its standby takes over. Every end must be as without it.

  --only TEXT   flows in whose name it stands
  --modes LIST  crash, pause, pair; all three unless told. A pair is a crash, and one more at each point of the recovery: of two small flows
  --every N     every so-many-th point; 1 unless told, which leaves none out
  --from K      the first of these points; 0 unless told
  --workers W   threads; as many as there are cores unless told
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

import { countOption, readOptions, type Asked } from '../options/read-options.ts';
import { join } from 'node:path';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { pathFault } from '../options/path-fault-option.ts';

export type PathsOptions = Readonly<{
  configFile: string;
  nodes: number;
  fault: PathFault;
  /** In seconds. */
  internalFor: number;
  keep: string | undefined;
}>;

export const usage = `Usage: npm run real -- paths [--config-file FILE] [--nodes 3] [--fault refuse] [--internal-for 120] [--keep DIR]

Lets the external path of a real shoot break and heal, then the internal one, and prints what is scaled when.

  --config-file FILE  the prober's configuration, of the older generation; else the sample of its design
  --nodes             of the shoot
  --fault KIND        how a path breaks: refuse, cut, hang (half open), reset (after the handshake) or slow
  --internal-for      for how many seconds the internal path is broken
  --keep DIR          keeps everything there: the logs of all processes, and the prober's journal
`;

/** As the redesign of the Go watchdog shows it. */
const sample = join(import.meta.dirname, '../../../test/support/redesign-config.yaml');

/** The options, or a sentence that says what is wrong with them. */
export function readPathsOptions(args: readonly string[]): Asked<PathsOptions> {
  return readOptions(
    args,
    {
      'config-file': { type: 'string', default: sample },
      nodes: { type: 'string', default: '3' },
      fault: { type: 'string', default: 'refuse' },
      'internal-for': { type: 'string', default: '120' },
      keep: { type: 'string' },
    },
    (values) => ({
      configFile: values['config-file'],
      nodes: countOption('nodes', values.nodes, 1),
      fault: pathFault(values.fault),
      internalFor: countOption('internal-for', values['internal-for'], 1),
      keep: values.keep,
    }),
  );
}

import { parseArgs } from 'node:util';
import { countOption } from '../options/count-option.ts';

export const usage = `Usage: npm run real -- weeding [--namespaces 5] [--recoveries 3]

Lets etcd fail and come back under real controllers, and looks at what the weeder restarts.

  --namespaces  control planes, each in a namespace of its own
  --recoveries  how often all of them fail and come back
`;

export type WeedingOptions = Readonly<{ namespaces: number; recoveries: number }>;

/** The options, or a sentence that says what is wrong with them. */
export function readWeedingOptions(args: readonly string[]): WeedingOptions | 'help' | Readonly<{ wrong: string }> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        namespaces: { type: 'string', default: '5' },
        recoveries: { type: 'string', default: '3' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    return {
      namespaces: countOption('namespaces', values.namespaces, 1),
      recoveries: countOption('recoveries', values.recoveries, 1),
    };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

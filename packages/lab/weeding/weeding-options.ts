import { countOption, readOptions, type Asked } from '../options/read-options.ts';

export const usage = `Usage: npm run real -- weeding [--namespaces 5] [--recoveries 3]

Lets etcd fail and come back under real controllers, and looks at what the weeder restarts.

  --namespaces  control planes, each in a namespace of its own
  --recoveries  how often all of them fail and come back
`;

export type WeedingOptions = Readonly<{ namespaces: number; recoveries: number }>;

/** The options, or a sentence that says what is wrong with them. */
export function readWeedingOptions(args: readonly string[]): Asked<WeedingOptions> {
  return readOptions(
    args,
    {
      namespaces: { type: 'string', default: '5' },
      recoveries: { type: 'string', default: '3' },
    },
    (values) => ({
      namespaces: countOption('namespaces', values.namespaces, 1),
      recoveries: countOption('recoveries', values.recoveries, 1),
    }),
  );
}

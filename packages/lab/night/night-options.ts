import { countOption, readOptions, type Asked } from '../options/read-options.ts';

export type NightOptions = Readonly<{
  /** In ms. */
  length: number;
  shoots: number;
  nodes: number;
  /** Of the troubles. */
  seed: number;
  keep: string | undefined;
}>;

export const usage = `Usage: npm run night -- [--minutes 60] [--shoots 3] [--nodes 4] [--seed N] [--keep DIR]

Random troubles without end before two probers on real API servers and kube-controller-managers: gateways that break, API servers, etcd,
kubelets and leaders that are killed, stopped and continued, a restored snapshot, rotated Secrets, shoots that are hibernated, rolled,
deleted and made again, people who scale by hand. At the end the laws are judged by the API servers' audit logs and objects.
Ends with 0 if none was broken, with 1 if one was, and with 2 if the night could not be played.

  --minutes   how long troubles strike; then up to four minutes until all is as it should be
  --shoots    each needs 400 MB
  --nodes     how many each shoot has
  --seed      the number from which the troubles are drawn; each run prints its own
  --keep DIR  keeps everything there, as a broken law does anyway: the logs and audit logs of all processes, the probers' journals, and what struck (struck.json)
`;

/** The options, or a sentence that says what is wrong with them. */
export function readNightOptions(args: readonly string[]): Asked<NightOptions> {
  return readOptions(
    args,
    {
      minutes: { type: 'string', default: '60' },
      shoots: { type: 'string', default: '3' },
      nodes: { type: 'string', default: '4' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      keep: { type: 'string' },
    },
    ({ minutes, shoots, nodes, seed, keep }) => ({
      length: 60_000 * countOption('minutes', minutes, 1),
      shoots: countOption('shoots', shoots, 1),
      // One that is stopped must not be enough to make a shoot look cut off.
      nodes: countOption('nodes', nodes, 3),
      seed: countOption('seed', seed, 0),
      keep,
    }),
  );
}

import { wrongCommandLine, type Refusal } from 'dependency-watchdog/commands/command.ts';
import { boolFlag, choiceFlag, floatFlag, intFlag, stringFlag } from 'dependency-watchdog/commands/flag.ts';
import { dashed, flagSet } from 'dependency-watchdog/commands/go-flags.ts';

/** The flags of `simulate`. */
export type SimulateFlags = Readonly<{
  /** Absent: the usual one, a network outage. */
  story: 'etcd-outage' | undefined;
  /** Absent: Gardener's own configuration. */
  configFile: string | undefined;
  shoots: number;
  /** In each shoot; the network outage's alone. */
  nodes: number;
  /** Absent: so fast that the story takes less than a minute. */
  speed: number | undefined;
  /** Absent: drawn anew. */
  seed: number | undefined;
  keep: boolean;
  json: boolean;
  journalDir: string | undefined;
  /** Every flag that was given, except the seed, as it is written in a shell: `--shoots=2`. */
  given: readonly string[];
}>;

/**
 * Each shoot is an API server of its own, in the one process in which the prober runs too. With more of them, cut off at
 * once while the clock runs several times too fast, the figures would show only how slow two cores are.
 */
const mostShoots = 100;

/** One lease alone never counts as an outage (SPEC 5.3), so nothing would happen. */
const leastNodes = 2;
const mostNodes = 500;

/** Each node is a kubelet that renews a lease every 10 s, and some 2 KB of an answer for which every shoot is asked at once. */
const mostNodesInAll = 2_000;

/** Beyond it one millisecond of this machine would count as a tenth of a second. */
const greatestSpeed = 100;

const declared = {
  story: choiceFlag({
    choices: ['network-outage', 'etcd-outage'],
    default: 'network-outage',
    help: 'a gateway fails, and the prober protects the shoots; or etcd fails, and the weeder restarts what crash-loops for it',
  }),
  configFile: stringFlag({
    placeholder: 'FILE',
    help: "the prober's configuration, for etcd-outage the weeder's; else the one that Gardener deploys",
  }),
  shoots: intFlag({ default: 5, least: 1, most: mostShoots, help: `shoots in the seed, at most ${mostShoots}` }),
  nodes: intFlag({
    default: 5,
    least: leastNodes,
    most: mostNodes,
    help: `nodes in each shoot, ${leastNodes} to ${mostNodes}, and no more than ${mostNodesInAll} in all; not for etcd-outage`,
  }),
  speed: floatFlag({
    least: 0.1,
    most: greatestSpeed,
    help: `how much faster than real time the clock runs, at most ${greatestSpeed}; else so fast that the story takes less than a minute; a prober of your own on this seed needs 1`,
  }),
  seed: intFlag({
    least: 0,
    most: 2 ** 32 - 1,
    help: 'the number of the draw, which repeats the same replicas, phases and jitter, and not the time that this machine takes; else a new one, which is printed',
  }),
  keep: boolFlag({
    help: 'leave seed and watchdog running after the story; another outage begins with the key o, or with the signal SIGUSR2',
  }),
  inspect: boolFlag({
    help: "the same as --keep, to look at what happened in the inspector's page, whose link is printed in any case",
  }),
  json: boolFlag({
    help: 'a line of JSON for each thing that happens; the first one names the kubeconfig and the addresses of metrics, health, journal and inspector',
  }),
  journalDir: stringFlag({ placeholder: 'DIR', help: "where the watchdog's journal is written, for replay" }),
};

export const simulateFlagSet = flagSet('simulate', declared);

/** Reads the command line of `simulate`. */
export function readSimulateFlags(args: readonly string[]): Readonly<{ ok: true; flags: SimulateFlags }> | Refusal {
  const parsed = simulateFlagSet.parse(args);
  if (!parsed.ok) return parsed;
  const { values, given } = parsed;
  const { inspect, ...rest } = values;
  const { story, shoots, nodes, keep } = rest;
  if (story === 'etcd-outage' && given.has('nodes')) {
    return wrongCommandLine(
      'simulate',
      '--nodes says nothing to --story=etcd-outage, whose control planes have no nodes; leave it out',
    );
  }
  if (shoots * nodes > mostNodesInAll) {
    const asked = `--shoots=${shoots} with --nodes=${nodes} makes ${shoots * nodes} nodes`;
    return wrongCommandLine('simulate', `${asked}; this process can play at most ${mostNodesInAll}`);
  }
  return {
    ok: true,
    flags: {
      ...rest,
      keep: keep || inspect,
      story: story === 'etcd-outage' ? story : undefined,
      configFile: values.configFile || undefined,
      journalDir: values.journalDir || undefined,
      given: [...given].filter((key) => key !== 'seed').map((key) => asWritten(key, values[key])),
    },
  };
}

function asWritten(key: string, value: unknown): string {
  if (value === true) return `--${dashed(key)}`;
  const text = String(value);
  const quoted = /^[\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `--${dashed(key)}=${quoted}`;
}

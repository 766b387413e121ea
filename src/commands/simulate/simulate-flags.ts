import { wrongCommandLine, type Refusal } from '../command.ts';
import { boolFlag, floatFlag, intFlag, stringFlag, type Flag } from '../flag.ts';
import { flagSet } from '../go-flags.ts';

/** What `simulate` was told to do. */
export type SimulateFlags = Readonly<{
  /** Absent: Gardener's own configuration. */
  configFile?: string;
  shoots: number;
  /** In each shoot. */
  nodes: number;
  /** Absent: fast enough for the story to fit. */
  speed?: number;
  /** Absent: drawn anew. */
  seed?: number;
  keep: boolean;
  json: boolean;
  journalDir?: string;
}>;

/** Each shoot is an API server of its own in this process; a seed of Gardener's has about as many. */
const mostShoots = 250;

/** One lease alone never tells an outage (SPEC 5.3), so there would be nothing to see. */
const leastNodes = 2;
const mostNodes = 500;

/** Each node is a kubelet that renews a lease every 10 s of a clock that may run many times too fast. */
const mostNodesInAll = 5_000;

/** Beyond it one millisecond of this machine would count as a tenth of a second. */
const greatestSpeed = 100;

const declared = {
  configFile: stringFlag({ placeholder: 'FILE', help: "a prober's configuration; else the one that Gardener deploys" }),
  shoots: intFlag({ default: 5, least: 1, most: mostShoots, help: `shoots in the seed, at most ${mostShoots}` }),
  nodes: intFlag({
    default: 5,
    least: leastNodes,
    most: mostNodes,
    help: `nodes in each shoot, ${leastNodes} to ${mostNodes}, and no more than ${mostNodesInAll} in all`,
  }),
  speed: withoutDefault(
    floatFlag({
      default: 0,
      least: 0.1,
      most: greatestSpeed,
      help: `how much faster than real time the clock runs, at most ${greatestSpeed}; else so fast that the story takes less than a minute`,
    }),
  ),
  seed: withoutDefault(
    intFlag({
      default: 0,
      least: 0,
      most: 2 ** 32 - 1,
      help: 'the seed number of all chance, to see the same story again; else a new one, which is printed',
    }),
  ),
  keep: boolFlag({ help: 'leave seed and prober running after the story, and write a kubeconfig for kubectl' }),
  json: boolFlag({ help: 'a line of JSON for each thing that happens, and one for the summary' }),
  journalDir: stringFlag({ placeholder: 'DIR', help: "where the prober's journal is written, for replay" }),
};

/** Reads the command line of `simulate`. */
export function readSimulateFlags(args: readonly string[]): Readonly<{ ok: true; flags: SimulateFlags }> | Refusal {
  const parsed = flagSet('simulate', declared).parse(args);
  if (!parsed.ok) return parsed;
  const { configFile, shoots, nodes, speed, seed, keep, json, journalDir } = parsed.values;
  if (shoots * nodes > mostNodesInAll) {
    const asked = `--shoots=${shoots} of --nodes=${nodes} are ${shoots * nodes} nodes`;
    return wrongCommandLine('simulate', `${asked}, more than the ${mostNodesInAll} that one process can play`);
  }
  return {
    ok: true,
    flags: {
      ...(configFile ? { configFile } : {}),
      shoots,
      nodes,
      ...(parsed.given.has('speed') ? { speed } : {}),
      ...(parsed.given.has('seed') ? { seed } : {}),
      keep,
      json,
      ...(journalDir ? { journalDir } : {}),
    },
  };
}

/** A flag whose default is no fixed value: the help tells it in words. */
function withoutDefault<Value>({ shownDefault: _unused, ...flag }: Flag<Value>): Flag<Value> {
  return flag;
}

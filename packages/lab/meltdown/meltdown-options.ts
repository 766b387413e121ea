import { countOption, oneOfOption, readOptions, type Asked } from '../options/read-options.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { pathFault, pathFaults } from '../options/path-fault-option.ts';
import { configuredBy, configuredOptions, type Configured } from './place.ts';

const inTurn = [pathFaults.refuse, pathFaults.cut, pathFaults.hang, pathFaults.reset] as const;

const kubelets = ['played', 'hollow'] as const;
const machines = ['played', 'real'] as const;

export type MeltdownOptions = Readonly<{
  configured: Configured;
  /** One after the other. */
  faults: readonly [PathFault, ...PathFault[]];
  /** Watched ones, and as many unwatched. */
  shoots: number;
  nodes: number;
  outages: number;
  /** Of the phases: when each kubelet renews, and when each shoot is cut off. */
  seed: number;
  /** By how much the kubelets' clocks are ahead of the time, in ms; below 0: behind. */
  kubeletsAhead: number;
  /** `hollow`: real ones, without machines. */
  kubelets: (typeof kubelets)[number];
  /** `real`: a machine-controller-manager makes and replaces them. */
  machines: (typeof machines)[number];
  /** In place of outages of the nodes, silences of the shoots' API servers. */
  silences: boolean;
  json: boolean;
  /** Where logs and journal stay. Absent: they are deleted at the end. */
  keep: string | undefined;
  /** Where the prober's journal and log stay, if they stay. */
  journalDir: string | undefined;
  logDir: string | undefined;
}>;

export const usage = `Usage: npm run meltdown -- [--outages 5] [--shoots 5] [--nodes 5] [--seed N] [--generation leases|two-paths | --config-file FILE] [--fault KIND] [--kubelets played|hollow] [--machines played|real] [--kubelets-ahead S] [--silences] [--json] [--journal-dir DIR] [--log-dir DIR] [--keep DIR]

Cuts off the nodes of shoots with real API servers and kube-controller-managers, at real timings and random moments. Each shoot that the
watchdog watches has a twin that it does not watch.

  --outages   how many for each kind of shoot; all shoots are cut off at once
  --shoots    how many are watched; as many are unwatched. Each needs 400 MB
  --nodes     how many each shoot has
  --generation two-paths  the older configuration: shoots are judged by two paths to their API server, not by leases
  --config-file FILE      the prober's configuration, old or new; else Gardener's
  --fault KIND            how the load balancer between kubelets and API server fails: refuse, cut, hang (half open), reset (after the
                          handshake) or slow; else the first four in turn
  --kubelets hollow       the kubelets are real ones, of Kubernetes, without machines: 80 MB for each node. Twins do not renew at the same
                          instants then
  --machines real         each shoot has a real machine-controller-manager, which replaces Machines that are Unknown for half a minute, in
                          place of Gardener's ten minutes; so an outage takes a minute and a half longer
  --kubelets-ahead S      the played kubelets' clocks are S seconds ahead, or behind if S is below 0
  --silences              instead, API servers do not answer, and there are no twins. In turn, one is away for 90 s, after which nothing may
                          be scaled down; and the watchdog alone cannot reach one, while its nodes are cut off: once it can, all is scaled
                          down at once
  --seed      the number from which the moments are drawn; each run prints its own
  --json      a line of JSON for each outage, and one for the sum
  --journal-dir DIR  keeps the prober's journal there, for npm run -s replay -- DIR
  --log-dir DIR      keeps the prober's log there
  --keep DIR         keeps everything there: the logs of all processes, and the prober's journal
`;

/** The options, or a sentence that says what is wrong with them. */
export function readMeltdownOptions(args: readonly string[]): Asked<MeltdownOptions> {
  return readOptions(
    args,
    {
      shoots: { type: 'string', default: '5' },
      nodes: { type: 'string', default: '5' },
      outages: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      ...configuredOptions,
      fault: { type: 'string' },
      kubelets: { type: 'string', default: 'played' },
      machines: { type: 'string', default: 'played' },
      'kubelets-ahead': { type: 'string', default: '0' },
      silences: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      keep: { type: 'string' },
      'journal-dir': { type: 'string' },
      'log-dir': { type: 'string' },
    },
    (values) => {
      const { json, silences: silent, keep, 'journal-dir': journalDir, 'log-dir': logDir } = values;
      const [shoots, nodes, outages, seed] = [
        countOption('shoots', values.shoots, 1),
        // Of a single node the prober says nothing (SPEC 5.3).
        countOption('nodes', values.nodes, 2),
        countOption('outages', values.outages, 1),
        countOption('seed', values.seed, 0),
      ];
      if (silent && values.machines === 'real')
        throw new Error(
          '--silences and --machines=real do not go together: what is lost in an outage is not looked for in a silence',
        );
      return {
        configured: configuredBy(values),
        faults: values.fault === undefined ? inTurn : [pathFault(values.fault)],
        shoots: Math.min(shoots, outages),
        nodes,
        outages,
        seed,
        kubeletsAhead: 1_000 * countOption('kubelets-ahead', values['kubelets-ahead'], -Infinity),
        kubelets: oneOfOption('kubelets', values.kubelets, kubelets),
        machines: oneOfOption('machines', values.machines, machines),
        silences: silent,
        json,
        keep,
        journalDir,
        logDir,
      };
    },
  );
}

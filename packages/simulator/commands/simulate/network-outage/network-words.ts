import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { secretNames } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { calledAs } from 'dependency-watchdog/commands/build.ts';
import { goesOnLine, placeLines, type Places } from '../story/places.ts';
import { piece } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { storyScreen } from '../story/screen.ts';
import { beginningLines, runTitle } from '../story/story-run.ts';
import type { StoryWords } from '../story/story-output.ts';
import { phaseWords } from './network-events.ts';
import type { NetworkModel, NetworkOptions } from './network-model.ts';
import { shootTable, tableFrame } from './shoot-table.ts';

type NetworkSeen = Readonly<{
  model: () => NetworkModel;
  /** Of the shoot's oldest lease; undefined where it has none. */
  oldestRenewal: (shoot: ShootNamespace) => Instant | undefined;
}>;

/** The network outage, in words. */
export function networkWords(options: NetworkOptions, { model: current, oldestRenewal }: NetworkSeen): StoryWords {
  const { clock, config, shoots, nodes, keys, speed, seedNumber: seed } = options;
  return {
    begin: { seed, speed, shoots, nodes, config },
    beginning: beginningLines(options, `${counted(shoots, 'shoot')} of ${counted(nodes, 'node')}`),
    places: placeLines(
      options,
      'o begins another outage once this one is over, h heals it, q ends.',
      statusCommand(options.places),
    ),
    picture(timeline, size) {
      const [model, now] = [current(), clock.now()];
      const { startedAt, phase, twoPaths, twin } = model;
      const rows = [...model.rows.values()];
      const grace = config.kcmNodeMonitorGraceDuration;
      return storyScreen(
        {
          startedAt,
          now,
          title: runTitle(options),
          phase: piece(phaseWords(model), phase === 'outage' ? 'warning' : 'good'),
          tableFrame: tableFrame + (twin === null ? 0 : 1),
          table: (room, width) => shootTable({ rows, twin, nodes, width, room, now, grace, twoPaths, oldestRenewal }),
          timeline,
        },
        size,
      );
    },
    kept: {
      goesOn: goesOnLine('Seed and prober go on', keys),
      uses: usesOfSeed(options, [...current().rows.keys()][0] ?? ''),
    },
  };
}

/** Asks the simulated prober as one asks a real one. */
function statusCommand({ inspector }: Places): string {
  return `${calledAs() ?? 'dependency-watchdog'} status --prober ${new URL(inspector).host}`;
}

/** What can be done with a seed that stays up. */
function usesOfSeed({ config, places, speed }: NetworkOptions, firstShoot: ShootNamespace): readonly string[] {
  const [secret] = secretNames(config);
  return [
    'To look around, in another terminal:',
    `  export KUBECONFIG=${places.kubeconfig}`,
    '  kubectl get clusters.extensions.gardener.cloud',
    '  kubectl get deployments -A',
    `  ${statusCommand(places)}`,
    `  curl -s ${places.journal} | npx node src/main.ts replay -`,
    "and in a shoot, with the shoot's own kubeconfig:",
    `  kubectl get secret -n ${firstShoot} ${secret} \\`,
    "    -o 'go-template={{.data.kubeconfig | base64decode}}' > shoot.yaml",
    '  kubectl --kubeconfig=shoot.yaml get nodes',
    'To interfere while a shoot is cut off, and be named by the page and by status:',
    `  kubectl scale -n ${firstShoot} --replicas=1 \\`,
    '    deployment/kube-controller-manager',
    ...(speed === 1
      ? [
          'A prober of your own can watch this seed too, beside the simulated one:',
          '  npx node src/main.ts validate --example prober > prober.yaml',
          '  npx node src/main.ts prober --config-file prober.yaml',
        ]
      : [
          `A prober of your own needs a run with --speed=1. Here leases age ${speed} times as`,
          'fast as its clock runs: to it they come from the future.',
        ]),
  ];
}

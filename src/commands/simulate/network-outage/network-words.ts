import { counted } from '../../../adapters/words/plain-words.ts';
import { secretNames } from '../../../domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import { goesOnLine, placeLines } from '../story/places.ts';
import { piece, type PaintedLine, type ScreenSize } from '../../terminal/painted-line.ts';
import { storyScreen, type TimelineEntry } from '../story/screen.ts';
import { beginningLines, runTitle } from '../story/story-run.ts';
import type { StoryWords } from '../story/storyteller.ts';
import type { NetworkModel } from './network-model.ts';
import { networkSummaryLines } from './network-summary-lines.ts';
import type { NetworkSummary } from './network-summary.ts';
import { networkTimeline, phaseWords } from './network-timeline.ts';
import type { NetworkOptions } from './observation.ts';
import type { NetworkSeen } from './play-network-story.ts';
import { shootTable } from './shoot-table.ts';

/** The network outage, in words. */
export function networkWords(options: NetworkOptions): StoryWords<NetworkSeen, NetworkSummary> {
  const { clock, config, shoots, nodes, oldestRenewal } = options;
  const title = runTitle(options);
  const grace = config.kcmNodeMonitorGraceDuration;
  return {
    beginning: beginningLines(options, `${counted(shoots, 'shoot')} of ${counted(nodes, 'node')}`),
    places: placeLines(options, 'o begins another outage once this one is over, h heals it, q ends.'),
    entries: ({ before, seen, after }) => networkTimeline(before, seen, after),
    picture: ({ after: model }, timeline, size) =>
      screenLines({ model, timeline, now: clock.now(), title, grace, oldestRenewal }, size),
    summary: (summary) => networkSummaryLines(summary, options),
    kept: { goesOn: goesOnLine('Seed and prober go on', options.keys), uses: () => usesOfSeed(options) },
  };
}

/** What can be done with a seed that stays up. */
function usesOfSeed({ config, firstShoot, places, speed }: NetworkOptions): readonly string[] {
  const [secret] = secretNames(config);
  return [
    'To look around, in another terminal:',
    `  export KUBECONFIG=${places.kubeconfig}`,
    '  kubectl get clusters.extensions.gardener.cloud',
    '  kubectl get deployments -A',
    `  curl -s ${places.journal} | npx node src/main.ts replay -`,
    "and in a shoot, with the shoot's own kubeconfig:",
    `  kubectl get secret -n ${firstShoot} ${secret} \\`,
    "    -o 'go-template={{.data.kubeconfig | base64decode}}' > shoot.yaml",
    '  kubectl --kubeconfig=shoot.yaml get nodes',
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

export type ScreenView = Readonly<{
  model: NetworkModel;
  timeline: readonly TimelineEntry[];
  now: Instant;
  /** Shown after the time that has passed: `s simulated, clock ×3.8   --seed=7`. */
  title: string;
  grace: Millis;
  /** Of the shoot's oldest lease. */
  oldestRenewal: (shoot: ShootNamespace) => Instant | undefined;
}>;

/** The table's head and its two legends. */
const tableFrame = 3;

/** What the terminal shows at an instant: the shoots, and below them the latest events. */
export function screenLines(view: ScreenView, size: ScreenSize): readonly PaintedLine[] {
  const { model, timeline, now, title, grace, oldestRenewal } = view;
  const { twoPaths } = model;
  const rows = [...model.rows.values()];
  return storyScreen(
    {
      startedAt: model.startedAt,
      now,
      title,
      phase: piece(phaseWords(model), model.phase === 'outage' ? 'warning' : 'good'),
      tableFrame,
      table: (room, width) => shootTable({ rows, width, room, now, grace, twoPaths, oldestRenewal }),
      timeline,
    },
    size,
  );
}

import { counted } from '../../adapters/words/quantity-words.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant } from '../../domain/time.ts';
import type { NetworkOptions } from './network-options.ts';
import type { Seen } from './play-story.ts';
import { beginningLines, runTitle } from './run-words.ts';
import { screenLines } from './screen.ts';
import type { StorySummary } from './story-summary.ts';
import type { StoryWords } from './story-words.ts';
import { summaryLines } from './summary-lines.ts';
import { timelineEntries } from './timeline.ts';

/** The network outage, in words. */
export function networkWords(options: NetworkOptions): StoryWords<Seen, StorySummary> {
  const { clock, world, config, shoots, nodes } = options;
  const title = runTitle(options);
  const grace = config.kcmNodeMonitorGraceDuration;
  const oldestRenewal = (shoot: ShootNamespace): Instant | undefined => {
    const renewals = world.leases(shoot).flatMap(({ renewedAt }) => renewedAt ?? []);
    return renewals.length === 0 ? undefined : Math.min(...renewals);
  };
  return {
    beginning: beginningLines(options, `${counted(shoots, 'shoot')} of ${counted(nodes, 'node')}`),
    entries: ({ before, seen, after }) => timelineEntries(before, seen, after),
    picture: ({ after: model }, timeline, size) =>
      screenLines({ model, timeline, now: clock.now(), title, grace, oldestRenewal }, size),
    summary: (summary) => summaryLines(summary, options),
    kept: (kubeconfig) => keptLines(kubeconfig, options),
  };
}

/** How to look into a world that is kept. */
function keptLines(kubeconfig: string, { config, firstShoot }: NetworkOptions): readonly string[] {
  const secret = config.kubeConfigSecretName;
  return [
    '',
    'Seed and prober go on until Ctrl-C. In another terminal:',
    `  export KUBECONFIG=${kubeconfig}`,
    '  kubectl get clusters.extensions.gardener.cloud',
    '  kubectl get deployments -A',
    'and into a shoot, by its own kubeconfig:',
    `  kubectl get secret -n ${firstShoot} ${secret} -o 'go-template={{.data.kubeconfig | base64decode}}' > shoot.yaml`,
    '  kubectl --kubeconfig=shoot.yaml get nodes',
    '',
  ];
}

import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import { podsPath } from '../../adapters/kube/paths.ts';
import { labelsOf, readSelector } from '../../domain/read-selector.ts';
import { isMissed, podParts, readPod } from '../../domain/weeder/pod.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import { listOnSeed } from '../../adapters/reading/list-on-seed.ts';
import type { LoopingPod } from './weeder-look.ts';

/** Looks once at a namespace for what crash-loops and no selector of the configuration picks (SPEC 7.7). Rejects as `listOnSeed`. */
export async function lookAtUnselected(
  client: KubeClient,
  { services }: WeederConfig,
  namespace: string,
): Promise<readonly LoopingPod[]> {
  const selectors = services
    .flatMap(({ podSelectors }) => podSelectors.map(readSelector))
    .flatMap((one) => ('problem' in one ? [] : [one.selects]));
  const pods = await listOnSeed(client, {
    path: podsPath(namespace),
    kind: 'PodList',
    keeps: podParts,
    labelSelector: '',
    read: (object) => {
      const pod = readPod(object);
      const isPicked = selectors.some((selects) => selects(labelsOf(object)));
      return { missed: pod !== undefined && isMissed(pod) && !isPicked ? [pod] : [] };
    },
    rankOf: ({ missed }) => missed.length,
  });
  return pods.flatMap(({ missed }) => missed);
}

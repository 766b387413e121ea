import { naturalOrder } from '../../domain/natural-order.ts';
import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import { endpointSlicesPath, podsOfAllPath } from '../../adapters/kube/paths.ts';
import { systemClock as clock } from '../../adapters/clock/wall-clock.ts';
import type { Instant } from '../../domain/time.ts';
import { textAt } from '../../domain/value-at.ts';
import { podParts, readPod, type WaitingPod } from '../../domain/weeder/pod.ts';
import { serviceKey, type ServiceRef } from '../../domain/weeder/service-ref.ts';
import { readSlice } from '../../domain/weeder/service-slices.ts';
import type { PodSelector, WeederConfig } from '../../domain/weeder/weeder-config.ts';
import { seeLeader, type LeaderSeen } from './leader-line.ts';
import { listOnSeed } from '../../adapters/reading/list-on-seed.ts';

export type LoopingPod = Pick<WaitingPod, 'name' | 'waits'>;

/** A service of the configuration, and those of its dependants that crash-loop. `ready`: of so many endpoints so many. */
export type ServiceStatus = ServiceRef &
  Readonly<{ ready: number; endpoints: number; crashLooping: readonly LoopingPod[] }>;

/** What a seed shows of the weeder's services; windows are known to the weeder alone. Those that are down first. */
export type WeederStatus = Readonly<{
  at: Instant;
  server: string;
  leader: LeaderSeen;
  services: readonly ServiceStatus[];
  /** Of one namespace, where only that is shown: those that crash-loop and that no selector picks (SPEC 7.7). */
  unselected?: readonly LoopingPod[];
}>;

type Looked = Readonly<{ client: KubeClient; config: WeederConfig; server: string; namespace: string }>;

/** Looks once. Rejects with KubeError, or ProbeFailed where a list is too large. */
export async function lookAtServices({ client, config, server, namespace }: Looked): Promise<WeederStatus> {
  const leader = await seeLeader(client, clock, namespace, 'weeder');
  const names = new Set(config.services.map(({ name }) => name));
  const services = new Map<string, ServiceRef & { ready: number; endpoints: number }>();
  const slices = await listOnSeed(client, {
    path: endpointSlicesPath,
    kind: 'EndpointSliceList',
    labelSelector: `kubernetes.io/service-name in (${[...names].join(',')})`,
    read: (object) => ({ namespace: textAt(object, 'metadata', 'namespace'), slice: readSlice(object) }),
  });
  for (const { namespace: of, slice } of slices) {
    if (slice === undefined || !names.has(slice.service)) continue;
    const ref = { namespace: of, service: slice.service };
    const known = services.get(serviceKey(ref)) ?? { ...ref, ready: 0, endpoints: 0 };
    const { ready, endpoints } = slice.view;
    services.set(serviceKey(ref), { ...ref, ready: known.ready + ready, endpoints: known.endpoints + endpoints });
  }
  const looping = await loopingPods(client, config);
  return {
    at: clock.now(),
    server,
    leader,
    services: [...services.values()]
      .map((one): ServiceStatus => {
        const selectors = config.services.find(({ name }) => name === one.service)?.podSelectors ?? [];
        const pods = selectors.flatMap((selector) => looping.get(selector)?.get(one.namespace) ?? []);
        const byName = new Map(pods.map((pod) => [pod.name, pod]));
        return { ...one, crashLooping: [...byName.values()] };
      })
      .toSorted(worstFirst),
  };
}

/** By selector and namespace: a seed has tens of thousands of pods, and the server picks those of a selector. */
async function loopingPods(client: KubeClient, config: WeederConfig) {
  const looping = new Map<PodSelector, ReadonlyMap<string, readonly WaitingPod[]>>();
  for (const selector of new Set(config.services.flatMap(({ podSelectors }) => podSelectors))) {
    const pods = await listOnSeed(client, {
      path: podsOfAllPath,
      kind: 'PodList',
      keeps: podParts,
      labelSelector: selector,
      read: (object) => ({ namespace: textAt(object, 'metadata', 'namespace'), pod: readPod(object) }),
      rankOf: ({ pod }) => (pod?.state === 'waiting' ? 1 : 0),
    });
    const those = pods.flatMap(({ namespace, pod }) => (pod?.state === 'waiting' ? [{ namespace, pod }] : []));
    const byNamespace = Map.groupBy(those, ({ namespace }) => namespace);
    looping.set(
      selector,
      new Map([...byNamespace].map(([namespace, some]) => [namespace, some.map(({ pod }) => pod)])),
    );
  }
  return looping;
}

function worstFirst(one: ServiceStatus, other: ServiceStatus): number {
  const rank = ({ ready, crashLooping }: ServiceStatus) => (ready === 0 ? 0 : crashLooping.length > 0 ? 1 : 2);
  return rank(one) - rank(other) || naturalOrder(serviceKey(one), serviceKey(other));
}

import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import { endpointSlicesPath, podsOfAllPath } from '../../adapters/kube/paths.ts';
import { naturalOrder } from '../../domain/natural-order.ts';
import { labelsOf, readSelector, type Selector } from '../../domain/read-selector.ts';
import { listAt, textAt } from '../../domain/value-at.ts';
import { isWorthPicking, workloadOf } from '../../domain/weeder/pod.ts';
import { readSlice } from '../../domain/weeder/service-slices.ts';
import type { PodSelector, WeederConfig } from '../../domain/weeder/weeder-config.ts';
import { takeOnSeed } from '../../adapters/reading/list-on-seed.ts';

/** How many namespaces have the service, and the pods of these that its selectors pick. `idle`: the selectors that pick none. */
export type ServiceCoverage = Readonly<{
  name: string;
  namespaces: number;
  pods: number;
  podNamespaces: number;
  idle: readonly PodSelector[];
}>;

/** Pods that no selector picks, of one workload by its kind and name. `behind`: the services of the configuration whose own pods they are. */
export type MissedWorkload = Readonly<{
  workload: string;
  pods: number;
  namespaces: readonly string[];
  behind: readonly string[];
}>;

/** What a seed shows of a weeder's configuration, in the namespaces that have one of its services. `unnamed`: pods of workloads beyond the limit. */
export type Coverage = Readonly<{
  namespaces: number;
  services: readonly ServiceCoverage[];
  missed: readonly MissedWorkload[];
  unnamed: number;
}>;

/** Held at once, by their names. The control planes of a seed have some 50 in all, since each has the same ones. */
const mostWorkloads = 1_000;

/** The parts of a pod that are read; its statuses, most of it, are not. */
const parts: ReadonlySet<string> = new Set(['metadata', 'labels', 'annotations', 'ownerReferences', 'spec', 'status']);

/** By namespace: the services that are there, and which pods stand behind which of them. */
type Places = ReadonlyMap<string, Readonly<{ services: Set<string>; behind: Map<string, string> }>>;

/** Looks once at a seed (SPEC 7.8). Rejects as `takeOnSeed`. */
export async function lookAtCoverage(client: KubeClient, config: WeederConfig): Promise<Coverage> {
  const names = new Set(config.services.map(({ name }) => name));
  const slices = {
    path: endpointSlicesPath,
    kind: 'EndpointSliceList',
    labelSelector: `kubernetes.io/service-name in (${[...names].join(',')})`,
  };
  const { places } = await takeOnSeed(client, slices, () => placesOf(names));
  const pods = { path: podsOfAllPath, kind: 'PodList', keeps: parts, labelSelector: '' };
  const begin = () => podTally(config, places);
  // Without any service, no pod is anybody's.
  const tally = places.size === 0 ? begin() : await takeOnSeed(client, pods, begin);
  return tally.coverage();
}

function placesOf(names: ReadonlySet<string>) {
  const places = new Map<string, Readonly<{ services: Set<string>; behind: Map<string, string> }>>();
  return {
    places: places as Places,
    take(slice: unknown): void {
      const service = readSlice(slice)?.service;
      if (service === undefined || !names.has(service)) return;
      const namespace = textAt(slice, 'metadata', 'namespace');
      const place = places.get(namespace) ?? { services: new Set(), behind: new Map() };
      places.set(namespace, place);
      place.services.add(service);
      for (const endpoint of listAt(slice, 'endpoints')) {
        const pod = textAt(endpoint, 'targetRef', 'name');
        if (pod !== '') place.behind.set(pod, service);
      }
    },
  };
}

function podTally({ services }: WeederConfig, places: Places) {
  const asked = services.map(({ name, podSelectors }) => ({
    name,
    picks: podSelectors.map((selector) => ({ selector, selects: read(selector), count: 0 })),
    pods: 0,
    namespaces: new Set<string>(),
  }));
  const missed = new Map<string, { pods: number; namespaces: Set<string>; behind: Set<string> }>();
  let unnamed = 0;

  const miss = (pod: unknown, namespace: string, behind: string | undefined): void => {
    const workload = workloadOf(pod);
    const known = missed.get(workload);
    if (known === undefined && missed.size === mostWorkloads) {
      unnamed += 1;
      return;
    }
    const one = known ?? { pods: 0, namespaces: new Set(), behind: new Set() };
    missed.set(workload, one);
    one.pods += 1;
    one.namespaces.add(namespace);
    if (behind !== undefined) one.behind.add(behind);
  };

  return {
    take(pod: unknown): void {
      const namespace = textAt(pod, 'metadata', 'namespace');
      const place = places.get(namespace);
      if (place === undefined || !isWorthPicking(pod)) return;
      const labels = labelsOf(pod);
      let isPicked = false;
      for (const one of asked) {
        if (!place.services.has(one.name)) continue;
        const hits = one.picks.filter(({ selects }) => selects(labels));
        for (const hit of hits) hit.count += 1;
        if (hits.length === 0) continue;
        isPicked = true;
        one.pods += 1;
        one.namespaces.add(namespace);
      }
      if (!isPicked) miss(pod, namespace, place.behind.get(textAt(pod, 'metadata', 'name')));
    },
    coverage: (): Coverage => ({
      namespaces: places.size,
      services: asked.map(({ name, pods, namespaces, picks }) => ({
        name,
        namespaces: [...places.values()].filter((place) => place.services.has(name)).length,
        pods,
        podNamespaces: namespaces.size,
        idle: picks.filter(({ count }) => count === 0).map(({ selector }) => selector),
      })),
      missed: [...missed]
        .map(([workload, { pods, ...one }]) => ({
          workload,
          pods,
          namespaces: [...one.namespaces],
          behind: [...one.behind],
        }))
        .toSorted(widestFirst),
      unnamed,
    }),
  };
}

/** A service's own pods come last: they need no service, so no selector should pick them. */
function widestFirst(one: MissedWorkload, other: MissedWorkload): number {
  return (
    Number(one.behind.length > 0) - Number(other.behind.length > 0) ||
    other.namespaces.length - one.namespaces.length ||
    other.pods - one.pods ||
    naturalOrder(one.workload, other.workload)
  );
}

function read(selector: PodSelector): Selector {
  const one = readSelector(selector);
  if ('problem' in one) throw new Error(`the selector of pods ${selector}: ${one.problem}`);
  return one.selects;
}

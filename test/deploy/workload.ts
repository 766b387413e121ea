import { setTimeout as pause } from 'node:timers/promises';
import { mergePatch } from '@dwd/lab/real/operator-client.ts';
import type { BareSeed } from './bare-seed.ts';
import type { Manifest } from './render.ts';

type Pod = Manifest &
  Readonly<{
    metadata: Readonly<{ uid: string; deletionTimestamp?: string; labels: Readonly<Record<string, string>> }>;
    spec: Readonly<{ volumes: readonly Readonly<{ name: string; configMap?: Readonly<{ name: string }> }>[] }>;
    status: Readonly<{ conditions?: readonly Readonly<{ type: string; status: string }>[] }>;
  }>;

/** All that an installation could leave behind, but for events. */
const collections = [
  '/api/v1/namespaces',
  '/api/v1/configmaps',
  '/api/v1/secrets',
  '/api/v1/serviceaccounts',
  '/api/v1/services',
  '/api/v1/pods',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/policy/v1/poddisruptionbudgets',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/autoscaling.k8s.io/v1/verticalpodautoscalers',
  '/apis/monitoring.coreos.com/v1/podmonitors',
  '/apis/monitoring.coreos.com/v1/prometheusrules',
] as const;

/** What runs in `garden`, and everything that is there: with this as the kubelet of pods that no node has. */
export class Workload {
  readonly #seed: BareSeed;

  constructor(seed: BareSeed) {
    this.#seed = seed;
  }

  pods(role: string): Promise<readonly Pod[]> {
    return this.#seed.list<Pod>(`/api/v1/namespaces/garden/pods?labelSelector=app%3Ddependency-watchdog-${role}`);
  }

  /** The names of the ConfigMaps that the pods of a role mount. */
  async mounted(role: string): Promise<readonly string[]> {
    const pods = await this.pods(role);
    return [...new Set(pods.flatMap(({ spec }) => spec.volumes.flatMap(({ configMap }) => configMap?.name ?? [])))];
  }

  /** Lets all pods become ready, those as well that come meanwhile, until a role has so many, all with this ConfigMap. */
  async settle(role: string, replicas: number, configMap?: string): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      const pods = await this.pods(role);
      const waiting = pods.filter(({ status }) => !status.conditions?.some(({ type }) => type === 'Ready'));
      for (const { metadata } of waiting) await this.#becomeReady(metadata.name);
      const mounted = await this.mounted(role);
      const isRight = configMap === undefined || mounted.join() === configMap;
      if (pods.length === replicas && waiting.length === 0 && isRight) return;
      await pause(100);
    }
    throw new Error(`the ${role} has no ${replicas} pods with ${configMap ?? 'a ConfigMap'}`);
  }

  async budget(role: string): Promise<Readonly<Record<string, unknown>>> {
    const { body } = await this.#seed.api.call(
      'GET',
      `/apis/policy/v1/namespaces/garden/poddisruptionbudgets/dependency-watchdog-${role}`,
    );
    return body['status'] as Record<string, unknown>;
  }

  /** The code with which the eviction of a pod is answered, as by a drain of its node. */
  async evict({ metadata: { name, namespace } }: Pod): Promise<number> {
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
    return (await this.#seed.api.call('POST', path, body, [429])).status;
  }

  /** The names of all objects of the cluster that an installation could have made. */
  async everything(): Promise<readonly string[]> {
    const lists = await Promise.all(
      collections.map(async (collection) => {
        const { body } = await this.#seed.api.call('GET', collection, undefined, [404]);
        const items = (body['items'] ?? []) as readonly Manifest[];
        return items.map(({ metadata: { namespace = '', name } }) => `${collection}: ${namespace}/${name}`);
      }),
    );
    // Each namespace has an account of its own.
    return lists.flat().filter((name) => name !== '/api/v1/serviceaccounts: garden/default');
  }

  async #becomeReady(name: string): Promise<void> {
    const now = new Date().toISOString();
    const conditions = ['Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: now,
    }));
    const { core } = this.#seed.api.operator;
    const body = { status: { phase: 'Running', conditions } };
    await core.patchNamespacedPodStatus({ namespace: 'garden', name, body }, mergePatch);
  }
}

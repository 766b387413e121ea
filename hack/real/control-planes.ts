import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from './api-server.ts';

type Pod = Readonly<{
  metadata: Readonly<{
    name: string;
    namespace: string;
    uid: string;
    labels: Readonly<Record<string, string>>;
    deletionTimestamp?: string;
  }>;
}>;

/** What stands in one namespace: etcd, the API servers that need it, the controllers that need those. */
const groups = [
  { name: 'etcd-main', kind: 'StatefulSet', replicas: 1, role: 'main', service: 'etcd-main-client', needs: undefined },
  {
    name: 'kube-apiserver',
    kind: 'Deployment',
    replicas: 2,
    role: 'apiserver',
    service: 'kube-apiserver',
    needs: 'main',
  },
  {
    name: 'kube-controller-manager',
    kind: 'Deployment',
    replicas: 1,
    role: 'controller-manager',
    service: undefined,
    needs: 'apiserver',
  },
  {
    name: 'kube-scheduler',
    kind: 'Deployment',
    replicas: 1,
    role: 'scheduler',
    service: undefined,
    needs: 'apiserver',
  },
] as const;

const allPods = groups.reduce((sum, { replicas }) => sum + replicas, 0);

/**
 * The control planes of some namespaces on a real API server: real workload and EndpointSlice controllers make the pods
 * and slices, this plays their kubelet. A container whose dependency is down sits in CrashLoopBackOff, and stays there:
 * only a new pod tries again, which is what the weeder is for.
 */
export class RealControlPlanes {
  readonly #seed: RealApiServer;
  readonly #namespaces: readonly string[];
  readonly #pods = new Map<string, Pod & { state: 'new' | 'ready' | 'crashLooping' | 'ending' }>();
  readonly #etcdUp = new Map<string, boolean>();
  /** Pods that were deleted, with what they were doing then. */
  readonly deleted: Readonly<{ namespace: string; name: string; at: number; state: string }>[] = [];

  constructor(seed: RealApiServer, namespaces: readonly string[]) {
    this.#seed = seed;
    this.#namespaces = namespaces;
  }

  async start(trouble: (line: string) => void): Promise<void> {
    const follow = (event: { type: string; object: Record<string, unknown> }) =>
      void this.#follow(event.type, event.object as unknown as Pod).catch((error: unknown) => trouble(String(error)));
    void this.#seed.watch('/api/v1/pods?watch=1', follow).catch((error: unknown) => trouble(String(error)));
    // The EndpointSlice controller passes over pods of a node that is not there.
    await this.#seed.call('POST', '/api/v1/nodes', { metadata: { name: 'node-1' } });
    await Promise.all(this.#namespaces.map((namespace) => this.#begin(namespace)));
  }

  /** One group after the other, since a pod that comes too early stays in CrashLoopBackOff. */
  async #begin(namespace: string): Promise<void> {
    this.#etcdUp.set(namespace, true);
    await this.#seed.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    for (const group of groups) {
      await this.#create(namespace, group);
      const ready = () =>
        this.#of(namespace).filter(
          ({ metadata: { labels }, state }) => labels['role'] === group.role && state === 'ready',
        );
      while (ready().length < group.replicas) await pause(50);
    }
  }

  /** Every pod of a namespace is ready. */
  isWell(namespace: string): boolean {
    const pods = this.#of(namespace);
    return pods.length === allPods && pods.every(({ state }) => state === 'ready');
  }

  /** etcd fails, then whatever needs it, down the chain. */
  async fail(namespace: string): Promise<void> {
    this.#etcdUp.set(namespace, false);
    for (const pod of this.#of(namespace)) await this.#crash(pod);
  }

  async heal(namespace: string): Promise<void> {
    this.#etcdUp.set(namespace, true);
    for (const pod of this.#of(namespace)) if (pod.metadata.labels['role'] === 'main') await this.#ready(pod);
  }

  async #follow(type: string, object: Pod): Promise<void> {
    const { uid, namespace, name, deletionTimestamp } = object.metadata;
    if (!this.#namespaces.includes(namespace)) return;
    const known = this.#pods.get(uid);
    if (type === 'DELETED') {
      this.#pods.delete(uid);
      return;
    }
    if (deletionTimestamp !== undefined) {
      if (known?.state === 'ending') return;
      this.deleted.push({ namespace, name, at: Date.now(), state: known?.state ?? 'new' });
      if (known !== undefined) known.state = 'ending';
      await pause(100);
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
      await this.#seed.call('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, options, [404, 409]);
      return;
    }
    if (known !== undefined) return;
    const pod = { ...object, state: 'new' as const };
    this.#pods.set(uid, pod);
    await pause(200);
    if (this.#needIsMet(pod)) await this.#ready(pod);
    else await this.#crash(pod);
  }

  #needIsMet({ metadata: { namespace, labels } }: Pod): boolean {
    const needs = groups.find(({ role }) => role === labels['role'])?.needs;
    if (needs === undefined) return this.#etcdUp.get(namespace) === true;
    return this.#of(namespace).some(({ metadata, state }) => metadata.labels['role'] === needs && state === 'ready');
  }

  #of(namespace: string) {
    return [...this.#pods.values()].filter(({ metadata }) => metadata.namespace === namespace);
  }

  async #ready(pod: Pod): Promise<void> {
    await this.#tell(pod, 'ready', { running: { startedAt: new Date().toISOString() } });
  }

  async #crash(pod: Pod): Promise<void> {
    const message = 'back-off 5m0s restarting failed container';
    await this.#tell(pod, 'crashLooping', { waiting: { reason: 'CrashLoopBackOff', message } });
  }

  async #tell({ metadata }: Pod, state: 'ready' | 'crashLooping', container: unknown): Promise<void> {
    const known = this.#pods.get(metadata.uid);
    if (known === undefined || known.state === 'ending') return;
    known.state = state;
    const ready = state === 'ready';
    const status = {
      phase: 'Running',
      podIP: '10.1.1.1',
      podIPs: [{ ip: '10.1.1.1' }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
      containerStatuses: [
        { name: 'main', image: 'x', imageID: 'x', ready, restartCount: ready ? 0 : 7, state: container },
      ],
    };
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`;
    await this.#seed.call('PATCH', path, { metadata: { uid: metadata.uid }, status }, [404, 409]);
  }

  async #create(namespace: string, { name, kind, replicas, role, service }: (typeof groups)[number]): Promise<void> {
    const labels = { 'gardener.cloud/role': 'controlplane', role };
    const spec = {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { nodeName: 'node-1', terminationGracePeriodSeconds: 30, containers: [{ name: 'main', image: 'x' }] },
      },
      ...(kind === 'StatefulSet' ? { serviceName: service, podManagementPolicy: 'Parallel' } : {}),
    };
    if (service !== undefined)
      await this.#seed.call('POST', `/api/v1/namespaces/${namespace}/services`, {
        metadata: { name: service },
        spec: { selector: labels, ports: [{ port: 443 }] },
      });
    await this.#seed.call('POST', `/apis/apps/v1/namespaces/${namespace}/${kind.toLowerCase()}s`, {
      metadata: { name, labels },
      spec,
    });
  }
}

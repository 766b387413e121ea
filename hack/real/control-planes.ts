import { setTimeout as pause } from 'node:timers/promises';
import type { V1ObjectMeta } from '@kubernetes/client-node';
import type { RealApiServer } from './api-server.ts';
import { mergePatch, tolerating } from './operator-client.ts';

/** What a server says of a pod, as far as this plays it. */
type Pod = Readonly<{
  metadata: V1ObjectMeta & { name: string; namespace: string; uid: string; labels: Record<string, string> };
}>;

/** What runs in one namespace: etcd, the API servers that need it, and the controllers that need those. */
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
  /** Pods that were deleted, with their state at that time. */
  readonly deleted: Readonly<{ namespace: string; name: string; at: number; state: string }>[] = [];

  constructor(seed: RealApiServer, namespaces: readonly string[]) {
    this.#seed = seed;
    this.#namespaces = namespaces;
  }

  async start(trouble: (line: string) => void): Promise<void> {
    const follow = (event: { type: string; object: Record<string, unknown> }) =>
      void this.#follow(event.type, event.object as unknown as Pod).catch((error: unknown) => trouble(String(error)));
    void this.#seed.watch('/api/v1/pods?watch=1', follow).catch((error: unknown) => trouble(String(error)));
    // The EndpointSlice controller ignores pods of a node that does not exist.
    await this.#seed.operator.core.createNode({ body: { metadata: { name: 'node-1' } } });
    await Promise.all(this.#namespaces.map((namespace) => this.#begin(namespace)));
  }

  /** One group after the other, because a pod that starts too early stays in CrashLoopBackOff. */
  async #begin(namespace: string): Promise<void> {
    this.#etcdUp.set(namespace, true);
    await this.#seed.operator.core.createNamespace({ body: { metadata: { name: namespace } } });
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
      const { core } = this.#seed.operator;
      await tolerating([404, 409], core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 }));
      return;
    }
    if (known !== undefined) return;
    const pod = { metadata: object.metadata, state: 'new' as const };
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
    const { name, namespace, uid } = metadata;
    const body = { metadata: { uid }, status };
    const written = this.#seed.operator.core.patchNamespacedPodStatus({ namespace, name, body }, mergePatch);
    await tolerating([404, 409], written);
  }

  async #create(namespace: string, { name, kind, replicas, role, service }: (typeof groups)[number]): Promise<void> {
    const labels = { 'gardener.cloud/role': 'controlplane', role };
    const { core, apps } = this.#seed.operator;
    const metadata = { name, labels };
    const template = {
      metadata: { labels },
      spec: { nodeName: 'node-1', terminationGracePeriodSeconds: 30, containers: [{ name: 'main', image: 'x' }] },
    };
    const spec = { replicas, selector: { matchLabels: labels }, template };
    if (service !== undefined) {
      const body = { metadata: { name: service }, spec: { selector: labels, ports: [{ port: 443 }] } };
      await core.createNamespacedService({ namespace, body });
    }
    if (kind === 'Deployment') {
      await apps.createNamespacedDeployment({ namespace, body: { metadata, spec } });
      return;
    }
    const set = { ...spec, serviceName: service, podManagementPolicy: 'Parallel' };
    await apps.createNamespacedStatefulSet({ namespace, body: { metadata, spec: set } });
  }
}

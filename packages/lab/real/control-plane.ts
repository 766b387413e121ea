import { setTimeout as pause } from 'node:timers/promises';
import type { V1Deployment, V1StatefulSet } from '@kubernetes/client-node';
import { apply, type OperatorClient } from './operator-client.ts';
import { labelsOf, PlayedPods, podSpec, type Fate } from './played-pods.ts';

export type Role = 'main' | 'apiserver' | 'controller-manager' | 'scheduler';

type Workload = Readonly<{ kind: 'Deployment' | 'StatefulSet'; name: string; role: string; replicas: number }>;
type Group = Workload & Readonly<{ role: Role; needs?: Role; service?: string }>;

/** etcd, the API servers that need it, the controllers that need those. */
const groupsOf = (etcds: number): readonly Group[] => [
  { name: 'etcd-main', kind: 'StatefulSet', replicas: etcds, role: 'main', service: 'etcd-main-client' },
  {
    name: 'kube-apiserver',
    kind: 'Deployment',
    replicas: 2,
    role: 'apiserver',
    needs: 'main',
    service: 'kube-apiserver',
  },
  { name: 'kube-controller-manager', kind: 'Deployment', replicas: 1, role: 'controller-manager', needs: 'apiserver' },
  { name: 'kube-scheduler', kind: 'Deployment', replicas: 1, role: 'scheduler', needs: 'apiserver' },
];

/**
 * One control plane in a namespace of a real seed. A container whose need is not met sits in CrashLoopBackOff, and stays there when
 * the need is met again: only a new pod tries again, which is what the weeder is for.
 */
export class ControlPlane {
  readonly namespace: string;
  readonly pods: PlayedPods;
  /** Before it does, every pod gets ready, whatever it needs. */
  stands = false;
  /** How a container fails if its need is not met. */
  failsAs: Exclude<Fate, 'ready'> = 'crashLooping';
  protected readonly groups: readonly Group[];
  protected readonly operator: OperatorClient;
  readonly #down = new Set<string>();

  constructor(operator: OperatorClient, namespace: string, signal: AbortSignal, etcds = 1) {
    this.operator = operator;
    this.namespace = namespace;
    this.groups = groupsOf(etcds);
    this.pods = new PlayedPods(operator, namespace, signal);
    this.pods.fateOf = (role) => (!this.stands || this.#needIsMet(role) ? 'ready' : this.failsAs);
  }

  /** Its namespace and its workloads: somebody makes pods of them. */
  async create(): Promise<void> {
    await apply(this.operator, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } });
    for (const group of this.groups) await addWorkload(this.operator, this.namespace, group);
  }

  /** The same on a seed with real controllers, which keep the slices of its services too; resolves once it stands. */
  async raise(): Promise<void> {
    await this.create();
    for (const { role, service } of this.groups) {
      if (service === undefined) continue;
      const body = { metadata: { name: service }, spec: { selector: labelsOf(role), ports: [{ port: 443 }] } };
      await this.operator.core.createNamespacedService({ namespace: this.namespace, body });
    }
    while (!this.isWell) await pause(50);
    this.stands = true;
  }

  /** Every pod is ready. */
  get isWell(): boolean {
    const pods = this.pods.of();
    const all = this.groups.reduce((sum, { replicas }) => sum + replicas, 0);
    return pods.length === all && pods.every(({ state }) => state === 'ready');
  }

  /** All pods of a role fail, and so do those that need them, down the chain. */
  async fail(role: Role): Promise<void> {
    this.#down.add(role);
    await this.pods.turn(role, 'crashLooping');
    await this.#failOf(role);
  }

  /** They come back by themselves, `count` of them. What needs them does not. */
  async heal(role: Role, count = Number.POSITIVE_INFINITY): Promise<void> {
    this.#down.delete(role);
    for (const { item } of this.pods.of(role).slice(0, count)) await this.pods.turnOne(item, 'ready');
  }

  async #failOf(role: Role): Promise<void> {
    for (const group of this.groups.filter(({ needs }) => needs === role)) {
      await this.pods.turn(group.role, this.failsAs);
      await this.#failOf(group.role);
    }
  }

  #needIsMet(role: string): boolean {
    if (this.#down.has(role)) return false;
    const needs = this.groups.find((one) => one.role === role)?.needs;
    return needs === undefined || this.pods.of(needs).some(({ state }) => state === 'ready');
  }
}

/** A workload of a control plane, whose pods are of this role. */
export async function addWorkload(
  operator: OperatorClient,
  namespace: string,
  { kind, name, role, replicas }: Workload,
): Promise<void> {
  const workload: V1Deployment | V1StatefulSet = {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace, labels: { role } },
    spec: {
      replicas,
      selector: { matchLabels: { role } },
      template: { metadata: { labels: labelsOf(role) }, spec: podSpec },
      ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}),
    },
  };
  await apply(operator, workload);
}

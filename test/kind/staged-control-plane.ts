import { setTimeout as pause } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { Cluster } from './cluster.ts';
import { addWorkload } from './play/add-workload.ts';
import { PlayedPods, type Fate } from './play/played-pods.ts';
import { PlayedService } from './play/played-service.ts';
import { PlayedWorkloads } from './play/played-workloads.ts';
import { linesOf, metricsOf, stage } from './stage.ts';
import { removeNamespace } from './sweep.ts';
import { until } from './until.ts';

type Role = 'main' | 'apiserver' | 'controller-manager' | 'scheduler';

/** What stands in the namespace: etcd, the API servers that need it, the controllers that need those. */
const groups = [
  { name: 'etcd-main', kind: 'StatefulSet', replicas: 3, role: 'main', service: 'etcd-main-client' },
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
] as const satisfies readonly Readonly<{
  name: string;
  kind: 'StatefulSet' | 'Deployment';
  replicas: number;
  role: Role;
  needs?: Role;
  service?: string;
}>[];

const allPods = groups.reduce((sum, { replicas }) => sum + replicas, 0);

/**
 * One control plane in a namespace of the seed. A container whose need is not met sits in CrashLoopBackOff, and stays there when
 * the need is met again: only a new pod tries again, which is what the weeder is for. Each service has a slice for its first
 * endpoint, and one for the others. It goes with the test.
 */
export class StagedControlPlane {
  readonly namespace: string;
  readonly pods: PlayedPods;
  /** How a container fails if its need is not met. */
  failsAs: Exclude<Fate, 'ready'> = 'crashLooping';
  readonly #services = new Map<string, PlayedService>();
  readonly #down = new Set<string>();
  #stands = false;

  private constructor(namespace: string, pods: PlayedPods) {
    this.namespace = namespace;
    this.pods = pods;
    pods.fateOf = (role) => (!this.#stands || this.#needIsMet(role) ? 'ready' : this.failsAs);
  }

  static async raise(
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    name: string,
  ): Promise<StagedControlPlane> {
    const namespace = `shoot--kind--${name}`;
    const { seed: seedFile, runsControllers } = stage();
    const seed = await Cluster.by(seedFile);
    const ending = new AbortController();
    await seed.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const pods = new PlayedPods(seed, namespace, ending.signal);
    const workloads = runsControllers ? undefined : new PlayedWorkloads(seed, namespace, pods, ending.signal);
    const plane = new StagedControlPlane(namespace, pods);
    pods.changed = () => {
      workloads?.look();
      if (plane.#stands) plane.#mirror().catch((error: unknown) => process.stderr.write(`a slice: ${String(error)}\n`));
    };
    onTestFinished(async () => {
      plane.#stands = false;
      ending.abort();
      await removeNamespace(seed.operator, namespace);
    });
    for (const group of groups) await addWorkload(seed, namespace, group);
    for (const { role, ...group } of groups)
      if ('service' in group) plane.#services.set(role, await PlayedService.add(seed, namespace, group.service));
    await until(`${namespace} has its pods`, () => plane.isWell);
    plane.#stands = true;
    await plane.#mirror();
    return plane;
  }

  /** Every pod is ready. */
  get isWell(): boolean {
    const pods = this.pods.of();
    return pods.length === allPods && pods.every(({ state }) => state === 'ready');
  }

  service(role: 'main' | 'apiserver'): PlayedService {
    return this.#services.get(role)!;
  }

  /** All pods of a role fail, and so do those that need them, down the chain. */
  async fail(role: Role): Promise<void> {
    this.#down.add(role);
    await this.pods.turn(role, 'crashLooping');
    await this.#failOf(role);
  }

  async #failOf(role: Role): Promise<void> {
    for (const group of groups) {
      if (!('needs' in group) || group.needs !== role) continue;
      await this.pods.turn(group.role, this.failsAs);
      await this.#failOf(group.role);
    }
  }

  /** They come back by themselves, `count` of them. What needs them does not. */
  async heal(role: Role, count = Number.POSITIVE_INFINITY): Promise<void> {
    this.#down.delete(role);
    for (const { item } of this.pods.of(role).slice(0, count)) await this.pods.turnOne(item, 'ready');
  }

  /** Its services have been available for longer than a window. */
  async settles(): Promise<void> {
    for (const { name } of this.#services.values())
      await this.until(`${name} is settled`, () => this.latest(name) === 'settled');
  }

  /** The latest state of a service's machine in the weeder's log. */
  latest(service: string): unknown {
    return this.lines({ service, line: 'state changed' }).at(-1)?.['to'];
  }

  lines(fields: Readonly<Record<string, unknown>>) {
    return linesOf('weeder', { namespace: this.namespace, ...fields });
  }

  /** The weeder says that it deleted so many pods for a service; what its metrics say may be a second old. */
  async counts(service: string, pods: number): Promise<void> {
    const series = `dwd_pods_weeded_total{namespace="${this.namespace}",service="${service}"}`;
    const said = async () => (await metricsOf('weeder'))[series] ?? 0;
    await this.until(`${pods} pods are counted for ${service}`, async () => (await said()) === pods);
  }

  /** For three seconds, which is many times what a deletion takes, nobody deletes a pod. */
  async isLeftAlone(): Promise<void> {
    const before = this.pods.deleted.length;
    await pause(3_000);
    const since = this.pods.deleted.slice(before);
    if (since.length > 0) throw new Error(`${this.namespace}: somebody deleted ${JSON.stringify(since)}`);
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const account = () => {
      const states = this.pods.of().map(({ item, state }) => `${item.metadata.name} ${state}`);
      const lines = this.lines({}).map((line) => JSON.stringify(line));
      return [...states, JSON.stringify(this.pods.deleted), ...lines.slice(-12)].join('\n');
    };
    await until(`${this.namespace}: ${what}`, isSo, { account });
  }

  #needIsMet(role: string): boolean {
    const group = groups.find((one) => one.role === role);
    if (this.#down.has(role)) return false;
    if (group === undefined || !('needs' in group)) return true;
    return this.pods.of(group.needs).some(({ state }) => state === 'ready');
  }

  /** The slices say what the pods are. */
  async #mirror(): Promise<void> {
    for (const [role, service] of this.#services) {
      const pods = this.pods
        .of(role)
        .toSorted((one, other) => (one.item.metadata.name < other.item.metadata.name ? -1 : 1));
      const ready = pods.map(({ state }) => state === 'ready');
      await service.write([ready.slice(0, 1), ready.slice(1)]);
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { V1EndpointSlice, V1Service } from '@kubernetes/client-node';
import type { TestContext } from 'vitest';
import { mergePatch, tolerating } from '@dwd/lab/real/operator-client.ts';
import { ControlPlane } from '@dwd/lab/real/control-plane.ts';
import { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { PlayedWorkloads } from './play/played-workloads.ts';
import { linesOf, metricsOf, stage } from './stage.ts';
import { removeNamespace } from './sweep.ts';
import { until } from '@dwd/lab/test/support/until.ts';

/** One control plane in a namespace of the seed. Each service has a slice for its first endpoint, and one for the others. It goes with the test. */
export class StagedControlPlane extends ControlPlane {
  readonly #services = new Map<string, PlayedService>();

  static async raise(
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    name: string,
  ): Promise<StagedControlPlane> {
    const namespace = `shoot--kind--${name}`;
    const { seed: seedFile, runsControllers } = stage();
    const seed = await Cluster.by(seedFile);
    const ending = new AbortController();
    const plane = new StagedControlPlane(seed.operator, namespace, ending.signal, 3);
    const { pods } = plane;
    const workloads = runsControllers ? undefined : new PlayedWorkloads(seed, namespace, pods, ending.signal);
    pods.changed = () => {
      workloads?.look();
      if (plane.stands) plane.#mirror().catch((error: unknown) => process.stderr.write(`a slice: ${String(error)}\n`));
    };
    onTestFinished(async () => {
      plane.stands = false;
      ending.abort();
      await removeNamespace(seed.operator, namespace);
    });
    await plane.create();
    for (const { role, service } of plane.groups)
      if (service !== undefined) plane.#services.set(role, await PlayedService.add(seed, namespace, service));
    await until(`${namespace} has its pods`, () => plane.isWell);
    plane.stands = true;
    await plane.#mirror();
    return plane;
  }

  service(role: 'main' | 'apiserver'): PlayedService {
    return this.#services.get(role)!;
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

  /** Waits until the log has so many such lines: the seed may show a deletion before the log does. */
  async told(fields: Readonly<Record<string, unknown>>, count = 1): Promise<void> {
    await this.until(`${count} times: ${JSON.stringify(fields)}`, () => this.lines(fields).length === count);
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

/** A service without a selector, whose EndpointSlices are the test's to write. */
class PlayedService {
  readonly name: string;
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #written = new Map<string, string>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(cluster: Cluster, namespace: string, name: string) {
    this.name = name;
    this.#cluster = cluster;
    this.#namespace = namespace;
  }

  static async add(cluster: Cluster, namespace: string, name: string): Promise<PlayedService> {
    const spec = { clusterIP: 'None', ports: [{ name: 'https', port: 443 }] };
    const service: V1Service = { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec };
    await cluster.apply(service);
    return new PlayedService(cluster, namespace, name);
  }

  /** Its slices from now on, each with an endpoint for each of these: ready or not. One write after the other. */
  async write(slices: readonly (readonly boolean[])[]): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      for (const [index, ready] of slices.entries()) await this.#writeSlice(`${this.name}-${index + 1}`, ready);
    });
    await this.#writing;
  }

  async #writeSlice(name: string, ready: readonly boolean[]): Promise<void> {
    if (this.#written.get(name) === JSON.stringify(ready)) return;
    this.#written.set(name, JSON.stringify(ready));
    const endpoints = ready.map((one, index) => ({ addresses: [`10.1.1.${index + 1}`], conditions: { ready: one } }));
    const namespace = this.#namespace;
    const { discovery } = this.#cluster.operator;
    const patch = discovery.patchNamespacedEndpointSlice({ namespace, name, body: { endpoints } }, mergePatch);
    if ((await tolerating([404], patch)) !== undefined) return;
    const slice: V1EndpointSlice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace, labels: { 'kubernetes.io/service-name': this.name } },
      addressType: 'IPv4',
      endpoints,
      ports: [{ name: 'https', port: 443 }],
    };
    await this.#cluster.apply(slice);
  }
}

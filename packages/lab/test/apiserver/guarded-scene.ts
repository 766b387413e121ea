import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import { nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { ownerlessLease } from '../../real/played-kubelets.ts';
import { mergePatch, tolerating } from '../../real/operator-client.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';
import type { RealApiServer } from '../../real/api-server.ts';
import { addShoot, settle } from '../../real/seed-objects.ts';

const namespaceOfLeases = 'kube-node-lease';
const clusters = { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'clusters' };
const longAgo = 3_600_000;
/** As a kubelet does: a lease that stands is taken for one that nobody renews, however far ahead of the time it is (SPEC 5.1). */
const renewEvery = 10_000;

const gone = (deletion: Promise<unknown>) => tolerating([404], deletion);

/** One shoot of three nodes on a real seed, with its Deployments played, for a prober to guard. */
export class GuardedScene {
  readonly #deployments: string;
  readonly #seed: RealApiServer;
  readonly #shoot: RealApiServer;
  readonly #namespace: string;
  readonly #nodes: readonly string[];
  #left = false;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<unknown> = Promise.resolve();

  constructor(seed: RealApiServer, shoot: RealApiServer, namespace: string) {
    this.#seed = seed;
    this.#shoot = shoot;
    this.#namespace = namespace;
    this.#nodes = [1, 2, 3].map((number) => `${namespace}-node-${number}`);
    this.#deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  }

  /** Of the configuration's dependants the Deployments are there then, and no others. */
  async enter(configText: string): Promise<void> {
    const reading = readProberConfig(parse(configText));
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const config = {
      ...reading.config,
      dependants: reading.config.dependants.filter(({ ref }) => ref.kind === 'Deployment'),
    };
    for (const node of this.#nodes) {
      const { core, coordination } = this.#shoot.operator;
      await core.createNode({ body: nodeObject(node, Date.now()) });
      await coordination.createNamespacedLease({ namespace: namespaceOfLeases, body: ownerlessLease(node) });
    }
    await this.heal();
    const kubeconfigOf = () => this.#shoot.kubeconfig(shootUser);
    await addShoot(this.#seed, this.#namespace, config, kubeconfigOf, this.#nodes);
    void this.#playDeployments();
  }

  /** What later tests might stumble over. */
  async leave(): Promise<void> {
    this.#left = true;
    await this.#stopRenewing();
    const { core, coordination } = this.#shoot.operator;
    await gone(this.#seed.operator.custom.deleteClusterCustomObject({ ...clusters, name: this.#namespace }));
    for (const name of this.#nodes) {
      await gone(core.deleteNode({ name }));
      await gone(coordination.deleteNamespacedLease({ namespace: namespaceOfLeases, name }));
    }
  }

  /** Every lease looks as if its kubelet had been silent for an hour. */
  async cutOff(): Promise<void> {
    await this.#stopRenewing();
    await this.#renewAll(Date.now() - longAgo);
  }

  /** Every node renews its lease at once, and goes on with it. */
  async heal(): Promise<void> {
    await this.#stopRenewing();
    await this.#renewAll(Date.now());
    this.#timer = setInterval(() => {
      this.#renewing = this.#renewAll(Date.now());
    }, renewEvery);
  }

  /** `name: desired replicas` of the Deployments. */
  async dependants(): Promise<Readonly<Record<string, number>>> {
    const { items } = await this.#seed.operator.apps.listNamespacedDeployment({ namespace: this.#namespace });
    return Object.fromEntries(items.map(({ metadata, spec }) => [metadata?.name, spec?.replicas ?? 1]));
  }

  /** Meanwhile somebody writes to a Deployment all the time, so that whoever writes by what they saw finds it changed. */
  async disturbing(name: string, work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    let count = 0;
    const disturb = async () => {
      while (!over.signal.aborted) {
        const labels = { count: `${++count}` };
        // Over a connection that is kept: client-node opens one for each call, and the prober's write would slip in between.
        await this.#seed.call('PATCH', `${this.#deployments}/${name}`, { metadata: { labels } }, [409]);
      }
    };
    const disturbances = Promise.all([disturb(), disturb(), disturb()]);
    try {
      await work();
    } finally {
      over.abort();
      await disturbances;
    }
  }

  /** A renewal that is on its way would come after what follows. */
  async #stopRenewing(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  async #renewAll(at: number): Promise<void> {
    const renewTime = microTime(at);
    const { coordination } = this.#shoot.operator;
    const lease = { namespace: namespaceOfLeases, body: { spec: { renewTime } } };
    await Promise.all(this.#nodes.map((name) => coordination.patchNamespacedLease({ ...lease, name }, mergePatch)));
  }

  /** A server that ends, or that is restored, ends each watch; the next one begins with all there is. */
  async #playDeployments(): Promise<void> {
    const told = ({ object }: { object: Record<string, unknown> }) => {
      this.#follow(object).catch(() => undefined);
    };
    while (!this.#left) {
      await this.#seed.watch(`${this.#deployments}?watch=1`, told).catch(() => undefined);
      await pause(100);
    }
  }

  async #follow(object: Record<string, unknown>): Promise<void> {
    const { metadata, spec, status } = object as {
      metadata: { name: string; generation: number };
      spec: { replicas: number };
      status: { observedGeneration?: number };
    };
    if (this.#left || status.observedGeneration === metadata.generation) return;
    await settle(this.#seed, this.#namespace, metadata.name, spec.replicas, metadata.generation);
  }
}

import type { V1EndpointSlice, V1Pod } from '@kubernetes/client-node';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { seedUser, shootUser, weederUser } from '@dwd/testing/gardener-rbac.ts';
import { Program, roleWords } from '@dwd/testing/program.ts';
import { configOf } from '@dwd/testing/prober-configs.ts';
import type { Replicas, Stage } from '@dwd/testing/stage.ts';
import { PlayedDeployments } from '../../meltdown/played-deployments.ts';
import type { RealApiServer } from '../../real/api-server.ts';
import { isRemovedAfterUs } from '../../real/clearing-up.ts';
import { mergePatch, tolerating, type OperatorClient } from '../../real/operator-client.ts';
import { crashLoopingContainer, podObject, runningContainer } from '@dwd/simulator/workloads/pod-status.ts';
import { sliceObject } from '@dwd/simulator/workloads/service-slices.ts';
import type { PodRef } from 'dependency-watchdog/domain/weeder/pod.ts';
import { addShoot } from '../../real/seed-objects.ts';
import { StagedNodes } from '../support/staged-nodes.ts';

const clusters = { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'clusters' };

/** One shoot of three nodes on a real seed, with its Deployments played, for a prober to guard. */
export class RealStage implements Stage {
  readonly #seed: RealApiServer;
  readonly #shoot: RealApiServer;
  readonly #namespace: string;
  readonly #deployments: string;
  readonly #played: PlayedDeployments;
  #nodes: StagedNodes | undefined;

  constructor(seed: RealApiServer, shoot: RealApiServer, namespace: string) {
    this.#seed = seed;
    this.#shoot = shoot;
    this.#namespace = namespace;
    this.#deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    this.#played = new PlayedDeployments(seed, { namespace, isAway: true, podTakes: { toStart: 0, toEnd: 0 } });
  }

  /** Of the configuration's dependants the Deployments are there then, and no others. */
  async enter(configText: string): Promise<void> {
    const config = configOf(configText);
    const dependants = config.dependants.filter(({ ref }) => ref.kind === 'Deployment');
    const names = [1, 2, 3].map((number) => `${this.#namespace}-node-${number}`);
    this.#nodes = await StagedNodes.join(this.#shoot.operator, names);
    const kubeconfigOf = () => this.#shoot.kubeconfig(shootUser);
    await addShoot(this.#seed, this.#namespace, { ...config, dependants }, kubeconfigOf, names);
    void this.#played.follow();
  }

  /** What later tests might stumble over goes. */
  async leave(): Promise<void> {
    this.#played.stop();
    const { custom } = this.#seed.operator;
    await tolerating([404], custom.deleteClusterCustomObject({ ...clusters, name: this.#namespace }));
    await this.#nodes?.leave();
  }

  async cutOff(): Promise<void> {
    await this.#nodes?.cutOffLongAgo();
  }

  async heal(): Promise<void> {
    await this.#nodes?.heal();
  }

  async replicas(): Promise<Replicas> {
    const { items } = await this.#seed.operator.apps.listNamespacedDeployment({ namespace: this.#namespace });
    return Object.fromEntries(items.map(({ metadata, spec }) => [metadata?.name, spec?.replicas ?? 1]));
  }

  leaseOf(role: RoleName): Promise<Readonly<Record<string, unknown>> | undefined> {
    return leaseOn(this.#seed, role);
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
}

export const leasePath = (role: RoleName): string =>
  `/apis/coordination.k8s.io/v1/namespaces/garden/leases/dwd-${role}-leader-election`;

/** Who holds a role's Lease on a real seed. */
async function leaseOn(seed: RealApiServer, role: RoleName): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { body } = await seed.call('GET', leasePath(role), undefined, [404]);
  return body['kind'] === 'Lease' ? (body['spec'] as Readonly<Record<string, unknown>>) : undefined;
}

/** As `PlainDependants`, of one namespace of a real seed: pods and EndpointSlices that stay as they are put, since no controller and no kubelet does anything. */
export class RealPlainDependants {
  readonly #operator: OperatorClient;
  readonly #namespace: string;

  constructor(seed: RealApiServer, namespace: string) {
    this.#operator = seed.operator;
    this.#namespace = namespace;
  }

  async enter(): Promise<void> {
    const body = { metadata: { name: this.#namespace } };
    await tolerating([409], this.#operator.core.createNamespace({ body }));
  }

  async add(name: string, labels: Readonly<Record<string, string>>, loops: boolean): Promise<PodRef> {
    // On no node, so that its deletion waits for no kubelet.
    const { metadata, spec } = podObject({ ...this.#pod(name, loops), labels, nodeName: '' });
    const body = { metadata, spec } as V1Pod;
    const made = await this.#operator.core.createNamespacedPod({ namespace: this.#namespace, body });
    await this.turn(name, loops);
    return { name, uid: made.metadata?.uid ?? '' };
  }

  /** Its container crash-loops from now on, or runs. */
  async turn(name: string, loops: boolean): Promise<void> {
    const { status } = podObject(this.#pod(name, loops));
    const of = { namespace: this.#namespace, name };
    await this.#operator.core.patchNamespacedPodStatus({ ...of, body: { status } }, mergePatch);
  }

  async left(): Promise<readonly string[]> {
    const { items } = await this.#operator.core.listNamespacedPod({ namespace: this.#namespace });
    return items.map(({ metadata }) => metadata?.name ?? '').toSorted();
  }

  /** The service has one endpoint, ready or not. */
  async slice(service: string, ready: boolean): Promise<void> {
    const { discovery } = this.#operator;
    const namespace = this.#namespace;
    const name = `${service}-1`;
    const body = sliceObject({ name, namespace, service, endpoints: [{ address: '100.64.0.1', ready }] });
    const patched = discovery.patchNamespacedEndpointSlice({ namespace, name, body }, mergePatch);
    if ((await tolerating([404], patched)) === undefined)
      await discovery.createNamespacedEndpointSlice({ namespace, body: body as unknown as V1EndpointSlice });
  }

  /** The same, told by Endpoints alone. */
  async endpoints(service: string, ready: boolean): Promise<void> {
    const { core } = this.#operator;
    const of = { namespace: this.#namespace, name: service };
    const addresses = [{ ip: '100.64.0.1' }];
    const subsets = [ready ? { addresses } : { notReadyAddresses: addresses }];
    const patched = core.patchNamespacedEndpoints({ ...of, body: { subsets } }, mergePatch);
    if ((await tolerating([404], patched)) === undefined)
      await core.createNamespacedEndpoints({ ...of, body: { metadata: { name: service }, subsets } });
  }

  /** The reasons of the Kubernetes events of this namespace on a pod. */
  async eventsOn(pod: string): Promise<readonly string[]> {
    const fieldSelector = `involvedObject.name=${pod}`;
    const { items } = await this.#operator.core.listNamespacedEvent({ namespace: this.#namespace, fieldSelector });
    return items.map(({ reason }) => reason ?? '');
  }

  #pod(name: string, loops: boolean) {
    const now = Date.now();
    const containers = [loops ? crashLoopingContainer(name, now) : runningContainer(name, now)];
    return { name, namespace: this.#namespace, now, containers };
  }
}

const directory = mkdtempSync(join(tmpdir(), 'dwd-started-'));
isRemovedAfterUs(directory);
let count = 0;

/** A file with this text, which goes with this process. */
export function fileOf(name: string, text: string): string {
  const path = join(directory, `${++count}-${name}`);
  writeFileSync(path, text);
  return path;
}

export const gardenersRates = ['--kube-api-qps=20', '--kube-api-burst=100'] as const;

/** The prober's, with delays that fit into a test; `initialDelay` is the machine-controller-manager's on the way up. */
export function proberConfig(initialDelay = '200ms'): string {
  return `
kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 500ms
initialDelay: 0s
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}
  scaleUp: {level: 1, initialDelay: ${initialDelay}}
  scaleDown: {level: 0}
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 1}
`;
}

/** Starts a role on a seed as Gardener's user for it. `server`: another address of the seed. */
export function started(
  test: Pick<TestContext, 'onTestFinished'>,
  role: 'prober' | 'weeder',
  seed: RealApiServer,
  { config, server, flags = [] }: Readonly<{ config: string; server?: string; flags?: readonly string[] }>,
): Program {
  const kubeconfig = seed.kubeconfig(role === 'prober' ? seedUser : weederUser, server);
  const files = { configFile: fileOf('config.yaml', config), kubeconfig: fileOf('kubeconfig', kubeconfig) };
  return new Program(test, roleWords(role, files, ['--inspector-bind-addr=0', ...flags]));
}

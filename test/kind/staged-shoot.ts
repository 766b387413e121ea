import { setTimeout as pause } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { clusterObject, workerPool } from '@dwd/simulator/shoot/shoot-objects.ts';
import { gardenerKinds } from '@dwd/lab/real/custom-kinds.ts';
import { addWorkload } from '@dwd/lab/real/control-plane.ts';
import { mergePatch, tolerating } from '@dwd/lab/real/operator-client.ts';
import { PlayedPods } from '@dwd/lab/real/played-pods.ts';
import { addMachine, setMachineStatus } from '@dwd/lab/real/seed-objects.ts';
import { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { bearerKubeconfig } from './kubeconfig.ts';
import type { Balancer } from '@dwd/simulator/api/balancer.ts';
import { ShootPaths } from '@dwd/simulator/shoot/shoot-paths.ts';
import { writeProbeSecret } from './play/probe-secret.ts';
import { PlayedWorkloads } from './play/played-workloads.ts';
import { StagedNodes } from '@dwd/lab/test/support/staged-nodes.ts';
import { SeenDependants, type SeenDependant } from './seen-dependants.ts';
import { linesOf, metricsOf, stage, type ProgramName } from './stage.ts';
import { removeNamespace } from './sweep.ts';
import { until } from '@dwd/lab/test/support/until.ts';

export const kcm = 'kube-controller-manager';
export const mcm = 'machine-controller-manager';
export const ca = 'cluster-autoscaler';

export const ignore = 'dependency-watchdog.gardener.cloud/ignore-scaling';

/** Different numbers, so that a record cannot be mistaken for a guess. */
const originalReplicas: Readonly<Record<string, number>> = { [kcm]: 2, [mcm]: 1, [ca]: 1 };

const [clusterKind] = gardenerKinds;

type ShootOptions = Readonly<{
  nodes?: number;
  /** Its Cluster is changed by this before it is created. */
  declared?: Declared;
  /** It is judged by two paths, not by leases (SPEC 2.2): it has a Secret for each, and the prober of the older generation watches it. */
  twoPaths?: boolean;
}>;

/** A merge patch on `spec.shoot` of the Cluster. */
type Declared = Readonly<{ metadata?: object; spec?: object; status?: object }>;

/** One shoot: its control plane's namespace in the seed, its nodes, and the proxy before its API server. It goes with the test. */
export class StagedShoot {
  readonly name: string;
  readonly seed: Cluster;
  readonly nodes: StagedNodes;
  /** To its API server, for the program alone: kubelets and test go past them. The external one is used where it has two. Each probe makes a connection (SPEC 4.3). */
  readonly paths: ShootPaths;
  readonly pods: PlayedPods;
  /** Comes when the shoot goes. */
  readonly ending: AbortSignal;
  /** Its Deployments, and what else it follows. */
  readonly seen: SeenDependants;
  readonly #shootIn: Cluster;
  readonly #probeToken: string;
  readonly #twoPaths: boolean;
  readonly #program: ProgramName;

  private constructor(
    parts: Pick<StagedShoot, 'name' | 'seed' | 'nodes' | 'paths' | 'pods' | 'ending'>,
    shootIn: Cluster,
    probeToken: string,
    twoPaths: boolean,
  ) {
    ({ name: this.name, seed: this.seed, nodes: this.nodes } = parts);
    ({ paths: this.paths, pods: this.pods, ending: this.ending } = parts);
    this.#twoPaths = twoPaths;
    this.#program = twoPaths ? 'olderProber' : 'prober';
    this.seen = new SeenDependants(this.seed, this.name, this.ending);
    this.#shootIn = shootIn;
    this.#probeToken = probeToken;
  }

  /** `name` is the scenario's own among all: it names the namespace, and the nodes. */
  static async raise(
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    name: string,
    { nodes: count = 3, declared, twoPaths = false }: ShootOptions = {},
  ): Promise<StagedShoot> {
    const namespace = `shoot--kind--${name}`;
    const { seed: seedFile, shoots, probeTokens, runsControllers } = stage();
    const which = Buffer.from(name).reduce((sum, byte) => sum + byte, 0) % shoots.length;
    const [seed, shootIn] = await Promise.all([Cluster.by(seedFile), Cluster.by(shoots[which]!)]);
    const ending = new AbortController();

    await seed.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const paths = await ShootPaths.before(shootIn.credentials.server);
    const pods = new PlayedPods(seed.operator, namespace, ending.signal);
    if (!runsControllers) {
      const workloads = new PlayedWorkloads(seed, namespace, pods, ending.signal);
      pods.changed = () => workloads.look();
    }
    const nodes = await StagedNodes.join(
      shootIn.operator,
      Array.from({ length: count }, (_, index) => `${name}-${index + 1}`),
    );
    const parts = { name: namespace, seed, nodes, paths, pods, ending: ending.signal };
    const shoot = new StagedShoot(parts, shootIn, probeTokens[which]!, twoPaths);
    onTestFinished(async () => {
      ending.abort();
      await tolerating([404], seed.operator.custom.deleteClusterCustomObject({ ...clusterKind, name: namespace }));
      await nodes.leave();
      await removeNamespace(seed.operator, namespace);
      await paths.stop();
    });

    shoot.seen.follow({ group: 'apps', version: 'v1', plural: 'deployments' });
    await shoot.writeSecrets();
    for (const dependant of [kcm, mcm, ca])
      await shoot.addWorkload('Deployment', dependant, originalReplicas[dependant] ?? 1);
    for (const node of nodes.names) await addMachine(seed.operator, namespace, node);
    await until(`${namespace} has its pods`, () => pods.of().filter(({ state }) => state === 'ready').length === 4);
    const { group, version, kind } = clusterKind;
    await seed.apply({ apiVersion: `${group}/${version}`, kind, ...clusterObject(namespace) });
    if (declared !== undefined) await shoot.declare(declared);
    return shoot;
  }

  // What the operator, gardenlet, or fate does.

  /** Changes what the Cluster says of the Shoot: a merge patch on it. */
  async declare(shoot: Declared): Promise<void> {
    const { custom } = this.seed.operator;
    await custom.patchClusterCustomObject({ ...clusterKind, name: this.name, body: { spec: { shoot } } }, mergePatch);
  }

  /** gardenlet says what it does with the shoot. */
  async operate(type: string, state: string): Promise<void> {
    await this.declare({ status: { lastOperation: { type, state } } });
  }

  /** The machine-controller-manager says what a node's Machine does. */
  async setMachinePhase(node: string, phase: string): Promise<void> {
    await setMachineStatus(this.seed.operator, this.name, node, { currentStatus: { phase } });
  }

  async removeCluster(): Promise<void> {
    await this.seed.operator.custom.deleteClusterCustomObject({ ...clusterKind, name: this.name });
  }

  /** Writes the Secret of the probe where it is the only one; by default the right one. */
  async writeSecret(kubeconfig = this.probeKubeconfig): Promise<void> {
    await writeProbeSecret(this.seed, this.name, 'probe', kubeconfig);
  }

  /** Writes the right Secrets, as many as it has paths. */
  async writeSecrets(): Promise<void> {
    if (!this.#twoPaths) return this.writeSecret();
    await writeProbeSecret(this.seed, this.name, 'internal', this.probeKubeconfig);
    await writeProbeSecret(this.seed, this.name, 'external', this.#kubeconfigThrough(this.paths.external));
  }

  get probeKubeconfig(): string {
    return this.#kubeconfigThrough(this.paths.internal);
  }

  /** Its pods bear the role of its name. */
  async addWorkload(kind: 'Deployment' | 'StatefulSet', name: string, replicas: number): Promise<void> {
    await addWorkload(this.seed.operator, this.name, { kind, name, role: name, replicas });
  }

  /** Somebody scales a Deployment by hand, and it is seen so, be it for a moment. */
  async scale(name: string, replicas: number): Promise<void> {
    const before = this.seen.history.length;
    await this.#patchDeployment(name, { spec: { replicas } });
    const isSo = (seen: SeenDependant) => seen.name === name && seen.replicas === replicas;
    await this.until(`${name} is seen at ${replicas}`, () => this.seen.history.slice(before).some(isSo));
  }

  async annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    await this.#patchDeployment(name, { metadata: { annotations } });
  }

  // What is seen.

  /** Waits until so many more probes have ended. Each probe makes a connection, so the end of one shows with the next. */
  async probed(count = 2): Promise<void> {
    const from = this.paths.internal.connectionCount;
    await this.until(`${count} more probes`, () => this.paths.internal.connectionCount > from + count);
  }

  /** Waits until it is in `probing`, and a probe has read its leases. */
  async isProbed(): Promise<void> {
    await this.reaches('probing');
    await this.probed(1);
  }

  /** All that was renewed last is old enough to count as expired, and was looked at. */
  async expiredAndProbed(): Promise<void> {
    await this.until('the leases are expired', () => this.nodes.areExpired);
    await this.probed();
  }

  /** Throws if one comes within the time of three probes. A probe that is under way may end first. */
  async isLeftAlone(): Promise<void> {
    await pause(1_000);
    const { connectionCount } = this.paths.internal;
    await pause(18_000);
    if (this.paths.internal.connectionCount !== connectionCount)
      throw new Error(`${this.name} was probed\n${this.#account()}`);
  }

  /** The state in which the prober's metrics show it; undefined where they do not. */
  async state(): Promise<string | undefined> {
    const states = (await this.series()).flatMap(
      ([series]) => /^dwd_shoot_state\{.*state="(\w+)"/.exec(series)?.[1] ?? [],
    );
    return states[0];
  }

  /** How many probes have failed for this reason. */
  async failures(reason: string): Promise<number> {
    const failed = (await this.series()).filter(
      ([series]) => series.startsWith('dwd_probe_failures_total') && series.includes(`reason="${reason}"`),
    );
    return failed.reduce((sum, [, count]) => sum + count, 0);
  }

  /** What the prober's metrics say of this shoot. */
  async series(): Promise<readonly (readonly [string, number])[]> {
    return Object.entries(await metricsOf(this.#program)).filter(([series]) => series.includes(`shoot="${this.name}"`));
  }

  async reaches(state: string): Promise<void> {
    await this.until(`the state ${state}`, async () => (await this.state()) === state);
  }

  /** Lines of the prober's log of this shoot with these fields. */
  lines(fields: Readonly<Record<string, unknown>> = {}) {
    return linesOf(this.#program, { shoot: this.name, ...fields });
  }

  /** Waits until there is one such line, and no second one. Lines are gathered before they are written, so metrics and the seed may show a turn before the log does. */
  async told(fields: Readonly<Record<string, unknown>>) {
    await this.until(`it is told once: ${JSON.stringify(fields)}`, () => this.lines(fields).length === 1);
    return this.lines(fields)[0]!;
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>, patience = 90_000): Promise<void> {
    await until(`${this.name}: ${what}`, isSo, { patience, account: () => this.#account() });
  }

  #kubeconfigThrough({ url }: Balancer): string {
    return bearerKubeconfig(this.name, this.#shootIn.credentials, this.#probeToken, Number(new URL(url).port));
  }

  #account(): string {
    const lines = this.lines().map((line) => JSON.stringify(line));
    return [JSON.stringify(this.seen.history), ...lines.slice(-12)].join('\n');
  }

  async #patchDeployment(name: string, body: object): Promise<void> {
    await this.seed.operator.apps.patchNamespacedDeployment({ namespace: this.name, name, body }, mergePatch);
  }
}

/** A pool of workers as a Shoot declares it, which the embedded ones have too. */
export const pool = workerPool;

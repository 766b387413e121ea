import { setTimeout as pause } from 'node:timers/promises';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { secretNames } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { startShoot } from '../real/gardener-servers.ts';
import type { Extras, RealApiServer } from '../real/api-server.ts';
import { HollowKubelets } from '../real/hollow-kubelets.ts';
import { type Kubelets, PlayedKubelets } from '../real/played-kubelets.ts';
import { addShoot } from '../real/seed-objects.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';
import type { OperatorClient } from '../real/operator-client.ts';
import { RealShootPaths } from '../real/shoot-paths.ts';
import { MachineFleet } from './machine-fleet.ts';
import type { MeltdownGround } from './place.ts';
import { ShootControllerManager } from './shoot-controller-manager.ts';
import { changesOf, isWell, listMachines, readShootState, type ShootState } from './shoot-state.ts';

const statusEvery = 5 * 60_000;
const longestHealing = 180_000;
const stillDown = 'the kube-controller-manager does not run, or nodes are marked';

/** Where the audit log of a server is, by its name. */
export type AuditOf = (name: string) => Pick<Extras, 'auditLog' | 'auditBodies'>;

/** A shoot whose control plane is real. Its kubelets are played, or hollow ones. */
export class MeltingShoot {
  readonly name: string;
  readonly kubelets: Kubelets;
  readonly marks: NodeMarks;
  readonly controllerManager: ShootControllerManager;
  readonly paths: RealShootPaths;
  /** Real Machines; undefined where they are played. */
  readonly machines: MachineFleet | undefined;
  readonly #seed: RealApiServer;
  readonly #server: RealApiServer;
  readonly #ahead: number;
  readonly #nodeCount: number;

  private constructor(
    { bin, directory, config, kubeletsAhead: ahead = 0, silences = false }: MeltdownGround,
    { name, column, nodeCount }: Readonly<{ name: string; column: string; nodeCount: number }>,
    seed: RealApiServer,
    server: RealApiServer,
    paths: RealShootPaths,
    kubelets: Kubelets,
    machines: MachineFleet | undefined,
  ) {
    this.name = name;
    this.paths = paths;
    this.#ahead = ahead;
    this.#nodeCount = nodeCount;
    this.kubelets = kubelets;
    this.machines = machines;
    this.marks = new NodeMarks(server, silences);
    this.controllerManager = new ShootControllerManager(
      { bin, directory, graceMillis: config.kcmNodeMonitorGraceDuration, elects: silences },
      `${column}.${name}.kube-controller-manager`,
      server,
    );
    this.#seed = seed;
    this.#server = server;
  }

  /** Starts its API server. `column` distinguishes twins, which share a name. */
  static async start(
    place: MeltdownGround,
    seed: RealApiServer,
    one: Readonly<{
      name: string;
      column: string;
      nodeCount: number;
      audit?: ReturnType<AuditOf>;
    }>,
  ): Promise<MeltingShoot> {
    const [{ directory, machinePrograms }, { nodeCount: count, name: namespace }] = [place, one];
    const name = `${one.column}.${namespace}`;
    const shoot = await startShoot(place, name, { address: place.address, ...one.audit });
    const paths = await RealShootPaths.of(shoot);
    const kubelets = kubeletsOf(place, one, paths);
    const fleet = { seed, shoot, namespace, kubelets, count };
    const machines = machinePrograms && (await MachineFleet.prepare(machinePrograms, { directory, name }, fleet));
    return new MeltingShoot(place, one, seed, shoot, paths, kubelets, machines);
  }

  /** The seed learns of the shoot, and its kubelets start: played ones from that instant on, unless it has real Machines. */
  async raise({ config, silences = false }: MeltdownGround, replicas: number, kubeletsStartAt: number): Promise<void> {
    const names = Array.from({ length: this.machines ? 0 : this.#nodeCount }, (_, index) => `node-${index}`);
    for (const name of names) await this.kubelets.start(name, kubeletsStartAt);
    await addShoot(this.#seed, this.name, config, this.paths.kubeconfigs(config, silences), names, replicas);
    await this.machines?.raise();
  }

  /** Whether all kubelets have joined, and their nodes are ready. */
  async hasJoined(): Promise<boolean> {
    if (this.kubelets.names.length < this.#nodeCount || !(await this.kubelets.haveRenewed())) return false;
    return isWell(await this.state());
  }

  /** Its API server is away for so long, in ms, for everybody. */
  async serverAway(length: number): Promise<void> {
    await this.#server.die();
    await pause(length);
    await this.#server.rise();
  }

  /** The kubeconfig that the prober reaches it by, with another token in place of the one that never changes. */
  proberKubeconfig(token: string, place: Pick<MeltdownGround, 'config' | 'silences'>): string {
    const [secret = ''] = secretNames(place.config);
    const usual = this.paths.kubeconfigs(place.config, place.silences)(secret);
    return usual.replace(this.#server.token(shootUser), token);
  }

  /** The clients of its administrator. */
  get operator(): OperatorClient {
    return this.#server.operator;
  }

  state(): Promise<ShootState> {
    return readShootState(this.#seed, this.name, this.#server, this.machines !== undefined);
  }

  /** What is not as it was, looked at each second until nothing is, or for three minutes since `from`. */
  async changesSince(
    before: ShootState,
    from: number,
    look: (changes: readonly string[]) => void = () => undefined,
  ): Promise<readonly string[]> {
    for (;;) {
      await pause(1_000);
      const isCalm = this.marks.marked.size === 0 && this.controllerManager.isRunning;
      const changes = isCalm ? await this.#changesNow(before) : [stillDown];
      look(changes);
      if (changes.length === 0 || Date.now() - from >= longestHealing) return changes;
    }
  }

  /** On a busy machine a server may fail to answer for once. That is a change like any other: it is looked at again, and told where it stays so. */
  async #changesNow(before: ShootState): Promise<readonly string[]> {
    try {
      return changesOf(before, await this.state());
    } catch (error) {
      return [`its state cannot be read: ${errorWords(error)}`];
    }
  }

  /** Of the Machines that there are. */
  async machineIds(): Promise<ReadonlySet<string>> {
    const machines = await listMachines(this.#seed, this.name);
    return new Set(machines.map(({ metadata }) => metadata?.uid ?? ''));
  }

  /** When each node last renewed its lease by the true time, in ms, as the API server has it: it may have taken what the kubelet saw fail. Oldest first. */
  async renewals(): Promise<readonly number[]> {
    const leases = { namespace: 'kube-node-lease' };
    const { items } = await this.#server.operator.coordination.listNamespacedLease(leases);
    // Nobody here removes the lease of a node that is gone.
    return items
      .filter(({ metadata }) => this.kubelets.names.includes(metadata?.name ?? ''))
      .map(({ spec }) => new Date(spec?.renewTime ?? Number.NaN).getTime() - this.#ahead)
      .toSorted((one, other) => one - other);
  }

  async stop(): Promise<void> {
    this.marks.stop();
    await this.machines?.stop();
    await this.kubelets.stop();
    await this.controllerManager.end();
    await this.paths.stop();
    await this.#server.close();
  }
}

function kubeletsOf(
  { directory, chance, hollowKubelet, kubeletsAhead: ahead = 0 }: MeltdownGround,
  { name, column }: Readonly<{ name: string; column: string }>,
  { ofKubelets }: RealShootPaths,
): Kubelets {
  if (hollowKubelet !== undefined)
    return new HollowKubelets(hollowKubelet, ofKubelets, { directory, prefix: `${column}.${name}` });
  // By the order in which they come, and not by the column: twins renew at the same instants, unless Machines come when they come.
  let count = 0;
  const phase = () => chance(`${name} node-${count++}`);
  return new PlayedKubelets(ofKubelets, { chance: phase, statusEvery, ahead });
}

type Node = Readonly<{
  metadata: { name: string };
  status?: { conditions?: { type: string; status: string }[] };
}>;

/** Which nodes of a shoot its controller-manager takes for dead, by a watch on its API server. */
class NodeMarks {
  /** Nodes that are marked now. */
  readonly marked = new Set<string>();
  /** Every mark, with the instant at which the watch showed it, in ms. */
  readonly all: Readonly<{ node: string; at: number }>[] = [];
  readonly #shoot: RealApiServer;
  readonly #isAway: boolean;
  #stopped = false;

  /** `isAway`: the API server is away at times, and is watched again until it is back. */
  constructor(shoot: RealApiServer, isAway = false) {
    this.#shoot = shoot;
    this.#isAway = isAway;
  }

  /** Goes on until it is stopped. Rejects if it fails. */
  async follow(): Promise<void> {
    while (!this.#stopped)
      await this.#shoot
        .watch('/api/v1/nodes?watch=1', ({ type, object }) => {
          const node = object as unknown as Node;
          if (type === 'DELETED') this.marked.delete(node.metadata.name);
          else this.#onNode(node);
        })
        .catch(async (error: unknown) => {
          if (!this.#stopped && !this.#isAway) throw error;
          await pause(200);
        });
  }

  stop(): void {
    this.#stopped = true;
  }

  #onNode({ metadata: { name }, status }: Node): void {
    // A kubelet that has just come says False itself.
    const isMarked = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'Unknown');
    if (isMarked !== true) this.marked.delete(name);
    else if (!this.marked.has(name)) {
      this.marked.add(name);
      this.all.push({ node: name, at: Date.now() });
    }
  }
}

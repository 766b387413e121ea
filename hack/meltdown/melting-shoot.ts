import { setTimeout as pause } from 'node:timers/promises';
import { secretNames } from '../../src/domain/prober/prober-config.ts';
import { startShoot } from '../real/gardener-servers.ts';
import type { Extras, RealApiServer } from '../real/api-server.ts';
import { RealNodes } from '../real/nodes.ts';
import { addShoot } from '../real/seed-objects.ts';
import { shootUser } from '../real/gardener-rbac.ts';
import type { OperatorClient } from '../real/operator-client.ts';
import { ShootPaths } from '../real/shoot-paths.ts';
import { NodeMarks } from './node-marks.ts';
import type { Place } from './place.ts';
import { ShootControllerManager } from './shoot-controller-manager.ts';
import { readShootState, type ShootState } from './shoot-state.ts';

const statusEvery = 5 * 60_000;

/** A shoot whose control plane is real and whose kubelets are played. */
export class MeltingShoot {
  readonly name: string;
  readonly nodes: RealNodes;
  readonly marks: NodeMarks;
  readonly controllerManager: ShootControllerManager;
  readonly paths: ShootPaths;
  readonly #seed: RealApiServer;
  readonly #server: RealApiServer;
  readonly #ahead: number;

  private constructor(
    { bin, directory, config, chance, kubeletsAhead: ahead = 0, silences = false }: Place,
    { name, column, nodeCount }: Readonly<{ name: string; column: string; nodeCount: number }>,
    seed: RealApiServer,
    server: RealApiServer,
    paths: ShootPaths,
  ) {
    this.name = name;
    this.paths = paths;
    // Not by the column: twins renew at the same instants.
    const kubelets = { chance: (node: string) => chance(`${name} ${node}`), statusEvery, ahead };
    this.#ahead = ahead;
    this.nodes = new RealNodes(paths.ofKubelets, nodeCount, kubelets);
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
    place: Place,
    seed: RealApiServer,
    one: Readonly<{
      name: string;
      column: string;
      nodeCount: number;
      audit?: Pick<Extras, 'auditLog' | 'auditBodies'>;
    }>,
  ): Promise<MeltingShoot> {
    const server = await startShoot(place, `${one.column}.${one.name}`, { address: place.address, ...one.audit });
    return new MeltingShoot(place, one, seed, server, await ShootPaths.before(server));
  }

  /** Nodes join, the controller-manager looks at them, the seed learns of the shoot. */
  async join({ config, silences = false }: Place, replicas: number, kubeletsStartAt: number): Promise<void> {
    await this.nodes.join(kubeletsStartAt);
    await this.controllerManager.start();
    await addShoot(this.#seed, this.name, config, this.paths.kubeconfigs(config, silences), this.nodes.names, replicas);
  }

  /** Its API server is away for so long, in ms, for everybody. */
  async serverAway(length: number): Promise<void> {
    await this.#server.die();
    await pause(length);
    await this.#server.rise();
  }

  /** The kubeconfig that the prober reaches it by, with another token in place of the one that never changes. */
  proberKubeconfig(token: string, place: Pick<Place, 'config' | 'silences'>): string {
    const [secret = ''] = secretNames(place.config);
    const usual = this.paths.kubeconfigs(place.config, place.silences)(secret);
    return usual.replace(this.#server.token(shootUser), token);
  }

  /** The clients of its administrator. */
  get operator(): OperatorClient {
    return this.#server.operator;
  }

  state(): Promise<ShootState> {
    return readShootState(this.#seed, this.name, this.#server);
  }

  /** When each node last renewed its lease by the true time, in ms, as the API server has it: it may have taken what the kubelet saw fail. Oldest first. */
  async renewals(): Promise<readonly number[]> {
    const leases = { namespace: 'kube-node-lease' };
    const { items } = await this.#server.operator.coordination.listNamespacedLease(leases);
    return items
      .map(({ spec }) => new Date(spec?.renewTime ?? Number.NaN).getTime() - this.#ahead)
      .toSorted((one, other) => one - other);
  }

  async stop(): Promise<void> {
    this.marks.stop();
    this.nodes.stop();
    await this.controllerManager.end();
    await this.paths.stop();
    await this.#server.close();
  }
}

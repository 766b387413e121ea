import { grantInShoot, shootUser } from '../real/gardener-rbac.ts';
import { RealApiServer } from '../real/api-server.ts';
import { RealNodes } from '../real/nodes.ts';
import { tolerating } from '../real/operator-client.ts';
import { addShoot } from '../real/seed-objects.ts';
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
  readonly #seed: RealApiServer;
  readonly #server: RealApiServer;

  private constructor(
    { bin, directory, config, chance }: Place,
    { name, column, nodeCount }: Readonly<{ name: string; column: string; nodeCount: number }>,
    seed: RealApiServer,
    server: RealApiServer,
  ) {
    this.name = name;
    // Not by the column: twins renew at the same instants.
    this.nodes = new RealNodes(server, nodeCount, { chance: (node) => chance(`${name} ${node}`), statusEvery });
    this.marks = new NodeMarks(server);
    this.controllerManager = new ShootControllerManager(
      { bin, directory, graceMillis: config.kcmNodeMonitorGraceDuration },
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
    one: Readonly<{ name: string; column: string; nodeCount: number }>,
  ): Promise<MeltingShoot> {
    const probe = { name: shootUser, token: `probe-in-${one.name}`, groups: ['system:serviceaccounts'] };
    const { bin, directory, etcd, address } = place;
    const server = await RealApiServer.start(bin, directory, `${one.column}.${one.name}`, etcd, [probe], { address });
    const body = { metadata: { name: 'kube-node-lease' } };
    await tolerating([409], server.operator.core.createNamespace({ body }));
    await grantInShoot(server);
    return new MeltingShoot(place, one, seed, server);
  }

  /** Nodes join, the controller-manager looks at them, the seed learns of the shoot. */
  async join({ config }: Place, replicas: number, kubeletsStartAt: number): Promise<void> {
    await this.nodes.join(kubeletsStartAt);
    await this.controllerManager.start();
    const kubeconfig = this.#server.kubeconfig(shootUser, this.#server.urlForOthers);
    await addShoot(this.#seed, this.name, config, kubeconfig, this.nodes.names, replicas);
  }

  state(): Promise<ShootState> {
    return readShootState(this.#seed, this.name, this.#server);
  }

  async stop(): Promise<void> {
    this.nodes.stop();
    this.marks.stop();
    await this.controllerManager.end();
    await this.#server.close();
  }
}

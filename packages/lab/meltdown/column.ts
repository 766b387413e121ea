import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../real/api-server.ts';
import { startSeed } from '../real/gardener-servers.ts';
import { defineMachines } from './machine-fleet.ts';
import { MeltingShoot, type AuditOf } from './melting-shoot.ts';
import type { MeltdownGround } from './place.ts';
import { PlayedDeployments, type Deployed } from './played-deployments.ts';

/** An API server keeps a core busy for seconds while it starts; more of them at a time only wait for each other. */
const startedAtOnce = 2;

type Size = Readonly<{ shoots: number; nodes: number }>;

/** Every second shoot is highly available: two replicas of everything. */
export const replicasOf = (shoot: number): number => 1 + (shoot % 2);

/** A seed with its shoots; two columns of a meltdown are the same but for the prober. */
export class Column implements AsyncDisposable {
  readonly seed: RealApiServer;
  readonly shoots: readonly MeltingShoot[];
  readonly deployments: PlayedDeployments;
  readonly #place: MeltdownGround;

  private constructor(place: MeltdownGround, seed: RealApiServer, shoots: readonly MeltingShoot[], isAway: boolean) {
    this.#place = place;
    this.seed = seed;
    this.shoots = shoots;
    const behind = shoots.flatMap(({ name, controllerManager, machines }): readonly [string, Deployed][] => [
      [`${name}/kube-controller-manager`, controllerManager],
      ...(machines === undefined
        ? []
        : [[`${name}/machine-controller-manager`, machines.manager] satisfies [string, Deployed]]),
    ]);
    this.deployments = new PlayedDeployments(seed, { behind: new Map(behind), isAway });
  }

  /** All API servers; nothing is in them yet but kinds and grants. */
  static async start(place: MeltdownGround, column: string, size: Size): Promise<Column> {
    const seed = await startSeed(place, `${column}.seed`, { address: place.address });
    if (place.machinePrograms) await defineMachines(seed, place.machinePrograms.definitions);
    return await Column.on(seed, place, column, size);
  }

  /** On a seed that is there. `auditOf` a shoot, by its name. `isAway`: the seed is away at times, and may be restored meanwhile. */
  static async on(
    seed: RealApiServer,
    place: MeltdownGround,
    column: string,
    { shoots, nodes, isAway = false, auditOf }: Size & Readonly<{ isAway?: boolean; auditOf?: AuditOf }>,
  ): Promise<Column> {
    const names = Array.from({ length: shoots }, (_, index) => `shoot--melt--${index + 1}`);
    const started: MeltingShoot[] = [];
    const start = (name: string): Promise<MeltingShoot> =>
      MeltingShoot.start(place, seed, { name, column, nodeCount: nodes, ...(auditOf && { audit: auditOf(name) }) });
    for (let from = 0; from < names.length; from += startedAtOnce)
      started.push(...(await Promise.all(names.slice(from, from + startedAtOnce).map(start))));
    return new Column(place, seed, started, isAway);
  }

  /**
   * Fills seed and shoots, and resolves once every controller-manager looks at its nodes. `trouble` is told if what is played here fails later.
   */
  async join(kubeletsStartAt: number, trouble: (error: unknown) => void): Promise<void> {
    for (const { marks } of this.shoots) void marks.follow().catch(trouble);
    void this.deployments.follow().catch(trouble);
    for (const [index, shoot] of this.shoots.entries())
      await shoot.raise(this.#place, replicasOf(index), kubeletsStartAt);
    for (const shoot of this.shoots) {
      await shoot.controllerManager.start();
      while (!(await shoot.hasJoined())) await pause(200);
    }
  }

  /** What is played on the seed. */
  async stop(): Promise<void> {
    this.deployments.stop();
    await Promise.all(this.shoots.map((shoot) => shoot.stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.seed.close();
  }
}

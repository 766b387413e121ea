import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MeltingShoot } from '../meltdown/melting-shoot.ts';
import type { Place } from '../meltdown/place.ts';
import { PlayedDeployments, type Deployed } from '../meltdown/played-deployments.ts';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import { furnishSeed, seedUsers } from '../real/gardener-servers.ts';
import { RestorableSeed } from '../real/restorable-seed.ts';
import { boundToken } from './bound-token.ts';
import { KeptProber } from './kept-prober.ts';

/** The audit logs that a night is judged by: of the seed, and of each shoot by its namespace. */
export type AuditLogs = Readonly<{ seed: string; shoots: ReadonlyMap<string, string> }>;

/** A seed with an etcd of its own, shoots with real API servers and controller-managers, and two probers that are kept up. */
export class NightPlane implements AsyncDisposable {
  readonly place: Place;
  readonly seed: RestorableSeed;
  readonly shoots: readonly MeltingShoot[];
  readonly deployments: PlayedDeployments;
  readonly probers: readonly [KeptProber, KeptProber];
  readonly auditLogs: AuditLogs;

  private constructor(place: Place, seed: RestorableSeed, shoots: readonly MeltingShoot[], parts: Parts) {
    this.place = place;
    this.seed = seed;
    this.shoots = shoots;
    ({ deployments: this.deployments, probers: this.probers, auditLogs: this.auditLogs } = parts);
  }

  /** All that there is before the probers start. `trouble` is told if what is played here fails later. */
  static async start(
    place: Place,
    { shoots: count, nodes }: Readonly<{ shoots: number; nodes: number }>,
    trouble: (error: unknown) => void,
  ): Promise<NightPlane> {
    const { directory } = place;
    const audit = (name: string) => ({ auditLog: join(directory, `${name}.audit.log`), auditBodies: true });
    const flags = ['--audit-log-maxsize=4096'];
    const seedPlace = { bin: place.bin, directory: join(directory, 'seed') };
    const seed = await RestorableSeed.start(seedPlace, { users: seedUsers, flags, ...audit('seed') });
    await furnishSeed(seed.api);
    const shoots: MeltingShoot[] = [];
    for (const name of Array.from({ length: count }, (_, index) => `shoot--night--${index + 1}`))
      shoots.push(
        await MeltingShoot.start(place, seed.api, { name, column: 'night', nodeCount: nodes, audit: audit(name) }),
      );
    const behind = shoots.map(({ name, controllerManager }): [string, Deployed] => [
      `${name}/kube-controller-manager`,
      controllerManager,
    ]);
    const deployments = new PlayedDeployments(seed.api, new Map(behind), true);
    for (const { marks } of shoots) void marks.follow().catch(trouble);
    void deployments.follow().catch(trouble);
    const joinedAt = Date.now();
    for (const [index, shoot] of shoots.entries()) {
      await shoot.raise(place, replicasOf(index), joinedAt);
      await shoot.controllerManager.start();
      while (!(await shoot.hasJoined())) await pause(200);
    }
    const probers = [await keptProber(place, seed, 1), await keptProber(place, seed, 2)] as const;
    // Restored as long as no later one was taken.
    await seed.backUp();
    const auditLogs = {
      seed: audit('seed').auditLog,
      shoots: new Map(shoots.map(({ name }) => [name, audit(name).auditLog])),
    };
    return new NightPlane(place, seed, shoots, { deployments, probers, auditLogs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.probers.map((prober) => prober.stop()));
    this.deployments.stop();
    await Promise.all(this.shoots.map((shoot) => shoot.stop()));
    await this.seed.stop();
  }
}

type Parts = Pick<NightPlane, 'deployments' | 'probers' | 'auditLogs'>;

/** Every second shoot is highly available: two replicas of everything. */
export const replicasOf = (shoot: number): number => 1 + (shoot % 2);

/** A prober whose token is bound to a pod of its own, so that the audit log tells the two apart. */
async function keptProber(place: Place, { api }: RestorableSeed, number: number): Promise<KeptProber> {
  const pod = `dependency-watchdog-prober-${number}`;
  const directory = join(place.directory, pod);
  mkdirSync(directory, { recursive: true });
  const token = await boundToken(api.operator, seedUser, { kind: 'Pod', name: pod });
  const kubeconfig = api.kubeconfig(seedUser).replace(api.token(seedUser), token);
  return new KeptProber(pod, { directory, kubeconfig, configFile: place.configFile });
}

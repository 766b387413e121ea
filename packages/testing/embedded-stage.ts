import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leaseNameOf } from 'dependency-watchdog/adapters/election/lease-record.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, microTime } from '@dwd/simulator/store/kube-object.ts';
import { gardenerGrants } from './gardener-rbac.ts';
import type { Replicas, Stage } from './stage.ts';

/** A request that reached the seed and was looked at; what met a fault was not. */
export type Asked = AccessAsked & Readonly<{ at: Instant }>;

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Whether it would change an object of the seed, Leases and Kubernetes events aside. */
export function isWrite({ verb, resource }: Asked): boolean {
  return !readingVerbs.has(verb) && resource !== 'leases' && resource !== 'events';
}

type EmbeddedStageParts = Pick<EmbeddedStage, 'config' | 'dir'> &
  Readonly<{
    permits?: (asked: Asked) => boolean;
    /** Beyond what Gardener grants. */
    mayAlso?: (asked: AccessAsked) => boolean;
  }>;

/** A seed in this process under Gardener's grants, files for who is to find it, and a look at what they ask. All users but `admin` may do what their role may. */
export class EmbeddedStage implements Stage {
  readonly seed: EmbeddedSeed;
  readonly config: ProberConfig;
  /** Gone with the stage. */
  readonly dir: string;
  readonly asked: Asked[] = [];
  /** Called with each request that Gardener grants before it is carried out. If it returns false, the request is refused. */
  permits: (asked: Asked) => boolean;
  /** The role of each user. */
  readonly #roles = new Map<string, RoleName>();
  readonly #now: () => Instant;

  constructor(seed: EmbeddedSeed, { config, dir, permits = () => true, mayAlso = () => false }: EmbeddedStageParts) {
    this.seed = seed;
    this.config = config;
    this.dir = dir;
    this.permits = permits;
    this.#now = () => seed.api.agenda.clock.now();
    seed.api.permitOnly((access) => {
      if (access.user === 'admin') return true;
      const one = { ...access, at: this.#now() };
      return (gardenerGrants(one, this.roleOf(one.user)) || mayAlso(one)) && this.permits(one);
    });
    seed.api.onRequest((access) => void this.asked.push({ ...access, at: this.#now() }));
  }

  /** The first shoot; most tests have but one. */
  get shoot(): EmbeddedShoot {
    return this.seed.shoots[0]!;
  }

  /** A file in the stage's directory, by its name. */
  file(name: string, text: string): string {
    const path = join(this.dir, name);
    writeFileSync(path, text);
    return path;
  }

  /** A kubeconfig for a new user. All users but `admin` may do what Gardener grants their role. */
  kubeconfigOf(user: string, role: RoleName = 'prober'): string {
    this.#roles.set(user, role);
    return this.file(`${user}.kubeconfig`, this.seed.addUser(user));
  }

  roleOf(user: string): RoleName {
    return this.#roles.get(user) ?? 'prober';
  }

  /** Every write that reached the seed, refused or not. */
  writes(user?: string): readonly Asked[] {
    return this.asked.filter((one) => isWrite(one) && (user === undefined || one.user === user));
  }

  /** Who holds the prober's Lease; undefined if there is none. */
  get lease(): Readonly<Record<string, unknown>> | undefined {
    return this.leaseOf('prober');
  }

  leaseOf(role: RoleName): Readonly<Record<string, unknown>> | undefined {
    const found = this.seed.api.storage.store.of(kinds.lease).get(`garden/${leaseNameOf(role)}`);
    return found === undefined ? undefined : asObject(found.object['spec']);
  }

  /** `name: desired replicas` of a shoot's dependants. */
  replicas(shoot: EmbeddedShoot = this.shoot): Replicas {
    return Object.fromEntries(shoot.dependants.names.map((name) => [name, shoot.dependants.get(name)!.desired]));
  }

  /** Every annotation on a shoot's dependants. */
  annotations(shoot: EmbeddedShoot = this.shoot): readonly string[] {
    return shoot.dependants.names.flatMap((name) => Object.keys(shoot.dependants.get(name)!.annotations));
  }

  /** All nodes lose their way, and their leases look as if they had long ago: the threshold is crossed `ahead` from now. */
  cutOff(shoot: EmbeddedShoot = this.shoot, ahead: Millis = 0): void {
    shoot.cutOff();
    const at = this.#now() - 0.75 * this.config.kcmNodeMonitorGraceDuration + ahead;
    setRenewTimes(shoot, () => at);
  }

  /** They find it again, and have all renewed just now. */
  heal(shoot: EmbeddedShoot = this.shoot): void {
    shoot.heal();
    const at = this.#now();
    setRenewTimes(shoot, () => at);
  }
}

/** Makes the leases look as if they had been renewed then. A kubelet's renewal comes with its next turn; a test cannot wait 10 s for it. */
export function setRenewTimes({ api }: EmbeddedShoot, renewedAt: () => Instant): void {
  const leases = api.storage.store.of(kinds.lease);
  for (const { object } of leases.list('kube-node-lease'))
    leases.put({ ...object, spec: { ...asObject(object['spec']), renewTime: microTime(renewedAt()) } });
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Column } from '../meltdown/column.ts';
import type { MeltingShoot } from '../meltdown/melting-shoot.ts';
import type { MeltdownGround } from '../meltdown/place.ts';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import { furnishSeed, seedUsers } from '../real/gardener-servers.ts';
import { RestorableSeed } from '../real/restorable-seed.ts';
import type { Fallen } from './facts.ts';
import { StartedRole } from '../real/started-role.ts';
import { tolerating, type OperatorClient } from '../real/operator-client.ts';

/** The audit logs that a night is judged by: of the seed, and of each shoot by its namespace. */
type AuditLogs = Readonly<{ seed: string; shoots: ReadonlyMap<string, string> }>;

/** A seed with an etcd of its own, shoots with real API servers and controller-managers, and two probers that are kept up. */
export class NightPlane implements AsyncDisposable {
  readonly place: MeltdownGround;
  readonly seed: RestorableSeed;
  readonly shoots: readonly MeltingShoot[];
  readonly probers: readonly [KeptProber, KeptProber];
  readonly auditLogs: AuditLogs;
  readonly #column: Column;

  private constructor(place: MeltdownGround, seed: RestorableSeed, column: Column, { probers, auditLogs }: Parts) {
    this.place = place;
    this.seed = seed;
    this.shoots = column.shoots;
    this.probers = probers;
    this.auditLogs = auditLogs;
    this.#column = column;
  }

  /** All that there is before the probers start. `trouble` is told if what is played here fails later. */
  static async start(
    place: MeltdownGround,
    size: Readonly<{ shoots: number; nodes: number }>,
    trouble: (error: unknown) => void,
  ): Promise<NightPlane> {
    const { directory } = place;
    const audit = (name: string) => ({ auditLog: join(directory, `${name}.audit.log`), auditBodies: true });
    const flags = ['--audit-log-maxsize=4096'];
    const seedPlace = { bin: place.bin, directory: join(directory, 'seed') };
    const seed = await RestorableSeed.start(seedPlace, { users: seedUsers, flags, ...audit('seed') });
    await furnishSeed(seed.api);
    const column = await Column.on(seed.api, place, 'night', { ...size, isAway: true, auditOf: audit });
    await column.join(Date.now(), trouble);
    const probers = [await keptProber(place, seed, 1), await keptProber(place, seed, 2)] as const;
    // Restored as long as no later one was taken.
    await seed.backUp();
    const logs = column.shoots.map(({ name }) => [name, audit(name).auditLog] as const);
    const auditLogs = { seed: audit('seed').auditLog, shoots: new Map(logs) };
    return new NightPlane(place, seed, column, { probers, auditLogs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.probers.map((prober) => prober.stop()));
    await this.#column.stop();
    await this.seed.stop();
  }
}

type Parts = Pick<NightPlane, 'probers' | 'auditLogs'>;

/** A prober whose token is bound to a pod of its own, so that the audit log tells the two apart. */
async function keptProber(place: MeltdownGround, { api }: RestorableSeed, number: number): Promise<KeptProber> {
  const pod = `dependency-watchdog-prober-${number}`;
  const directory = join(place.directory, pod);
  mkdirSync(directory, { recursive: true });
  const token = await boundToken(api.operator, seedUser, { kind: 'Pod', name: pod });
  const kubeconfig = api.kubeconfig(seedUser).replace(api.token(seedUser), token);
  return new KeptProber(pod, { directory, kubeconfig, configFile: place.configFile });
}

/** As a kubelet does the first time; it doubles the pause only for what falls again at once. */
const restartedAfter = 1_000;

type How = Readonly<{ directory: string; kubeconfig: string; configFile: string }>;

/** A prober in a pod of its own: whenever it ends, it is started again. */
export class KeptProber {
  readonly pod: string;
  readonly #how: How;
  #role: StartedRole | undefined;
  #isKept = false;
  #startCount = 0;
  readonly fallen: Fallen[] = [];
  #isStruck = false;

  constructor(pod: string, how: How) {
    this.pod = pod;
    this.#how = how;
  }

  async start(): Promise<void> {
    this.#isKept = true;
    this.#isStruck = false;
    this.#startCount++;
    const { directory, kubeconfig, configFile } = this.#how;
    const more = [`--journal-dir=${directory}`];
    // A log for each process.
    const name = `${this.pod}.${this.#startCount}`;
    const role = await StartedRole.start('prober', { name, directory, kubeconfig, configFile, more });
    this.#role = role;
    void role.ended.then(({ code, signal }) => {
      if (!this.#isKept || this.#isStruck) return;
      this.fallen.push({ at: Date.now(), pod: this.pod, how: String(code ?? signal) });
      void this.#again(restartedAfter);
    });
  }

  /** Ends it by this signal, and starts it again after so long, in ms. */
  async strike(signal: 'SIGKILL' | 'SIGTERM', away: number): Promise<void> {
    this.#isStruck = true;
    this.#role?.kill(signal);
    await this.#role?.ended;
    await this.#again(away);
  }

  /** Stands still for so long, in ms. */
  async standStill(length: number): Promise<void> {
    this.#role?.kill('SIGSTOP');
    await pause(length);
    this.#role?.kill('SIGCONT');
  }

  async leads(): Promise<boolean> {
    return (await this.#role?.series())?.['dwd_leader'] === 1;
  }

  async stop(): Promise<void> {
    this.#isKept = false;
    await this.#role?.[Symbol.asyncDispose]();
  }

  async #again(after: number): Promise<void> {
    await pause(after);
    if (this.#isKept) await this.start();
  }
}

/** What a token stops to hold with; it is created where it is not there. */
type Bound = Readonly<{ kind: 'Pod' | 'Secret'; name: string }>;

/**
 * A token of a ServiceAccount (`system:serviceaccount:garden:dependency-watchdog-prober`) from the API server, as kubelets and Gardener's
 * token-requestor ask for them.
 */
export async function boundToken({ core }: OperatorClient, user: string, { kind, name }: Bound): Promise<string> {
  const [, , namespace = '', account = ''] = user.split(':');
  const containers = [{ name: 'prober', image: 'localhost/dependency-watchdog' }];
  const pod = { metadata: { name }, spec: { serviceAccountName: account, containers } };
  if (kind === 'Secret')
    await tolerating([409], core.createNamespacedSecret({ namespace, body: { metadata: { name } } }));
  else await tolerating([409], core.createNamespacedPod({ namespace, body: pod }));
  const { metadata } =
    kind === 'Secret'
      ? await core.readNamespacedSecret({ namespace, name })
      : await core.readNamespacedPod({ namespace, name });
  const boundObjectRef = { apiVersion: 'v1', kind, name, uid: metadata?.uid ?? '' };
  const body = { spec: { audiences: [], expirationSeconds: 43_200, boundObjectRef } };
  const { status } = await core.createNamespacedServiceAccountToken({ namespace, name: account, body });
  if (status?.token === undefined) throw new Error(`no token came for ${user}`);
  return status.token;
}

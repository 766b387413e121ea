import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { parse } from 'yaml';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import { leaseNameOf } from 'dependency-watchdog/adapters/election/lease-record.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { startEmbeddedSeed, type EmbeddedSeed, type EmbeddedSeedOptions } from '@dwd/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { asObject, microTime } from '@dwd/simulator/store/kube-object.ts';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import { gardenerGrants } from './gardener-rbac.ts';
import { PlainDependants } from './plain-dependants.ts';
import { Program, roleWords, type ProgramOptions } from './program.ts';

/** Gardener's dependants with delays that fit into a test, in another order than that of the levels. */
export const quickConfig = `
kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 500ms
initialDelay: 0s
backoffJitterFactor: 0
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}
  scaleUp: {level: 1, initialDelay: 200ms}
  scaleDown: {level: 0}
- ref: {apiVersion: apps/v1, kind: Deployment, name: cluster-autoscaler}
  optional: true
  scaleUp: {level: 2}
  scaleDown: {level: 0}
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 1}
`;

/** Services and selectors as Gardener has them, in few words, with a window that fits into a test. */
export const quickWeederConfig = `
watchDuration: 20s
servicesAndDependantSelectors:
  etcd-main-client:
    podSelectors:
    - matchLabels: {role: apiserver}
  kube-apiserver:
    podSelectors:
    - matchExpressions:
      - {key: role, operator: NotIn, values: [main, apiserver]}
`;

/** How many replicas each dependant has before anything happens: none has as many as another, or as a record that was lost. */
export const originalReplicas: Readonly<Record<string, number>> = {
  'kube-controller-manager': 2,
  'machine-controller-manager': 3,
  'cluster-autoscaler': 4,
};

export const mark = 'dependency-watchdog.gardener.cloud/meltdown-protection-active';
export const record = 'dependency-watchdog.gardener.cloud/replicas';

/** A request that reached the seed and was looked at; what met a fault was not. */
export type Asked = AccessAsked & Readonly<{ at: Instant }>;

type StageOptions = Partial<Omit<EmbeddedSeedOptions, 'config' | 'clock' | 'chance' | 'authorize'>> &
  Readonly<{
    configText?: string;
    weederConfigText?: string;
    /** Beyond what Gardener grants. */
    mayAlso?: (asked: AccessAsked) => boolean;
  }>;

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** A Deployment of a shoot was given another number of replicas. */
export type Scaled = Readonly<{ namespace: string; name: string; from: number; to: number }>;

/** Whether it would change an object of the seed, Leases and Kubernetes events aside. */
export function isWrite({ verb, resource }: Asked): boolean {
  return !readingVerbs.has(verb) && resource !== 'leases' && resource !== 'events';
}

/** How long a test waits for the seed at most. */
const patience = 60_000;

/** A seed in this process, a directory of files for programs that are to find it, and a look at what they ask. */
export class SeedStage {
  readonly seed: EmbeddedSeed;
  readonly config: ProberConfig;
  /** Gone with the test. */
  readonly dir: string;
  readonly configFile: string;
  readonly weederConfigFile: string;
  readonly plain: PlainDependants;
  readonly asked: Asked[];
  /** The writes that were carried out, in order. A write that met a conflict and was tried again is here only once. */
  readonly scaled: Scaled[];
  /** Called with each request of a prober before it is carried out. If it returns false, the request is refused. */
  permits: (asked: Asked) => boolean = () => true;
  readonly #changed: Set<() => void>;
  /** The role of each program's user. */
  readonly #roles = new Map<string, RoleName>();
  readonly #test: TestContext;

  constructor(
    test: TestContext,
    parts: Pick<SeedStage, 'seed' | 'config' | 'dir' | 'configFile' | 'weederConfigFile' | 'asked' | 'scaled'>,
    changed: Set<() => void>,
  ) {
    this.#test = test;
    ({ seed: this.seed, config: this.config, dir: this.dir, asked: this.asked } = parts);
    ({ configFile: this.configFile, weederConfigFile: this.weederConfigFile, scaled: this.scaled } = parts);
    this.plain = new PlainDependants(this.seed, systemClock);
    this.#changed = changed;
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

  /** Starts a prober as a user of the seed, every address chosen by the system. */
  prober(user: string, ...flags: readonly string[]): Program {
    return this.proberWith({}, user, ...flags);
  }

  proberWith(options: ProgramOptions, user: string, ...flags: readonly string[]): Program {
    const rates = ['--kube-api-qps=20', '--kube-api-burst=100'];
    return this.#start('prober', user, this.configFile, [...rates, ...flags], options);
  }

  /** The same for a weeder; Gardener sets no rate. */
  weeder(user: string, ...flags: readonly string[]): Program {
    return this.#start('weeder', user, this.weederConfigFile, flags);
  }

  #start(
    role: RoleName,
    user: string,
    configFile: string,
    flags: readonly string[],
    options: ProgramOptions = {},
  ): Program {
    const args = roleWords(role, { configFile, kubeconfig: this.kubeconfigOf(user, role) }, flags);
    return new Program(this.#test, args, options);
  }

  /** Every write that reached the seed, refused or not. */
  writes(user?: string): readonly Asked[] {
    return this.asked.filter((one) => isWrite(one) && (user === undefined || one.user === user));
  }

  /** Looks at once, with each request to the seed or a shoot, and with each change of a dependant, a pod, a Lease or a Cluster in the seed. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    const limit = AbortSignal.timeout(patience);
    while (!isSo()) {
      if (limit.aborted) throw new Error(`not within ${patience} ms: ${what}`);
      await new Promise<void>((resolve) => {
        this.#changed.add(resolve);
        limit.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** Who holds the prober's Lease; undefined if there is none. */
  get lease(): Readonly<Record<string, unknown>> | undefined {
    return this.leaseOf('prober');
  }

  leaseOf(role: RoleName): Readonly<Record<string, unknown>> | undefined {
    const found = this.seed.api.storage.store.of(kinds.lease).get(`garden/dwd-${role}-leader-election`);
    return found === undefined ? undefined : asObject(found.object['spec']);
  }

  /** `name: desired replicas` of a shoot's dependants. */
  replicas(shoot: EmbeddedShoot = this.shoot): Readonly<Record<string, number>> {
    return Object.fromEntries(shoot.dependants.names.map((name) => [name, shoot.dependants.get(name)!.desired]));
  }

  /** Every annotation on a shoot's dependants. */
  annotations(shoot: EmbeddedShoot = this.shoot): readonly string[] {
    return shoot.dependants.names.flatMap((name) => Object.keys(shoot.dependants.get(name)!.annotations));
  }

  atEnd(clearUp: () => void): void {
    this.#test.onTestFinished(clearUp);
  }

  /** All nodes lose their way, and their leases look as if they had long ago: the threshold is crossed `ahead` from now. */
  cutOff(shoot: EmbeddedShoot = this.shoot, ahead: Millis = 0): void {
    shoot.cutOff();
    const at = systemClock.now() - 0.75 * this.config.kcmNodeMonitorGraceDuration + ahead;
    setRenewTimes(shoot, () => at);
  }

  /** They find it again, and have all renewed just now. */
  heal(shoot: EmbeddedShoot = this.shoot): void {
    shoot.heal();
    const at = systemClock.now();
    setRenewTimes(shoot, () => at);
  }
}

/** Makes the leases look as if they had been renewed then. A kubelet's renewal comes with its next turn; a test cannot wait 10 s for it. */
export function setRenewTimes({ api }: EmbeddedShoot, renewedAt: () => Instant): void {
  const leases = api.storage.store.of(kinds.lease);
  for (const { object } of leases.list('kube-node-lease'))
    leases.put({ ...object, spec: { ...asObject(object['spec']), renewTime: microTime(renewedAt()) } });
}

/** Starts a seed that ends with the test. By default it has one shoot of five nodes, whose pods come and go at once. */
export async function seedStage(
  test: TestContext,
  { configText = quickConfig, weederConfigText = quickWeederConfig, mayAlso, ...options }: StageOptions = {},
): Promise<SeedStage> {
  const reading = readProberConfig(parse(configText));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { config } = reading;
  const asked: Asked[] = [];
  const scaled: Scaled[] = [];
  const changed = new Set<() => void>();
  const tell = () => {
    for (const resolve of changed) resolve();
    changed.clear();
  };

  const seed = await startEmbeddedSeed({
    clock: systemClock,
    chance: seededChance(3),
    shoots: 1,
    nodes: 5,
    sharedCertificates: true,
    pace: { observe: 10, down: 50, up: 100 },
    replicas: (_, name) => originalReplicas[name] ?? 1,
    ...options,
    config,
    authorize: (access) => {
      if (access.user === 'admin') return true;
      const one = { ...access, at: systemClock.now() };
      return (gardenerGrants(one, stage.roleOf(one.user)) || mayAlso?.(one) === true) && stage.permits(one);
    },
  });
  seed.api.onRequest((access) => {
    asked.push({ ...access, at: systemClock.now() });
    tell();
  });
  seed.api.storage.store.of(kinds.deployment).onChange(({ revision: { object }, previous }) => {
    const { name, namespace = '' } = object.metadata;
    const to = workloadNumbers(kinds.deployment, object).desired;
    const from = previous && workloadNumbers(kinds.deployment, previous.object).desired;
    if (from !== undefined && from !== to) scaled.push({ namespace, name, from, to });
  });
  for (const kind of [kinds.deployment, kinds.pod, kinds.lease, kinds.cluster, ...(options.moreKinds ?? [])])
    seed.api.storage.store.of(kind).onChange(tell);
  for (const { api } of seed.shoots) api.onRequest(tell);
  const dir = mkdtempSync(join(tmpdir(), 'dwd-'));
  test.onTestFinished(async () => {
    await seed.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  const configFile = join(dir, 'config.yaml');
  writeFileSync(configFile, configText);
  const weederConfigFile = join(dir, 'weeder.yaml');
  writeFileSync(weederConfigFile, weederConfigText);
  const stage = new SeedStage(test, { seed, config, dir, configFile, weederConfigFile, asked, scaled }, changed);
  return stage;
}

/** The Lease of a prober, or a weeder, that renewed it so many milliseconds ago, and never since. */
export function leader(ago: Millis, role: RoleName = 'prober', holderIdentity = `dwd-${role}-5d9c`) {
  return ({ seed: { api } }: SeedStage): void => {
    const renewTime = microTime(systemClock.now() - ago);
    api.storage.store.of(kinds.lease).put({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        namespace: 'garden',
        name: leaseNameOf(role),
        uid: 'of-the-lease',
        resourceVersion: '1',
        creationTimestamp: renewTime,
      },
      spec: { holderIdentity, leaseDurationSeconds: 15, acquireTime: renewTime, renewTime },
    });
  };
}

/** The Lease of one that goes on renewing it, for as long as the test lasts: a program may take long to start. */
export function leads(stage: SeedStage, role: RoleName = 'prober'): void {
  const renew = () => leader(1_500, role)(stage);
  renew();
  const renewals = setInterval(renew, 1_000);
  stage.atEnd(() => clearInterval(renewals));
}

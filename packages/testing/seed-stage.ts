import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { leaseNameOf } from 'dependency-watchdog/adapters/election/lease-record.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { startEmbeddedSeed, type EmbeddedSeed, type EmbeddedSeedOptions } from '@dwd/simulator/embedded-seed.ts';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import { workloadNumbers, type ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import { EmbeddedStage } from './embedded-stage.ts';
import { PlainDependants } from './plain-dependants.ts';
import { Program, roleWords, type ProgramOptions } from './program.ts';
import { configOf } from './prober-configs.ts';

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

type StageOptions = Partial<Omit<EmbeddedSeedOptions, 'config' | 'clock' | 'chance' | 'authorize'>> &
  Readonly<{
    configText?: string;
    weederConfigText?: string;
    /** Beyond what Gardener grants. */
    mayAlso?: (asked: AccessAsked) => boolean;
  }>;

type SeedStageParts = Omit<ConstructorParameters<typeof EmbeddedStage>[1], 'dir'> &
  Readonly<{ configText: string; weederConfigText: string; moreKinds?: readonly ResourceKind[] }>;

/** How long a test waits for the seed at most. */
const patience = 60_000;

/** A Deployment of a shoot was given another number of replicas. */
export type Scaled = Readonly<{ namespace: string; name: string; from: number; to: number }>;

/** An embedded stage on the machine's clock, and roles on it as processes of their own. It goes with the test. */
export class SeedStage extends EmbeddedStage {
  readonly configFile: string;
  readonly weederConfigFile: string;
  readonly plain: PlainDependants;
  /** The writes that were carried out, in order. A write that met a conflict and was tried again is here only once. */
  readonly scaled: Scaled[] = [];
  readonly #changed = new Set<() => void>();
  readonly #test: TestContext;

  constructor(
    test: TestContext,
    seed: EmbeddedSeed,
    { configText, weederConfigText, moreKinds = [], ...parts }: SeedStageParts,
  ) {
    super(seed, { ...parts, dir: mkdtempSync(join(tmpdir(), 'dwd-')) });
    this.#test = test;
    test.onTestFinished(async () => {
      await seed.stop();
      rmSync(this.dir, { recursive: true, force: true });
    });
    this.configFile = this.file('config.yaml', configText);
    this.weederConfigFile = this.file('weeder.yaml', weederConfigText);
    this.plain = new PlainDependants(seed, systemClock);
    const { store } = seed.api.storage;
    store.of(kinds.deployment).onChange(({ revision: { object }, previous }) => {
      const { name, namespace = '' } = object.metadata;
      const to = workloadNumbers(kinds.deployment, object).desired;
      const from = previous && workloadNumbers(kinds.deployment, previous.object).desired;
      if (from !== undefined && from !== to) this.scaled.push({ namespace, name, from, to });
    });
    const tell = () => {
      for (const resolve of this.#changed) resolve();
      this.#changed.clear();
    };
    for (const { api } of [seed, ...seed.shoots]) api.onRequest(tell);
    for (const kind of [kinds.deployment, kinds.pod, kinds.lease, kinds.cluster, ...moreKinds])
      store.of(kind).onChange(tell);
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

  atEnd(clearUp: () => void): void {
    this.#test.onTestFinished(clearUp);
  }
}

/** Starts a seed that ends with the test. By default it has one shoot of five nodes, whose pods come and go at once. */
export async function seedStage(
  test: TestContext,
  { configText = quickConfig, weederConfigText = quickWeederConfig, mayAlso, ...options }: StageOptions = {},
): Promise<SeedStage> {
  const config = configOf(configText);
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
  });
  const { moreKinds = [] } = options;
  return new SeedStage(test, seed, { config, configText, weederConfigText, moreKinds, ...(mayAlso && { mayAlso }) });
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

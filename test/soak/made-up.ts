import type { Instant } from '../../src/domain/time.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import type { KubeObject } from '../../src/simulator/store/kube-object.ts';
import { Revision } from '../../src/simulator/store/revision.ts';
import type { Law, LawInForce } from './law.ts';
import { TroublesSeen } from './laws/troubles-seen.ts';
import { fairWeather } from './link-weather.ts';
import type { Observation } from './observation.ts';
import type { Scene } from './scene.ts';

/** Begins a law as a life does: the troubles of the scene hear and see all before it. A law that does not ask for them needs no whole scene. */
export function begun(law: Law, scene: Scene): LawInForce {
  if (law.begin.length < 2) return law.begin(scene, {} as TroublesSeen);
  const troubles = new TroublesSeen(scene);
  const inForce = law.begin(scene, troubles);
  return {
    ...inForce,
    hear(observation) {
      troubles.hear(observation);
      return inForce.hear?.(observation);
    },
    look() {
      troubles.look();
      return inForce.look?.();
    },
  };
}

/** Says what a law finds wrong in a history that nobody lived; the first thing, as in a life. */
export function judged(law: Law, history: readonly Observation[], scene: unknown = {}): string | undefined {
  const inForce = begun(law, scene as Scene);
  for (const observation of history) {
    const why = inForce.hear?.(observation);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** A process took or renewed the Lease of the prober; the answer is of no account. */
export function claimed(at: Instant, process: string, holder = process, leaseTransitions = 0): Observation {
  const object = lease(holder, leaseTransitions);
  return {
    at,
    kind: 'change',
    of: kinds.lease,
    change: {
      resourceVersion: at,
      type: 'MODIFIED',
      revision: new Revision(object, at),
      previous: undefined,
      writer: { user: process, sentAt: at },
    },
  };
}

/** A process sent a request to the seed. */
export function sent(at: Instant, process: string, method: string, url: string): Observation {
  return { at, kind: 'request', process, to: undefined, request: { method, url, headers: {} } };
}

export type Told = Readonly<{ replicas: number; mark?: true; record?: string; ignored?: true; ready?: number }>;

const unsaid = { uid: '', resourceVersion: '', creationTimestamp: '' };
const prefix = 'dependency-watchdog.gardener.cloud';

function deployment({ replicas, mark, record, ignored, ready = replicas }: Told, name: string): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...unsaid,
      name,
      namespace: 'shoot--demo--01',
      generation: 1,
      annotations: {
        ...(mark && { [`${prefix}/meltdown-protection-active`]: '' }),
        ...(record !== undefined && { [`${prefix}/replicas`]: record }),
        ...(ignored && { [`${prefix}/ignore-scaling`]: 'true' }),
      },
    },
    spec: { replicas },
    status: { observedGeneration: 1, readyReplicas: ready },
  };
}

/** A Deployment of shoot--demo--01 changed; without a writer it was a controller or an operator. */
export function changed(
  at: Instant,
  before: Told,
  after: Told,
  { name = 'kube-controller-manager', writer }: Readonly<{ name?: string; writer?: string }> = {},
): Observation {
  return {
    at,
    kind: 'change',
    of: kinds.deployment,
    change: {
      resourceVersion: at,
      type: 'MODIFIED',
      revision: new Revision(deployment(after, name), at),
      previous: new Revision(deployment(before, name), at - 1),
      writer: writer === undefined ? undefined : { user: writer, sentAt: at },
    },
  };
}

function lease(holderIdentity: string, leaseTransitions: number): KubeObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...unsaid, name: 'dwd-prober-leader-election', namespace: 'garden' },
    spec: { holderIdentity, leaseTransitions },
  };
}

/** A scene in which one prober lives, and nothing is wrong; `now` is what its clock says. */
export function calmScene(now: () => Instant, config: object = {}, seed: object = emptySeed): Scene {
  const link = { out: undefined, slow: 0 };
  const process = { name: 'prober-0#1', isPaused: false, clock: { now } };
  return {
    now,
    slots: [{ name: 'prober-0', role: 'prober', process, links: { seed: link, shoot: link } }],
    plan: {
      election: false,
      replicas: { prober: 1, weeder: 0 },
      clocks: { ahead: 0, drift: 0 },
      links: { seed: fairWeather, shoot: fairWeather },
    },
    config: {
      failureThreshold: 1,
      probeInterval: 10_000,
      probeTimeout: 30_000,
      initialDelay: 30_000,
      backoffJitterFactor: 0.2,
      dependants: [],
      ...config,
    },
    seed,
    servers: () => [{ isWell: true }],
  } as unknown as Scene;
}

const reconciled = { lastOperation: { type: 'Reconcile', state: 'Succeeded' } };
const spec = { shoot: { spec: { provider: { workers: [{ name: 'one' }] } }, status: reconciled } };
const awake = { object: { spec } };
const emptySeed = { shoots: [], api: { storage: { store: { of: () => ({ get: () => awake }) } } } };

/** The Cluster of shoot--demo--01 changed: it is hibernated from then on, or awake. */
export function clusterSaid(at: Instant, word: 'hibernated' | 'awake'): Observation {
  const hibernation = { enabled: word === 'hibernated' };
  const object: KubeObject = {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { ...unsaid, name: 'shoot--demo--01' },
    spec: { shoot: { ...spec.shoot, spec: { ...spec.shoot.spec, hibernation } } },
  };
  const revision = new Revision(object, at);
  return {
    at,
    kind: 'change',
    of: kinds.cluster,
    change: { resourceVersion: at, type: 'MODIFIED', revision, previous: undefined, writer: undefined },
  };
}

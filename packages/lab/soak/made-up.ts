import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { KubeObject } from '@dwd/simulator/store/kube-object.ts';
import { Revision } from '@dwd/simulator/store/revision.ts';
import type { Law } from './law.ts';
import { TroublesSeen } from './laws/troubles-seen.ts';
import { fairWeather } from './seed-plan.ts';
import { tellTo, type Observation } from './observation.ts';
import type { Scene } from './scene.ts';

export const shoot = 'shoot--demo--01';
export const prober = 'prober-0#1';
/** When what is made up begins. */
export const start = 1_000_000;
/** Of a dependant. */
export const path = `/apis/apps/v1/namespaces/${shoot}/deployments/kube-controller-manager`;
/** What a law asks of a plan in which two probers elect. */
export const electing = {
  slots: [],
  servers: () => [],
  plan: { election: true, replicas: { prober: 2, weeder: 0 }, clocks: { ahead: 0, drift: 0 } },
};

/** A law in force over what nobody lived: each way to ask it says what it has found wrong so far; the first thing, as in a life. */
export type Begun = Readonly<{
  hear(observation: Observation): string | undefined;
  look(): string | undefined;
  settled(): string | undefined;
  quiet(): Promise<string | undefined>;
  counts(): Readonly<Record<string, number>>;
}>;

/** Begins a law as a life does: the troubles of the scene, where it is a whole one, hear and see all before it. */
export function begun(law: Law, scene: Scene): Begun {
  const troubles = 'config' in scene && 'slots' in scene ? new TroublesSeen(scene) : undefined;
  let found: string | undefined;
  const inForce = law.begin(scene, { troubles: troubles as TroublesSeen, breaks: (why) => void (found ??= why) });
  return {
    hear(observation) {
      if (troubles !== undefined) tellTo(troubles, observation);
      tellTo(inForce, observation);
      return found;
    },
    look() {
      troubles?.look();
      inForce.look?.();
      return found;
    },
    settled() {
      inForce.settled?.();
      return found;
    },
    async quiet() {
      await inForce.quiet?.();
      return found;
    },
    counts: () => inForce.counts?.() ?? {},
  };
}

/** Says what a law finds wrong in a history that nobody lived; the first thing, as in a life. */
export function judged(law: Law, history: readonly Observation[], scene: unknown = {}): string | undefined {
  const { hear } = begun(law, scene as Scene);
  return history.reduce<string | undefined>((why, one) => why ?? hear(one), undefined);
}

/** The law, where it hears these in the place of each observation. */
export function hearing(law: Law, heardOf: (seen: Observation) => readonly Observation[]): Law {
  return {
    name: law.name,
    begin(scene, court) {
      const { look, settled, quiet, counts, ...ears } = law.begin(scene, court);
      const hear = (seen: Observation): void => heardOf(seen).forEach((one) => tellTo(ears, one));
      return {
        hear,
        ...(look && { look }),
        ...(settled && { settled }),
        ...(quiet && { quiet }),
        ...(counts && { counts }),
      };
    },
  };
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
export function sent(at: Instant, process: string, method: string, url: string, body = ''): Observation {
  return { at, kind: 'request', process, to: undefined, request: { method, url, headers: {}, body } };
}

/** The machine of the shoot took a turn. */
export function turn(at: Instant, more: object): Observation {
  const woken = { from: 'probing', to: 'probing', event: { type: 'woken' }, commands: [], notes: [] };
  return { at, kind: 'turn', process: prober, turn: { kind: 'shoot', subject: shoot, ...woken, ...more } } as never;
}

/** It was a controller that wrote. */
export function byController(seen: Observation): Observation {
  if (seen.kind !== 'change') throw new Error('only a change has a writer');
  return { ...seen, change: { ...seen.change, writer: undefined } };
}

export type StoodAs = Readonly<{ replicas: number; mark?: true; record?: string; ignored?: true; ready?: number }>;

const unsaid = { uid: '', resourceVersion: '', creationTimestamp: '' };
const prefix = 'dependency-watchdog.gardener.cloud';

function deployment({ replicas, mark, record, ignored, ready = replicas }: StoodAs, name: string): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...unsaid,
      name,
      namespace: shoot,
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
  before: StoodAs,
  after: StoodAs,
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
  const process = { name: prober, isPaused: false, clock: { now } };
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
    metadata: { ...unsaid, name: shoot },
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

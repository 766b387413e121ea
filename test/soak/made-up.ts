import type { Instant } from '../../src/domain/time.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import type { KubeObject } from '../../src/simulator/store/kube-object.ts';
import { Revision } from '../../src/simulator/store/revision.ts';
import type { Law } from './law.ts';
import type { Observation } from './observation.ts';
import type { Scene } from './scene.ts';

/** Says what a law finds wrong in a history that nobody lived; the first thing, as in a life. */
export function judged(law: Law, history: readonly Observation[], scene: unknown = {}): string | undefined {
  const inForce = law.begin(scene as Scene);
  for (const observation of history) {
    const why = inForce.hear?.(observation);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** A process took or renewed the Lease of the prober; the answer is of no account. */
export function claimed(at: Instant, process: string, holder = process): Observation {
  const object = lease(holder);
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

function lease(holderIdentity: string): KubeObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...unsaid, name: 'dwd-prober-leader-election', namespace: 'garden' },
    spec: { holderIdentity },
  };
}

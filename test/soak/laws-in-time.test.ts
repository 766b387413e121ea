import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { Revision } from '../../src/simulator/store/revision.ts';
import type { ResourceKind } from '../../src/simulator/store/resource-kind.ts';
import { pace } from './laws/pace.ts';
import { weededPods } from './laws/weeded-pods.ts';
import { begun, judged } from './made-up.ts';
import type { Observation } from './observation.ts';

const shoot = 'shoot--demo--01';
const process = 'prober-0#1';

function turn(at: number, to: string, more: object = {}): Observation {
  const taken = {
    kind: 'shoot',
    subject: shoot,
    from: 'probing',
    to,
    event: { type: 'woken' },
    commands: [],
    notes: [],
  };
  return { at, kind: 'turn', process, turn: { ...taken, ...more } } as never;
}

describe('4.6 no shoot is forgotten', () => {
  const config = { probeInterval: 10_000, initialDelay: 30_000, backoffJitterFactor: 0.2, probeTimeout: 30_000 };
  const probed = turn(0, 'probing', { commands: [{ type: 'probe' }] });
  const lookAt = (now: number, ...history: Observation[]): string | undefined => {
    const inForce = begun(pace, { config, now: () => now } as never);
    for (const observation of history) inForce.hear?.(observation);
    return inForce.look?.();
  };

  test('4.6 a shoot that is not asked any more is seen; a pause of the probe, or of the process, is none', () => {
    expect(lookAt(112_000, probed)).toBe(undefined);
    expect(lookAt(112_001, probed)).toContain('has not asked');
    expect(lookAt(112_001, probed, turn(1_000, 'idle'))).toBe(undefined);
    const paused = { at: 1, kind: 'process', slot: 'prober-0', process, did: 'paused' } as const;
    expect(lookAt(112_001, probed, paused)).toBe(undefined);
    expect(lookAt(250_000, probed, paused, { ...paused, at: 112_000, did: 'resumed' })).toContain('has not asked');
  });
});

const pod = (reason: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one', namespace: shoot, uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  status: { containerStatuses: [{ state: { waiting: { reason } } }] },
});

const deleted = (reason: string, of: ResourceKind = kinds.pod): Observation => ({
  at: 5,
  kind: 'change',
  of,
  change: {
    resourceVersion: 2,
    type: 'DELETED',
    revision: new Revision(pod(reason), 2),
    previous: new Revision(pod(reason), 1),
    writer: { user: 'weeder-0#1', sentAt: 4 },
  },
});

describe('S8 7.3 only crash-looping pods go', () => {
  test('S8 a pod that does not crash-loop, and whatever is no pod', () => {
    expect(judged(weededPods, [deleted('CrashLoopBackOff')])).toBe(undefined);
    expect(judged(weededPods, [deleted('ImagePullBackOff')])).toContain('was not crash-looping');
    expect(judged(weededPods, [deleted('CrashLoopBackOff', kinds.deployment)])).toContain('wrote deployments');
  });
});

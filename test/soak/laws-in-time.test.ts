import { describe, expect, test } from 'vitest';
import { microTime } from '../../src/simulator/store/kube-object.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { Revision } from '../../src/simulator/store/revision.ts';
import type { ResourceKind } from '../../src/simulator/store/resource-kind.ts';
import { fairWeather } from './link-weather.ts';
import { noNodeMarked } from './laws/no-node-marked.ts';
import { pace } from './laws/pace.ts';
import { weededPods } from './laws/weeded-pods.ts';
import { judged } from './made-up.ts';
import type { Observation } from './observation.ts';
import type { Scene } from './scene.ts';

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
    const inForce = pace.begin({ config, now: () => now } as never);
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

describe('no node is marked in a pure outage', () => {
  const start = 1_000_000;
  /** Five nodes; the oldest lease was renewed 8 s before the outage, the others 2 s before. */
  const renewals = [8, 2, 2, 2, 2].map((age) => ({
    object: { spec: { renewTime: microTime(start - age * 1_000) } },
  }));
  const machines = renewals.map(() => ({ object: { status: { currentStatus: { phase: 'Running' } } } }));
  const cluster = { object: { spec: { shoot: { spec: { provider: { workers: [{ name: 'one' }] } } } } } };
  const marks: { node: string; at: number }[] = [];
  const store = (kind: ResourceKind) => ({
    list: () => (kind === kinds.lease ? renewals : machines),
    get: () => cluster,
  });
  const one = {
    name: shoot,
    marks,
    nodes: renewals.map((_, index) => `node-${index}`),
    api: { storage: { store: { of: store } } },
    dependants: { names: ['kube-controller-manager'], get: () => ({ desired: 1, ready: 1, annotations: {} }) },
  };
  const link = { out: undefined, slow: 0 };
  const scene = {
    now: () => start + 60_000,
    slots: [{ name: 'prober-0', links: { seed: link, shoot: link } }],
    plan: { nodes: 5, clocks: { ahead: 0, drift: 0 }, links: { seed: fairWeather, shoot: fairWeather } },
    config: { failureThreshold: 1, nodeLeaseFailureFraction: 0.2, kcmNodeMonitorGraceDuration: 40_000, dependants: [] },
    seed: { shoots: [one], shoot: () => one, api: { storage: { store: { of: store } } } },
    servers: () => [{ isWell: true }],
  } as unknown as Scene;
  const connected = turn(start - 5_000, 'probing', { notes: [{ kind: 'verdict', verdict: 'connected' }] });
  const happened = (at: number, kind: string, of: object = { fraction: 1 }): Observation =>
    ({ at, kind: 'happening', happening: { at, kind, shoot, of } }) as never;
  const markedAfter = (...history: Observation[]) => {
    marks.length = 0;
    const inForce = noNodeMarked.begin(scene);
    for (const observation of history) inForce.hear?.(observation);
    marks.push({ node: 'node-0', at: start + 33_000 });
    return inForce.look?.();
  };
  const cutOff = happened(start, 'nodes cut off');

  test('a mark is seen where nothing stood in the way', () => {
    expect(markedAfter(connected, cutOff)).toContain('node-0 of shoot--demo--01 was marked');
  });

  test('not where a request met a fault, the process was struck, or something else happened to the shoot', () => {
    const fault: Observation = { at: start + 9, kind: 'fault', name: 'seed: lost', process: 'prober-0' };
    expect(markedAfter(connected, cutOff, fault)).toBe(undefined);
    const crash = { at: start + 9, kind: 'process', slot: 'prober-0', process, did: 'crashed' } as const;
    expect(markedAfter(connected, cutOff, crash)).toBe(undefined);
    expect(markedAfter(happened(start - 9_000, 'told to ignore'), connected, cutOff)).toBe(undefined);
    expect(markedAfter(cutOff)).toBe(undefined);
    expect(markedAfter(connected, happened(start, 'nodes cut off', { fraction: 0.9 }))).toBe(undefined);
  });
});

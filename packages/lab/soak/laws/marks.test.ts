import { describe, expect, test } from 'vitest';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import type { ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import { begun, calmScene, clusterSaid, prober, shoot, start } from '../made-up.ts';
import { tellTo, type Observation } from '../observation.ts';
import type { Scene } from '../scene.ts';
import { noNodeMarked } from './marks.ts';
import { TroublesSeen } from './troubles-seen.ts';

const named = (index: number) => ({ metadata: { name: `node-${index}`, labels: { node: `node-${index}` } } });

/** Five nodes; their leases were renewed so many seconds before a node was marked. */
function sceneOf(...ages: number[]): Scene {
  const leases = ages.map((age, index) => ({
    object: { ...named(index), spec: { renewTime: microTime(start - age * 1_000) } },
  }));
  const machines = ages.map((_, index) => ({
    object: { ...named(index), status: { currentStatus: { phase: 'Running' } } },
  }));
  const cluster = { object: { spec: { shoot: { spec: { provider: { workers: [{ name: 'one' }] } } } } } };
  const store = (kind: ResourceKind) => ({
    list: () => (kind === kinds.lease ? leases : machines),
    get: () => cluster,
  });
  const one = {
    name: shoot,
    marks: [{ node: 'node-0', at: start }],
    kubelets: { ahead: 0 },
    api: { storage: { store: { of: store } }, isWell: true, clockAhead: 0 },
  };
  const config = {
    nodeLeaseFailureFraction: 0.6,
    kcmNodeMonitorGraceDuration: 40_000,
    dependants: [
      { ref: { apiVersion: 'apps/v1', name: 'kube-controller-manager' }, scaleDown: { level: 0, initialDelay: 0 } },
    ],
  };
  const seed = { shoots: [one], shoot: () => one, api: { storage: { store: { of: store } } } };
  return calmScene(() => start, config, seed);
}

/** What is said of the mark, and what was counted. */
function judge(scene: Scene, ...history: Observation[]) {
  const inForce = begun(noNodeMarked, scene);
  for (const observation of history) inForce.hear(observation);
  const why = inForce.look();
  const [reason] = Object.entries(inForce.counts()).flatMap(([name, count]) => (count > 0 ? [name] : []));
  return { why, reason };
}

const expired = [42, 38, 38, 38, 38] as const;

const after = (history: Observation) => judge(sceneOf(...expired), history).reason;

const replacing = (after: number, ...before: Observation[]) => {
  const inForce = begun(noNodeMarked, sceneOf(...expired));
  for (const one of before) inForce.hear(one);
  return inForce.hear({ kind: 'replaced', at: start + after, shoot, node: 'node-0' });
};

describe('no node is marked that could have been saved', () => {
  test('a mark is seen where nothing stood in the way', () => {
    const { why, reason } = judge(sceneOf(...expired));
    expect(why).toContain('node-0 of shoot--demo--01 was marked 8000 ms after 5 of 5 leases had expired');
    expect(reason).toBe('marked, though it could have been prevented');
  });

  test('leases that expired too late, too few of them, or of a node that is alone, explain it', () => {
    expect(judge(sceneOf(42, 32, 32, 32, 32)).reason).toBe('marked: the outage left too little time');
    expect(judge(sceneOf(42, 42, 9, 9, 9)).reason).toBe('marked: too few leases had expired');
    expect(judge(sceneOf(42)).reason).toBe('marked: fewer than two nodes can tell');
  });

  test('what was done to the process, to its requests, or to the shoot explains it for a while', () => {
    const crashed = { kind: 'process', slot: 'prober-0', process: prober, did: 'crashed' } as const;
    expect(after({ ...crashed, at: start - 20_000 })).toBe('marked: the lead was vacant');
    expect(after({ ...crashed, at: start - 90_000 })).toBe('marked, though it could have been prevented');
    const fault = { kind: 'fault', name: 'shoot: lost', process: 'prober-0' } as const;
    expect(after({ ...fault, at: start - 9_000, shoot })).toBe('marked: a request met a fault');
    expect(after({ ...fault, at: start - 9_000, shoot: 'shoot--demo--02' })).toContain('could have been prevented');
    const garbled = { kind: 'happening', happening: { at: 0, kind: 'Certificate lost', shoot } } as const;
    expect(after({ ...garbled, at: start - 9_000 })).toBe('marked: something else happened to the shoot');
  });

  test('a Machine that is replaced while the shoot should be down is seen, and explained as a mark is', () => {
    expect(replacing(90_000)).toContain('the Machine of node-0 of shoot--demo--01 was replaced');
    expect(replacing(40_000)).toBe(undefined);
    const crashed = { kind: 'process', slot: 'prober-0', process: prober, did: 'crashed', at: start } as const;
    expect(replacing(90_000, crashed)).toBe(undefined);
  });
});

const closed = 'the way to the seed was closed or slow';

/** Whether the way to the seed counts as closed 20 s after a request was lost, so long after the seed was last away. */
function stillClosed(after: number): boolean {
  let now = 0;
  const scene = calmScene(() => now);
  const [slot] = scene.slots;
  const troubles = new TroublesSeen(scene);
  Object.assign(slot!.links.seed, { out: 'refused' });
  troubles.look();
  Object.assign(slot!.links.seed, { out: undefined });
  now = after;
  tellTo(troubles, { at: now, kind: 'fault', name: 'seed: lost', process: 'prober-0#1' });
  return troubles.reasonAt(shoot, now + 20_000, [closed]) === closed;
}

test('a request that is lost soon after the seed was away makes its streams wait anew', () => {
  expect(stillClosed(60_000)).toBe(true);
  expect(stillClosed(95_000)).toBe(false);
});

/** Whether a process counts as just begun 100 s after its begin, where the seed asked it to wait for two hours so long after it. */
function stillBegins(throttledAfter: number): boolean {
  const begun = 'a process had just begun';
  const troubles = new TroublesSeen(calmScene(() => 0));
  const process = 'prober-0#1';
  const request = { method: 'GET', url: '/apis/extensions.gardener.cloud/v1alpha1/clusters', headers: {} };
  tellTo(troubles, { at: 0, kind: 'process', slot: 'prober-0', process, did: 'started' });
  tellTo(troubles, { at: throttledAfter, kind: 'throttled', process, request, retryAfter: 7_200_000 });
  return troubles.reasonAt(shoot, 100_000, [begun]) === begun;
}

test('a process that a seed asks to wait while it begins lists the seed a minute later', () => {
  expect(stillBegins(20)).toBe(true);
  expect(stillBegins(80_000)).toBe(false);
});

/** Whether a shoot whose Cluster let it be probed at 0 counts as ruled out a minute later. */
function stillRuledOut(happened: string): boolean {
  const ruledOut = 'the Cluster ruled it out, or could not be read';
  const troubles = new TroublesSeen(calmScene(() => 0));
  tellTo(troubles, { at: -9_000, kind: 'happening', happening: { at: 0, kind: happened } });
  tellTo(troubles, clusterSaid(-9_000, 'hibernated'));
  tellTo(troubles, clusterSaid(0, 'awake'));
  return troubles.reasonAt(shoot, 60_000, [ruledOut]) === ruledOut;
}

test('while Clusters may not be watched, a list tells half a minute later that a shoot may be probed', () => {
  expect(stillRuledOut('Clusters unwatchable')).toBe(true);
  expect(stillRuledOut('seed well')).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { begun, calmScene } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { change, shoot, slice, start, weederConfig } from './made-up-weeding.ts';
import { weededInTime } from './weeded-in-time.ts';

function pod(after: number, became: 'looping' | 'running' | 'ending', uid = 'u'): Observation {
  const state = became === 'running' ? { running: {} } : { waiting: { reason: 'CrashLoopBackOff' } };
  const ending = became === 'ending' && { deletionTimestamp: 'soon' };
  const metadata = { name: 'api', namespace: shoot, uid, labels: { role: 'apiserver' }, ...ending };
  return change(kinds.pod, start + after, { metadata, status: { containerStatuses: [{ state }] } });
}

function restored(after: number): Observation {
  return { at: start + after, kind: 'happening', happening: { at: 0, kind: 'etcd restored' } };
}

/** What the law says when it looks so long after `start`, once all of this has been heard. */
function seen(after: number, ...history: Observation[]): string | undefined {
  return seenOf(1, after, ...history);
}

function seenOf(weeders: number, after: number, ...history: Observation[]): string | undefined {
  let now = start;
  const calm = calmScene(() => now);
  const plan = { ...calm.plan, replicas: { prober: 1, weeder: weeders } };
  const scene = Object.assign(calm, { weederConfig, plan });
  const law = begun(weededInTime, scene);
  for (const observation of history) {
    now = observation.at;
    law.hear?.(observation);
  }
  now = start + after;
  return law.look?.();
}

const outage = [slice(-60_000, true), slice(0, false), pod(10_000, 'looping'), slice(60_000, true)];

describe('7.3 pods go at once in a window', () => {
  test('7.3 one that crash-loops after that is too late', () => {
    expect(seen(62_000, ...outage)).toBe(undefined);
    expect(seen(75_000, ...outage)).toContain('api has crash-looped for 65000 ms, the window opened 15000 ms ago');
  });

  test('7.3 nothing is due where no weeder runs', () => {
    expect(seenOf(0, 75_000, ...outage)).toBe(undefined);
  });

  test('7.3 nothing is due that is deleted, runs, or began a moment ago', () => {
    expect(seen(75_000, ...outage, pod(61_000, 'ending'))).toBe(undefined);
    expect(seen(75_000, ...outage, pod(61_000, 'running'))).toBe(undefined);
    expect(seen(75_000, ...outage, pod(61_000, 'running'), pod(74_000, 'looping'))).toBe(undefined);
  });

  test('6.6 nothing is due that a backup had put another pod of the same name in the place of', () => {
    const [looping, running] = [pod(10_000, 'looping'), pod(61_000, 'running', 'v')];
    if (looping.kind !== 'change' || running.kind !== 'change') throw new Error('a pod did not change');
    const restoredPod = { ...running, change: { ...running.change, previous: looping.change.revision } };
    expect(seen(75_000, ...outage, restoredPod)).toBe(undefined);
  });

  test('7.2 nothing is due without a window: while the service is down again, after its end, or where it was never down', () => {
    expect(seen(75_000, ...outage, slice(70_000, false))).toBe(undefined);
    expect(seen(361_000, ...outage)).toBe(undefined);
    expect(seen(75_000, slice(-60_000, true), pod(10_000, 'looping'))).toBe(undefined);
    expect(seen(75_000, slice(59_000, false), pod(59_500, 'looping'), slice(60_000, true))).toBe(undefined);
  });

  test('6.6 a seed that was restored may leave watches in silence for two minutes', () => {
    expect(seen(180_000, ...outage, restored(61_000))).toBe(undefined);
    expect(seen(200_000, ...outage, restored(61_000))).toContain('nothing stands in the way');
  });
});

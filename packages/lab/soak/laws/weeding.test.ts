import { describe, expect, test } from 'vitest';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import { Revision } from '@dwd/simulator/store/revision.ts';
import { begun, calmScene, judged, shoot, start } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { weededInTime, weededPods, weedingWindows } from './weeding.ts';

const weeder = 'weeder-0#1';

/** An object of the seed changed; without a writer a controller did it. */
function change(of: ResourceKind, at: number, object: object, writer?: string): Observation {
  const revision = new Revision(object as never, at);
  const by = writer === undefined ? undefined : { user: writer, sentAt: at };
  return {
    at,
    kind: 'change',
    of,
    change: { resourceVersion: at, type: 'MODIFIED', revision, previous: undefined, writer: by },
  };
}

/** So long after `start` the only slice of etcd has an endpoint that is ready, or not. */
function slice(after: number, ready: boolean): Observation {
  const metadata = { name: 'one', namespace: shoot, labels: { 'kubernetes.io/service-name': 'etcd-main-client' } };
  return change(kinds.endpointSlice, start + after, { metadata, endpoints: [{ conditions: { ready } }] });
}

const weederConfig = {
  watchDuration: 300_000,
  services: [{ name: 'etcd-main-client', podSelectors: ['role in (apiserver)'] }],
};

const podWith = (container: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one', namespace: shoot, uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  status: { containerStatuses: [container] },
});

const gone = (reason: string, of?: ResourceKind) => goneWith({ state: { waiting: { reason } } }, of);

const goneWith = (container: object, of: ResourceKind = kinds.pod): Observation => ({
  at: 5,
  kind: 'change',
  of,
  change: {
    resourceVersion: 2,
    type: 'DELETED',
    revision: new Revision(podWith(container), 2),
    previous: new Revision(podWith(container), 1),
    writer: { user: 'weeder-0#1', sentAt: 4 },
  },
});

describe('S8 7.3 only crash-looping pods go', () => {
  test('S8 a pod that does not crash-loop, and whatever is no pod', () => {
    expect(judged(weededPods, [gone('CrashLoopBackOff')])).toBe(undefined);
    expect(judged(weededPods, [gone('ImagePullBackOff')])).toContain('was not crash-looping');
    expect(judged(weededPods, [gone('CrashLoopBackOff', kinds.deployment)])).toContain('wrote deployments');
  });

  test.each([
    ['it failed again after a short run', 1, 1, '12:00:05', true],
    ['it failed for the first time', 0, 1, '12:00:05', false],
    ['it is done', 1, 0, '12:00:05', false],
    ['it ran for long', 1, 1, '12:10:01', false],
  ])('S8 7.3 a pod whose container has ended: %s', (_, restartCount, exitCode, finished, isRight) => {
    const terminated = { exitCode, startedAt: '2026-11-21T12:00:00Z', finishedAt: `2026-11-21T${finished}Z` };
    const deletion = goneWith({ restartCount, state: { terminated } });
    expect(judged(weededPods, [deletion]) === undefined).toBe(isRight);
  });
});

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
    law.hear(observation);
  }
  now = start + after;
  return law.look();
}

/** A pod of an owner, made so long after `start`; its name is its UID. */
function ownedPod(uid: string, made: number, after: number, became: 'looping' | 'ending'): Observation {
  const changed = pod(after, became, uid);
  if (changed.kind !== 'change') throw new Error('a pod did not change');
  const { object } = changed.change.revision;
  const creationTimestamp = new Date(start + made).toISOString();
  const metadata = { ...object.metadata, name: uid, creationTimestamp, ownerReferences: [{ uid: 'owner' }] };
  return { ...changed, change: { ...changed.change, revision: new Revision({ ...object, metadata }, 1) } };
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

  test('7.3 a pod waits for the next round of its owner if it was made after this one had begun, though others of this one go later', () => {
    const round = [
      ownedPod('u', 1_000, 10_000, 'looping'),
      ownedPod('v', 1_000, 10_000, 'looping'),
      slice(60_000, true),
      ownedPod('u', 1_000, 60_500, 'ending'),
      ownedPod('v', 1_000, 70_000, 'ending'),
    ];
    const begun = [slice(-60_000, true), slice(0, false), ...round];
    // It was made in the first one's place, nine seconds before the second one went.
    expect(seen(95_000, ...begun, ownedPod('w', 61_000, 75_000, 'looping'))).toBe(undefined);
    expect(seen(95_000, ...begun, ownedPod('w', 50_000, 75_000, 'looping'))).toContain('nothing stands in the way');
  });

  test('7.3 a weeder that begins knows of no round: its first deletion begins one, also of a pod that was there before the last', () => {
    const begins: Observation = {
      at: start + 62_000,
      kind: 'process',
      slot: 'weeder-0',
      process: weeder,
      did: 'started',
    };
    const history = [
      slice(-60_000, true),
      slice(0, false),
      ...['u', 'v'].map((uid) => ownedPod(uid, 1_000, 10_000, 'looping')),
      slice(60_000, true),
      ownedPod('u', 1_000, 60_500, 'ending'),
      begins,
      ownedPod('v', 1_000, 70_000, 'ending'),
      ownedPod('w', 62_000, 72_000, 'looping'),
      ownedPod('w', 62_000, 76_000, 'ending'),
      ownedPod('x', 70_000, 77_000, 'looping'),
    ];
    expect(seen(95_000, ...history)).toBe(undefined);
    expect(seen(95_000, ...history.filter((one) => one !== begins))).toContain('nothing stands in the way');
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

function deleted(after: number, role = 'apiserver'): Observation {
  const metadata = { name: 'pod', namespace: shoot, uid: 'u', labels: { role }, deletionTimestamp: 'soon' };
  return change(kinds.pod, start + after, { metadata }, weeder);
}

const started: Observation = { at: start, kind: 'process', slot: 'weeder-0', process: weeder, did: 'started' };
const weeding = (...history: Observation[]) =>
  judged(
    weedingWindows,
    history,
    Object.assign(
      calmScene(() => start),
      { weederConfig },
    ),
  );

describe('S8 7.2 pods go within a window, and once', () => {
  test('S8 within the window of a service that is back, or of a weeder that has begun', () => {
    expect(weeding(slice(0, false), slice(10_000, true), deleted(309_000))).toBe(undefined);
    expect(weeding(slice(0, false), slice(10_000, true), deleted(320_000))).toContain('after the last window opened');
    expect(weeding(slice(-900_000, true), started, deleted(299_000))).toBe(undefined);
    expect(weeding(slice(-900_000, true), deleted(0))).toContain('after the last window opened');
  });

  test('S8 not while the service is down, nor where nothing selects the pod', () => {
    expect(weeding(slice(0, true), slice(1_000, false), deleted(2_000))).toBe(undefined);
    expect(weeding(slice(0, true), slice(1_000, false), deleted(9_000))).toContain('no service was available');
    expect(weeding(slice(0, true), deleted(2_000, 'other'))).toContain('no service was available');
  });

  test('S8 a weeder whose watch was silent as it stood still is told as long after that as another one', () => {
    const silent: Observation = { at: start + 90_000, kind: 'fault', name: 'seed: watch silent', process: 'weeder-0' };
    const resumed: Observation = { ...started, at: start + 90_000, did: 'resumed' };
    const down = [slice(-9_000, true), slice(0, false)];
    expect(weeding(...down, silent, deleted(130_000))).toContain('no service was available');
    expect(weeding(...down, resumed, silent, deleted(130_000))).toBe(undefined);
    expect(weeding(...down, resumed, silent, deleted(211_000))).toContain('no service was available');
  });

  test('S8 once', () => {
    expect(weeding(slice(0, true), deleted(2_000), deleted(4_000))).toBe(undefined);
    expect(weeding(slice(0, true), deleted(2_000), deleted(9_000))).toContain('7000 ms after it had been deleted');
  });
});

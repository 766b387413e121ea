import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPod } from '../../src/domain/weeder/pod.ts';

const metadata = { namespace: 'shoot--a', name: 'kcm-7f', uid: 'u-1' };
const backOff = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } };
const read = (status: unknown, more = {}) => readPod({ metadata: { ...metadata, ...more }, status });

test('7.3 a pod crash-loops when any of its containers waits in CrashLoopBackOff', () => {
  const statuses = [
    { name: 'main', state: backOff },
    { name: 'proxy', state: { running: {} } },
  ];
  expect(read({ containerStatuses: statuses })).toEqual({
    name: 'kcm-7f',
    uid: 'u-1',
    state: 'crashLooping',
    containers: ['main'],
    spared: 'noController',
  });
});

test('7.3 init containers, and sidecars among them, and ephemeral ones count as well', () => {
  expect(
    read({
      containerStatuses: [{ name: 'main', state: { waiting: { reason: 'PodInitializing' } } }],
      initContainerStatuses: [{ name: 'sidecar', restartCount: 4, state: backOff }],
      ephemeralContainerStatuses: [{ name: 'debug', state: backOff }],
    }),
  ).toMatchObject({ state: 'crashLooping', containers: ['sidecar', 'debug'] });
});

test('7.3 a pod that waits for anything else, runs, or has ended is left alone', () => {
  const fine = [
    { waiting: { reason: 'ImagePullBackOff' } },
    { waiting: { reason: 'ContainerCreating' } },
    { running: {} },
    { terminated: { reason: 'Error' } },
    null,
  ];
  for (const state of fine) {
    const lastState = { waiting: { reason: 'CrashLoopBackOff' } };
    expect(read({ containerStatuses: [{ name: 'main', state, lastState }] })).toMatchObject({ state: 'fine' });
  }
  expect(read(undefined)).toEqual({ name: 'kcm-7f', uid: 'u-1', state: 'fine', containers: [] });
});

const statuses = { containerStatuses: [{ name: 'main', state: backOff }] };
const controller = { kind: 'ReplicaSet', name: 'kcm', uid: 'u-rs', controller: true };

test.each<[string, object, object]>([
  [
    'its controller, and when it was made',
    { ownerReferences: [{ uid: 'u-other' }, controller], creationTimestamp: '2026-11-21T12:00:00Z' },
    { owner: 'u-rs', createdAt: Date.parse('2026-11-21T12:00:00Z') },
  ],
  ['its controller alone', { ownerReferences: [controller], creationTimestamp: 'once' }, { owner: 'u-rs' }],
  ['no controller', { ownerReferences: [{ ...controller, controller: false }] }, { spared: 'noController' }],
  ['no owner that can be read', { ownerReferences: { 0: controller } }, { spared: 'noController' }],
  [
    'that it is a mirror',
    { ownerReferences: [controller], annotations: { 'kubernetes.io/config.mirror': 'a1' } },
    { spared: 'mirror' },
  ],
])('7.3 of a pod that crash-loops is known %s', (_, metadata, origin) => {
  const { name, uid, state, containers, ...rest } = read(statuses, metadata)!;
  expect([name, uid, state, containers]).toEqual(['kcm-7f', 'u-1', 'crashLooping', ['main']]);
  expect(rest).toEqual(origin);
});

test('7.3 a pod that is being deleted ends, whatever its containers do', () => {
  const status = { containerStatuses: [{ name: 'main', state: backOff }] };
  expect(read(status, { deletionTimestamp: '2026-11-21T12:00:00Z' })).toMatchObject({
    state: 'ending',
    containers: [],
  });
  expect(read(status, { deletionTimestamp: 7 })).toMatchObject({ state: 'ending' });
  expect(read(status, { deletionTimestamp: null })).toMatchObject({ state: 'crashLooping' });
});

test('7.3 a pod that could not be told from another is none', () => {
  const unusable = [{ uid: '' }, { uid: 7 }, { uid: undefined }, { name: '' }, { name: 'a/b' }, { name: 'a\nb' }];
  for (const part of [...unusable, { name: 'x'.repeat(254) }, { uid: 'x'.repeat(129) }])
    expect(read({}, part)).toBeUndefined();
  expect(readPod(null)).toBeUndefined();
});

test('7.3 names of containers are kept only as far as Kubernetes lets them go', () => {
  const containerStatuses = [
    { name: 'x'.repeat(64), state: backOff },
    { state: backOff },
    ...Array.from({ length: 1_000 }, (_, index) => ({ name: `c${index}`, state: backOff })),
  ];
  const pod = read({ containerStatuses });
  expect(pod?.containers).toHaveLength(32);
  expect(pod?.containers[0]).toBe('c0');
});

test('7.3 whatever comes in, it is read, and nothing crash-loops that does not say so', () => {
  const anything = fc.anything({ maxDepth: 4 });
  fc.assert(
    fc.property(anything, fc.array(anything), (status, containerStatuses) => {
      expect(['fine', undefined]).toContain(read(status)?.state);
      expect(['fine', undefined]).toContain(read({ containerStatuses })?.state);
      readPod(status);
    }),
  );
});

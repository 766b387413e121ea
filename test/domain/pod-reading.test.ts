import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMissed, isWorthPicking, readPod, workloadOf, type PodOrigin } from '../../src/domain/weeder/pod.ts';
import { podView, waits } from '@dwd/testing/weeder-driver.ts';

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
    state: 'waiting',
    waits: waits('main'),
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
  ).toMatchObject({ state: 'waiting', waits: waits('sidecar', 'debug') });
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
  expect(read(undefined)).toEqual({ name: 'kcm-7f', uid: 'u-1', state: 'fine' });
});

/** It failed a second time, soon after it had been started again. */
const failed = { exitCode: 1, startedAt: '2026-11-21T12:00:00Z', finishedAt: '2026-11-21T12:00:05Z' };
const failedAgain = { name: 'main', restartCount: 1, state: { terminated: failed } };
const always = { restartPolicy: 'Always' };

const readSpec = (spec: unknown, status: unknown) => readPod({ metadata, spec, status })?.state;

test('7.3 a container that has failed again after a short run crash-loops before its kubelet says so', () => {
  const status = { phase: 'Running', containerStatuses: [{ name: 'proxy', state: { running: {} } }, failedAgain] };
  const looping = { state: 'waiting', waits: { because: 'endedAgain', containers: ['main'] } };
  expect(readPod({ metadata, spec: always, status })).toMatchObject(looping);
  expect(readSpec(always, { initContainerStatuses: [failedAgain] }), 'an init container, or a sidecar').toBe('waiting');
  const other = { name: 'proxy', state: backOff };
  const both = readPod({ metadata, spec: always, status: { containerStatuses: [failedAgain, other] } });
  expect(both).toMatchObject({ waits: waits('proxy', 'main') });
});

const ranTenMinutes = { ...failed, finishedAt: '2026-11-21T12:10:00Z' };

test.each<[string, object, object, string]>([
  ['it ran for ten minutes', { state: { terminated: ranTenMinutes } }, {}, 'waiting'],
  [
    'it ran for longer',
    { state: { terminated: { ...ranTenMinutes, finishedAt: '2026-11-21T12:10:01Z' } } },
    {},
    'fine',
  ],
  ['it ran for no time', { state: { terminated: { ...failed, finishedAt: failed.startedAt } } }, {}, 'waiting'],
  ['it failed for the first time', { restartCount: 0 }, {}, 'fine'],
  ['nobody says how often it was started', { restartCount: undefined }, {}, 'fine'],
  ['that count is no number', { restartCount: '1' }, {}, 'fine'],
  ['it is done', { state: { terminated: { ...failed, exitCode: 0 } } }, {}, 'fine'],
  ['no code is known', { state: { terminated: { ...failed, exitCode: undefined } } }, {}, 'fine'],
  ['its kubelet lost sight of it', { state: { terminated: { ...failed, startedAt: null } } }, {}, 'fine'],
  ['it never started', { state: { terminated: { ...failed, startedAt: '1970-01-01T00:00:00Z' } } }, {}, 'fine'],
  ['the clock was set back', { state: { terminated: { ...failed, finishedAt: '2026-11-21T11:59:59Z' } } }, {}, 'fine'],
  ['it runs again', { state: { running: {} }, lastState: { terminated: failed } }, {}, 'fine'],
  ['its pod is of a Job', {}, { spec: { restartPolicy: 'OnFailure' } }, 'fine'],
  ['its pod runs once', {}, { spec: { restartPolicy: 'Never' } }, 'fine'],
  ['nobody says what its pod does', {}, { spec: {} }, 'fine'],
  ['its node shut down', {}, { phase: 'Failed' }, 'fine'],
  ['its pod is done', {}, { phase: 'Succeeded' }, 'fine'],
])('7.3 of a container that has failed again, where %s', (_, change, of, state) => {
  const { spec = always, phase = 'Running' } = of as { spec?: object; phase?: string };
  expect(readSpec(spec, { phase, containerStatuses: [{ ...failedAgain, ...change }] })).toBe(state);
});

const rule = (operator: string, ...values: number[]) => ({ action: 'Restart', exitCodes: { operator, values } });

test.each<[string, string, object, string]>([
  ['Never', 'Always', { restartPolicy: 'Never' }, 'fine'],
  ['OnFailure', 'Always', { restartPolicy: 'OnFailure' }, 'waiting'],
  ['Always', 'Never', { restartPolicy: 'Always' }, 'waiting'],
  ['Always', 'OnFailure', { restartPolicy: 'Always' }, 'waiting'],
  ['none', 'Always', { restartPolicy: null }, 'waiting'],
  ['Never, but for this code', 'Always', { restartPolicy: 'Never', restartPolicyRules: [rule('In', 3, 1)] }, 'waiting'],
  ['Never, but for others', 'Always', { restartPolicy: 'Never', restartPolicyRules: [rule('In', 3)] }, 'fine'],
  ['Never, but not for 3', 'Never', { restartPolicy: 'Never', restartPolicyRules: [rule('NotIn', 3)] }, 'waiting'],
  ['Never, but not for this code', 'Never', { restartPolicy: 'Never', restartPolicyRules: [rule('NotIn', 1)] }, 'fine'],
  [
    'Never, and a rule nobody knows',
    'Always',
    { restartPolicy: 'Never', restartPolicyRules: [rule('Some', 1), 7] },
    'fine',
  ],
  [
    'Never, and a rule that asks for something else',
    'Always',
    { restartPolicy: 'Never', restartPolicyRules: [{ ...rule('In', 1), action: 'RestartAllContainers' }] },
    'fine',
  ],
])(
  '7.3 of a container that has failed again, whose own policy is %s in a pod of policy %s',
  (_, policy, own, state) => {
    const containers = [
      { name: 'proxy', restartPolicy: 'Always' },
      { name: 'main', ...own },
    ];
    for (const [spec, list] of [
      ['containers', 'containerStatuses'],
      ['initContainers', 'initContainerStatuses'],
    ] as const)
      expect(readSpec({ restartPolicy: policy, [spec]: containers }, { [list]: [failedAgain] })).toBe(state);
  },
);

test('7.3 an ephemeral container is never started again, and a pod that is being deleted ends', () => {
  expect(readSpec(always, { ephemeralContainerStatuses: [failedAgain] })).toBe('fine');
  const ending = { ...metadata, deletionTimestamp: '2026-11-21T12:00:00Z' };
  expect(readPod({ metadata: ending, spec: always, status: { containerStatuses: [failedAgain] } })?.state).toBe(
    'ending',
  );
});

const statuses = { containerStatuses: [{ name: 'main', state: backOff }] };
const controller = { kind: 'ReplicaSet', name: 'kcm', uid: 'u-rs', controller: true };

test.each<[string, object, PodOrigin]>([
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
  const ref = { name: 'kcm-7f', uid: 'u-1' };
  expect(read(statuses, metadata)).toEqual(podView({ ...ref, ...origin }));
});

test('7.3 a pod that is being deleted ends, whatever its containers do', () => {
  const status = { containerStatuses: [{ name: 'main', state: backOff }] };
  expect(read(status, { deletionTimestamp: '2026-11-21T12:00:00Z' })).toEqual(
    podView({ name: 'kcm-7f', uid: 'u-1' }, 'ending'),
  );
  expect(read(status, { deletionTimestamp: 7 })).toMatchObject({ state: 'ending' });
  expect(read(status, { deletionTimestamp: null })).toMatchObject({ state: 'waiting' });
});

test('7.3 a pod that could not be told from another is none', () => {
  const unusable = [{ uid: '' }, { uid: 7 }, { uid: undefined }, { name: '' }, { name: 'a/b' }, { name: 'a\nb' }];
  for (const part of [...unusable, { name: 'x'.repeat(254) }, { uid: 'x'.repeat(129) }])
    expect(read({}, part)).toBeUndefined();
  expect(readPod(null)).toBeUndefined();
  expect(read({}, { name: 'x'.repeat(253), uid: 'x'.repeat(128) })).toBeDefined();
});

test('7.3 names of containers are kept only as far as Kubernetes lets them go', () => {
  const containerStatuses = [
    { name: 'x'.repeat(64), state: backOff },
    { state: backOff },
    ...Array.from({ length: 1_000 }, (_, index) => ({ name: `c${index}`, state: backOff })),
  ];
  const pod = read({ containerStatuses });
  expect(pod).toMatchObject({ waits: waits(...Array.from({ length: 32 }, (_, index) => `c${index}`)) });
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

const owned = (kind: string, name: string, labels: object = {}) => ({
  metadata: {
    labels,
    ownerReferences: [
      { kind: 'Node', name: 'n', uid: 'u' },
      { kind, name, uid: 'u', controller: true },
    ],
  },
  spec: { restartPolicy: 'Always' },
});

test('7.8 pods belong to a Deployment where their ReplicaSet ends in the hash of their template', () => {
  const hash = { 'pod-template-hash': '7c9d' };
  expect(workloadOf(owned('ReplicaSet', 'csi-7c9d', hash))).toBe('Deployment csi');
  expect(workloadOf(owned('ReplicaSet', 'csi-7c9d'))).toBe('ReplicaSet csi-7c9d');
  expect(workloadOf(owned('StatefulSet', 'etcd-7c9d', hash))).toBe('StatefulSet etcd-7c9d');
  expect(workloadOf(owned('ReplicaSet', 'n'.repeat(9_999)))).toHaveLength(253);
});

test('7.8 a selector is worth while for a pod that would start again sooner if it were deleted', () => {
  const { metadata, spec } = owned('ReplicaSet', 'csi');
  expect(isWorthPicking({ metadata, spec })).toBe(true);
  for (const other of [
    { metadata, spec: { restartPolicy: 'OnFailure' } },
    { metadata, spec, status: { phase: 'Failed' } },
    { metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }, spec },
    { metadata: { ...metadata, annotations: { 'kubernetes.io/config.mirror': 'h' } }, spec },
    { metadata: {}, spec },
    {},
    null,
  ])
    expect(isWorthPicking(other)).toBe(false);
});

test.each([
  ['waiting', {}, true],
  ['waiting', { spared: 'mirror' }, false],
  ['fine', {}, false],
  ['ending', {}, false],
] as const)('7.7 a pod that is %s, %j, is told of though no selector picks it: %s', (state, origin, told) => {
  expect(isMissed(podView({ name: 'a', uid: 'u', ...origin }, state))).toBe(told);
  expect(isMissed(undefined)).toBe(false);
});

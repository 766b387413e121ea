import { expect, test } from 'vitest';
import { readNode } from '../../src/domain/prober/candidates.ts';

const plain = { name: 'a', unmanaged: false, trueConditions: [], inPlaceUpdate: false };
const withConditions = (...conditions: unknown[]) => ({ metadata: { name: 'a' }, status: { conditions } });

test('5.2 a node that says nothing is nothing special', () => {
  expect(readNode({ metadata: { name: 'a' } })).toEqual(plain);
});

test('5.2 the pool is a label', () => {
  const labels = { 'worker.gardener.cloud/pool': 'cpu', 'worker.garden.sapcloud.io/group': 'old' };
  expect(readNode({ metadata: { name: 'a', labels } })).toEqual({ ...plain, pool: 'cpu' });
});

test.each(['', 'true', 'false'])(
  '5.2 the annotation that takes a node from its manager counts by being there (%j)',
  (value) => {
    const annotations = { 'node.machine.sapcloud.io/not-managed-by-mcm': value };
    expect(readNode({ metadata: { name: 'a', annotations } })).toEqual({ ...plain, unmanaged: true });
  },
);

test('5.2 only conditions at True are kept', () => {
  const seen = readNode(
    withConditions(
      { type: 'Ready', status: 'True' },
      { type: 'DiskPressure', status: 'False' },
      { type: 'KernelDeadlock', status: 'Unknown' },
      { type: 'Odd', status: true },
      { status: 'True' },
      null,
      'True',
    ),
  );
  expect(seen?.trueConditions).toEqual(['Ready']);
});

test.each([
  ['ReadyForUpdate', 'True', true],
  ['ReadyForUpdate', 'False', true],
  ['UpdateFailed', 'Unknown', true],
  ['UpdateCandidate', 'True', false],
  ['UpdateSuccessful', 'True', false],
])('5.2 an in-place update with reason %s and status %s: %s', (reason, status, updating) => {
  expect(readNode(withConditions({ type: 'InPlaceUpdate', reason, status }))?.inPlaceUpdate).toBe(updating);
  expect(readNode(withConditions({ type: 'Ready', reason, status }))?.inPlaceUpdate).toBe(false);
});

test('4.7 of a node nothing is kept that is longer than what could be judged by it', () => {
  const [longest, longer] = [128, 129].map((length) => ({ type: 'x'.repeat(length), status: 'True' }));
  expect(readNode(withConditions(longest, longer))?.trueConditions).toEqual([longest?.type]);
  const labels = { 'worker.gardener.cloud/pool': 'x'.repeat(64) };
  expect(readNode({ metadata: { name: 'a', labels }, status: { conditions: { length: 9 } } })).toEqual(plain);
});

test('4.7 of a node all is kept that is as long as it may be', () => {
  const [name, label] = ['x'.repeat(253), 'x'.repeat(63)];
  const labels = { 'worker.gardener.cloud/pool': label, 'topology.kubernetes.io/zone': label };
  expect(readNode({ metadata: { name, labels } })).toEqual({ ...plain, name, pool: label, zone: label });
});

test.each<[unknown]>([[undefined], [7], [{}], [{ metadata: { name: '' } }], [{ metadata: { name: 'x'.repeat(254) } }]])(
  '5.2 %j has no usable name',
  (object) => {
    expect(readNode(object)).toBeUndefined();
  },
);

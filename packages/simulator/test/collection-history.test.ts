import { expect, test } from 'vitest';
import { kinds } from '../store/embedded-kinds.ts';
import { ObjectStore } from '../store/object-store.ts';

const unsaid = { uid: '', resourceVersion: '', creationTimestamp: '' };
const lease = (name: string) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { ...unsaid, name, namespace: 'kube-node-lease' },
});

/** Leases of so many nodes, renewed in turns. */
function renewed(nodes: number, times: number): ObjectStore {
  const store = new ObjectStore();
  for (let time = 0; time < times; time += 1) store.of(kinds.lease).put(lease(`node-${time % nodes}`));
  return store;
}

test('a kind of a few objects keeps the last hundreds of its changes, and no more', () => {
  const store = renewed(3, 5_000);
  expect(store.of(kinds.lease).since(store.resourceVersion - 200)).toHaveLength(200);
  expect(store.of(kinds.lease).since(store.resourceVersion - 500)).toBe(undefined);
});

test('a kind of many keeps thousands, also once all of them have gone', () => {
  const store = renewed(500, 5_000);
  const before = store.resourceVersion;
  for (let node = 0; node < 500; node += 1) store.of(kinds.lease).remove(`kube-node-lease/node-${node}`);
  expect(store.of(kinds.lease).size).toBe(0);
  expect(store.of(kinds.lease).since(before - 1_000)).toHaveLength(1_500);
});

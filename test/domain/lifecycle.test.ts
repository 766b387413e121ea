import { expect, test } from 'vitest';
import { type ClusterView, judgeLifecycle } from '../../src/domain/prober/cluster-view.ts';

const healthy: ClusterView = {
  deleting: false,
  hibernationEnabled: false,
  hibernated: false,
  lastOperation: { type: 'Reconcile', state: 'Succeeded' },
  workers: [{ name: 'a' }],
};

const operation = (type: string, state: string) => ({ ...healthy, lastOperation: { type, state } });

const states = ['Processing', 'Succeeded', 'Error', 'Failed', 'Pending', 'Aborted', ''];

test.each<[string, Partial<ClusterView>, string]>([
  ['deleted', { deleting: true }, 'the shoot is being deleted'],
  ['hibernated', { hibernationEnabled: true }, 'the shoot is hibernated'],
  ['asleep already', { hibernationEnabled: true, hibernated: true }, 'the shoot is hibernated'],
  ['without workers', { workers: [] }, 'the shoot has no workers'],
  ['self-hosted', { selfHosted: true }, 'the shoot hosts its own control plane'],
])('3.1 probing stops for a shoot that is %s', (_, change, reason) => {
  expect(judgeLifecycle({ ...healthy, ...change })).toEqual({ kind: 'stop', reason });
});

test.each(states)('3.1 probing stops for a migration, live or not, in state "%s"', (state) => {
  expect(judgeLifecycle(operation('Migrate', state))).toEqual({
    kind: 'stop',
    reason: 'the shoot migrates to another seed',
  });
  expect(judgeLifecycle(operation('LiveMigrate', state))).toEqual({
    kind: 'stop',
    reason: 'the shoot migrates live to another seed',
  });
});

test('3.1 deletion is named before everything else that stops', () => {
  const everything = { ...operation('Migrate', 'Error'), deleting: true, hibernationEnabled: true, workers: [] };
  expect(judgeLifecycle(everything)).toEqual({ kind: 'stop', reason: 'the shoot is being deleted' });
});

test.each(states)(
  '3.2 a reconciliation in state "%s" starts the probe, another operation once it has succeeded',
  (state) => {
    expect(judgeLifecycle(operation('Reconcile', state))).toEqual({ kind: 'start' });
    const kind = state === 'Succeeded' ? 'start' : 'keep';
    expect(judgeLifecycle(operation('Create', state)).kind).toBe(kind);
    expect(judgeLifecycle(operation('Restore', state)).kind).toBe(kind);
  },
);

test.each<[string, ClusterView, string]>([
  ['waking up', { ...healthy, hibernated: true }, 'the shoot is still waking up from hibernation'],
  ['being created', operation('Create', 'Processing'), "the shoot's last operation is Create, Processing"],
  ['of a type unknown here', operation('constructor', ''), "the shoot's last operation is constructor, in no state"],
  ['at Delete, without the timestamp', operation('Delete', 'Error'), "the shoot's last operation is Delete, Error"],
])('3.2 a shoot that is %s is left as it is', (_, cluster, reason) => {
  expect(judgeLifecycle(cluster)).toEqual({ kind: 'keep', reason });
});

test('3.2 no operation yet is no start', () => {
  const { lastOperation: _, ...young } = healthy;
  expect(judgeLifecycle(young)).toEqual({ kind: 'keep', reason: 'the shoot has had no operation yet' });
});

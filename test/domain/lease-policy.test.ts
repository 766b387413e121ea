import { expect, test } from 'vitest';
import { type ClusterView, judgeLifecycle } from '../../src/domain/prober/cluster-view.ts';
import { changesPolicy, leasePolicyOf } from '../../src/domain/prober/verdict.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';

const active: ClusterView = {
  deleting: false,
  hibernationEnabled: false,
  hibernated: false,
  workers: [{ name: 'pool' }],
  lastOperation: { type: 'Reconcile', state: 'Succeeded' },
};

/** Another value for each field. What is read of a Cluster has to matter; a new field needs a line here. */
const others: Required<ClusterView> = {
  deleting: true,
  hibernationEnabled: true,
  hibernated: true,
  workers: [{ name: 'pool', nodeConditions: ['Odd'] }],
  lastOperation: { type: 'Migrate', state: 'Processing' },
  selfHosted: true,
  nodeMonitorGrace: 90_000,
};

const judged = (cluster: ClusterView) => JSON.stringify(judgeLifecycle(cluster));

test.each(Object.keys(others) as (keyof ClusterView)[])('3 3.3 another %s of the Cluster is noticed', (field) => {
  const other = { ...active, [field]: others[field] };
  expect(changesPolicy(active, other, gardenerConfig) || judged(active) !== judged(other)).toBe(true);
  expect(changesPolicy(active, { ...active }, gardenerConfig)).toBe(false);
});

test('3.3 the Cluster’s own grace goes before the configuration’s', () => {
  const { kcmNodeMonitorGraceDuration: grace, nodeLeaseFailureFraction: failureFraction } = gardenerConfig;
  expect(leasePolicyOf(null, gardenerConfig)).toEqual({ grace, failureFraction });
  expect(leasePolicyOf(active, gardenerConfig)).toEqual({ grace, failureFraction });
  expect(leasePolicyOf({ ...active, nodeMonitorGrace: 90_000 }, gardenerConfig).grace).toBe(90_000);
});

import { expect, test } from 'vitest';
import type { ClusterView } from '../../src/domain/cluster-view.ts';
import { nodeConditionsOf } from '../../src/domain/node-conditions.ts';

const cluster: ClusterView = {
  deleting: false,
  hibernationEnabled: false,
  hibernated: false,
  workers: [
    { name: 'own', nodeConditions: ['DiskPressure', 'OutOfLuck'] },
    { name: 'plain' },
    { name: 'empty', nodeConditions: [] },
  ],
};

const defaults = ['KernelDeadlock', 'ReadonlyFilesystem', 'DiskPressure', 'NetworkUnavailable'];

test.each([
  ['own', ['DiskPressure', 'OutOfLuck']],
  ['plain', defaults],
  ['empty', defaults],
  ['unheard-of', defaults],
  [undefined, defaults],
])('5.2 the unhealthy conditions of pool %s', (pool, conditions) => {
  expect(nodeConditionsOf(cluster, pool)).toEqual(conditions);
});

import { expect, test } from 'vitest';
import { lookOf, nodeConditionsOf } from '../../src/domain/prober/candidates.ts';
import { gardenerConfig as config } from '@dwd/testing/prober-configs.ts';

const workers = [
  { name: 'own', nodeConditions: ['DiskPressure', 'OutOfLuck'] },
  { name: 'plain' },
  { name: 'empty', nodeConditions: [] },
  { name: 'own', nodeConditions: ['SaidAgain'] },
];

const defaults = ['KernelDeadlock', 'ReadonlyFilesystem', 'DiskPressure', 'NetworkUnavailable'];

test.each([
  ['own', ['DiskPressure', 'OutOfLuck']],
  ['plain', defaults],
  ['empty', defaults],
  ['unheard-of', defaults],
  [undefined, defaults],
])('5.2 the unhealthy conditions of pool %s', (pool, conditions) => {
  expect([...nodeConditionsOf(workers)(pool)]).toEqual(conditions);
});

test('5.2 a look is judged by the conditions of the pools in its Cluster, and by the defaults before one was seen', () => {
  const look = { nodes: [], machines: [] };
  const cluster = { deleting: false, hibernationEnabled: false, hibernated: false, workers };
  expect([...lookOf(look, { cluster, config }).unhealthyConditions('own')]).toEqual(['DiskPressure', 'OutOfLuck']);
  expect([...lookOf(look, { cluster: null, config }).unhealthyConditions('own')]).toEqual(defaults);
});

import { expect, test } from 'vitest';
import { nodeConditionsOf } from '../../src/domain/prober/candidates.ts';

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

import { expect, test } from 'vitest';
import { boundedCache } from '../../src/adapters/shoot/shoot-access.ts';

test('4.7 of kept kubeconfigs and TLS contexts those go that were used the longest ago', () => {
  const cache = boundedCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
  cache.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 4]);
});

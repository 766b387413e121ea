import { expect, test } from 'vitest';
import { naturalOrder } from '../../src/domain/natural-order.ts';

test('9.16 names stand as people count', () => {
  const names = ['node-10', 'node-2', 'Node-2', 'node-02', 'a/b', 'node-1', 'ä', 'node-10-x'];
  const sorted = names.toSorted(naturalOrder);
  expect(sorted).toEqual(names.toReversed().toSorted(naturalOrder));
  expect(sorted.filter((name) => name.startsWith('node-1') || name === 'node-2')).toEqual([
    'node-1',
    'node-2',
    'node-10',
    'node-10-x',
  ]);
  expect(naturalOrder('node-02', 'node-2')).not.toBe(0);
  expect(naturalOrder('node-2', 'node-2')).toBe(0);
});

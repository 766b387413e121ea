import { expect, test } from 'vitest';
import { readMachine } from '../../src/domain/machine-reading.ts';

test('5.2 a Machine is kept by its node and its phase', () => {
  const labels = { node: 'node-a', name: 'x' };
  expect(readMachine({ metadata: { labels }, status: { currentStatus: { phase: 'Running' } } })).toEqual({
    node: 'node-a',
    phase: 'Running',
  });
  expect(readMachine({ metadata: { labels } })).toEqual({ node: 'node-a', phase: '' });
  expect(readMachine({ metadata: { labels: { node: '' } } })).toBeUndefined();
  expect(readMachine({ metadata: {}, status: { node: 'node-a' } })).toBeUndefined();
  expect(readMachine(null)).toBeUndefined();
});

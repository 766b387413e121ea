import { expect, test } from 'vitest';
import { readMachine } from '../../src/domain/prober/candidates.ts';

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

const named = (length: number) => ({ metadata: { labels: { node: 'x'.repeat(length) } } });

test('4.7 a Machine that names what no node can be called is none, and a phase that nobody knows is as good as empty', () => {
  expect(readMachine(named(253))).toBeDefined();
  expect(readMachine(named(254))).toBeUndefined();
  const phased = (phase: string) => readMachine({ ...named(3), status: { currentStatus: { phase } } });
  expect(phased('x'.repeat(63))).toEqual({ node: 'xxx', phase: 'x'.repeat(63) });
  expect(phased('x'.repeat(64))).toEqual({ node: 'xxx', phase: '' });
});

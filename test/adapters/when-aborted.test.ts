import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { whenAborted } from '../../src/adapters/clock/deadline.ts';

test('1.2 whoever still waits is told of an abort, in order, by one listener', () => {
  const waiting = new AbortController();
  const told: string[] = [];
  whenAborted(waiting.signal, () => told.push('first'));
  const leave = whenAborted(waiting.signal, () => told.push('second'));
  whenAborted(waiting.signal, () => told.push('third'));
  leave();
  expect(getEventListeners(waiting.signal, 'abort')).toHaveLength(1);
  waiting.abort();
  expect(told).toEqual(['first', 'third']);
});

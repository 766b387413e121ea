import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { sleepUntil, whenAborted, withDeadline } from '../../src/adapters/clock/deadline.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

test('1.2 every listener that still waits is called at an abort, in order, by one listener of the signal', () => {
  const waiting = new AbortController();
  const called: string[] = [];
  whenAborted(waiting.signal, () => called.push('first'));
  const leave = whenAborted(waiting.signal, () => called.push('second'));
  whenAborted(waiting.signal, () => called.push('third'));
  leave();
  expect(getEventListeners(waiting.signal, 'abort')).toHaveLength(1);
  waiting.abort();
  expect(called).toEqual(['first', 'third']);
});

/** Work that waits until its signal is aborted, and returns the reason. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

test.each([
  ['at the deadline', 0, 50, undefined, 'deadline'],
  ['with the signal, before the deadline', 0, 50, 20, 'signal'],
  ['at once where the deadline is over', 60, 50, undefined, 'deadline'],
])('4.3 5.2 work is cut %s', async (_, now, deadlineAt, abortAt, reason) => {
  const clock = new VirtualClock(now);
  const other = new AbortController();
  if (abortAt !== undefined) clock.wakeAt(abortAt).subscribe(() => other.abort());
  const cut = withDeadline(clock, deadlineAt, other.signal, untilAborted);
  await clock.advanceBy(100);
  expect(await cut).toBe(reason);
});

test('4.3 5.2 work is cut at once by a signal that was aborted before', async () => {
  expect(await withDeadline(new VirtualClock(), 50, AbortSignal.abort(), untilAborted)).toBe('signal');
});

test.each([
  ['answers', () => Promise.resolve(1)],
  ['fails', () => Promise.reject(new Error('no'))],
])('4.3 work that %s leaves neither timer nor listener behind', async (_, work) => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  await withDeadline(clock, 50, signal, work).catch(() => undefined);
  expect(clock.sleeping).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('6.6 8 a sleep ends at its instant, or with its signal', async () => {
  const clock = new VirtualClock();
  const other = new AbortController();
  const woken: string[] = [];
  void sleepUntil(clock, 50, other.signal).then(() => woken.push(`slept ${clock.now()}`));
  void sleepUntil(clock, 500, other.signal).then(() => woken.push(`aborted ${clock.now()}`));
  await clock.advanceBy(60);
  other.abort();
  await clock.advanceBy(10);
  expect(woken).toEqual(['slept 50', 'aborted 60']);
  expect(clock.sleeping).toBe(0);
});

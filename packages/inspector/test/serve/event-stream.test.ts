import { expect, test } from 'vitest';
import { eventStream, serverSentEvent } from '../../serve/event-stream.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

async function streaming(beginning: readonly string[] = [], mostWaiting = 10) {
  const pace = new VirtualClock();
  const left: string[] = [];
  let missed = 0;
  const stream = eventStream({
    begin: () => beginning.map((text) => Buffer.from(text)),
    end: () => left.push('left'),
    mostWaiting,
    missed: ({ since, events }) => Buffer.from(`missed ${events} since ${since}`),
    onMissed: (events) => (missed += events),
    now: () => 7,
    pace,
  });
  const reading = stream.body[Symbol.asyncIterator]();
  expect((await reading.next()).value?.toString()).toBe(':\n\n');
  return {
    pace,
    left,
    missed: () => missed,
    send: (text: string) => stream.send(Buffer.from(text)),
    leaveOut: () => stream.leaveOut(),
    next: async () => {
      const { value, done } = await reading.next();
      return done === true ? undefined : value.toString();
    },
    leave: () => reading.return?.(),
  };
}

test('9.7 an event has a name and a line of data', () => {
  expect(serverSentEvent('rows', '{"a":"\\n"}').toString()).toBe('event: rows\ndata: {"a":"\\n"}\n\n');
});

test('9.7 the beginning comes first, then what was sent meanwhile, then each event as it comes', async () => {
  const { next, send } = await streaming(['a', 'b']);
  send('c');
  send('d');
  expect([await next(), await next(), await next()]).toEqual(['a', 'b', 'cd']);
  const waiting = next();
  send('e');
  expect(await waiting).toBe('e');
});

test('9.7 a reader for whom too much waits is told how much was left out, and then what comes after', async () => {
  const { next, send, missed } = await streaming();
  expect(['12345', '12345', '1'].map(send)).toEqual([true, true, false]);
  expect(send('after')).toBe(true);
  expect([await next(), await next()]).toEqual(['missed 3 since 7', 'after']);
  expect(missed()).toBe(3);
});

test('9.7 what a reader misses adds up until it is told', async () => {
  const { next, send, missed } = await streaming();
  for (const text of ['1234567', '1234', '1234567', '1234']) send(text);
  expect(await next()).toBe('missed 4 since 7');
  expect(missed()).toBe(4);
});

test('9.7 an event that is longer than what may wait reaches a reader for whom nothing else waits', async () => {
  const { next, send } = await streaming();
  expect([send('much more than ten'), send('1')]).toEqual([true, false]);
  expect(await next()).toBe('missed 2 since 7');
  expect(send('much more than ten')).toBe(true);
  expect(await next()).toBe('much more than ten');
});

test('9.7 an event that cannot be made is missed, and said at once to a reader who waits', async () => {
  const { next, leaveOut } = await streaming();
  const waiting = next();
  leaveOut();
  expect(await waiting).toBe('missed 1 since 7');
});

test('9.7 a reader to whom nothing is told hears a heartbeat, which is no event', async () => {
  const { next, pace, send } = await streaming();
  const waiting = next();
  await pace.advanceBy(15_000);
  expect(await waiting).toBe(':\n\n');
  const again = next();
  send('a');
  expect(await again).toBe('a');
  expect(pace.sleeping).toBe(0);
});

test('9.7 a reader who leaves while nothing comes is let go at once', async () => {
  const { next, leave, left, send, pace } = await streaming();
  const waiting = next();
  await leave();
  expect(await waiting).toBeUndefined();
  await leave();
  expect([left, send('late'), pace.sleeping]).toEqual([['left'], false, 0]);
});

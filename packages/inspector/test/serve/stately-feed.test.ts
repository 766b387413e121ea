import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StatelyCut } from '../../serve/stately-door.ts';
import { statelyFeed } from '../../serve/stately-feed.ts';
import { meltdown, ofShoots, apiserver, recovery } from '@dwd/testing/recorded-nights.ts';
import { cutOff, reader, receiver, serving } from './stately-readers.ts';

const outage = await meltdown();
const shoot = outage[0]!.subject;

async function feeding() {
  const cuts: StatelyCut[] = [];
  const faults: unknown[] = [];
  const feed = statelyFeed({ onCut: (why) => cuts.push(why), onFault: (error) => faults.push(error) });
  return { ...feed, ...(await serving(feed.upgrade)), cuts, faults };
}

test('9.7 the turns of an outage arrive in order, as events and snapshots, after the machine that they are of', async () => {
  const { observe, url } = await feeding();
  const [first, ...others] = outage;
  observe(first!);
  const { events, told } = receiver(url);
  await told(1);
  for (const turn of others) observe(turn);
  await told(1 + 2 * others.length);

  const [actor, ...rest] = events;
  expect(actor).toMatchObject({
    type: '@xstate.actor',
    name: shoot,
    sessionId: `shoot:${shoot}`,
    rootId: `shoot:${shoot}`,
  });
  expect(actor).toMatchObject({ snapshot: { status: 'active', value: { probe: 'off', shield: 'idle' } } });
  expect(rest.map(({ type }) => type)).toEqual(others.flatMap(() => ['@xstate.event', '@xstate.snapshot']));
  const heard = rest.flatMap((one) => (one.type === '@xstate.event' ? [one.event] : []));
  expect(heard).toEqual(JSON.parse(JSON.stringify(others.map(({ event }) => event))));
  const stood = rest.flatMap((one) => (one.type === '@xstate.snapshot' ? [one.snapshot] : []));
  expect(stood).toMatchObject(JSON.parse(JSON.stringify(others.map(({ after }) => after ?? {}))));
  expect(stood.at(-1)).toMatchObject({ status: 'done' });
  expect(stood.map((one) => Reflect.get(Reflect.get(one, 'value') ?? {}, 'shield'))).toContain('scaledDown');
  expect(new Set(events.map(({ sessionId }) => sessionId)).size).toBe(1);
});

test('9.7 who comes late is told first which machines there are, and where they stand', async () => {
  const { observe, url } = await feeding();
  const until = outage.findIndex(({ to }) => to === 'scaledDown');
  for (const turn of ofShoots(outage.slice(0, until + 1), 3)) observe(turn);
  const { events, told } = receiver(url);
  await told(3);
  expect(events.map(({ type, sessionId }) => `${type} ${sessionId}`)).toEqual([
    '@xstate.actor shoot:shoot--0',
    '@xstate.actor shoot:shoot--1',
    '@xstate.actor shoot:shoot--2',
  ]);
  expect(events.map((one) => 'snapshot' in one && Reflect.get(one.snapshot, 'value'))).toMatchObject(
    events.map(() => ({ shield: 'scaledDown' })),
  );
  observe({ ...outage[until + 1]!, subject: 'shoot--1' });
  await told(5);
  expect(events.slice(3).map(({ type, sessionId }) => `${type} ${sessionId}`)).toEqual([
    '@xstate.event shoot:shoot--1',
    '@xstate.snapshot shoot:shoot--1',
  ]);
});

test('9.7 a machine that begins, ends and begins anew is made known each time; one that has ended is not told any more', async () => {
  const { observe, url } = await feeding();
  const turns = await recovery();
  observe({ ...outage[0]!, subject: 'shoot--there' });
  for (const turn of outage) observe(turn);
  const { events, told } = receiver(url);
  await told(1);
  for (const turn of [...turns, ...turns]) observe(turn);
  await told(1 + 2 * (1 + 2 * turns.length));
  expect(events[0]?.sessionId).toBe('shoot:shoot--there');
  const made = events.flatMap(({ type }, index) => (type === '@xstate.actor' ? [index] : []));
  expect(made).toEqual([0, 1, 1 + 1 + 2 * turns.length]);
  expect(events[1]?.sessionId).toBe(`weeder:${apiserver}`);
});

test('9.7 a machine that was never heard of is made known with where it stood before its turn', async () => {
  const { observe, url } = await feeding();
  observe({ ...outage[0]!, subject: 'shoot--other' });
  const { events, told } = receiver(url);
  await told(1);
  observe(outage.find(({ from, to }) => from === 'probing' && to === 'scalingDown')!);
  await told(4);
  const shields = events.map((one) => 'snapshot' in one && Reflect.get(Reflect.get(one.snapshot, 'value'), 'shield'));
  expect(shields).toEqual(['idle', 'probing', false, 'scalingDown']);
});

test('9.7 a reader who names machines hears of those alone, also of those that come later', async () => {
  const { observe, url } = await feeding();
  const later = await recovery();
  observe(outage[0]!);
  observe({ ...outage[0]!, subject: 'shoot--other' });
  const { events, told } = receiver(`${url}?shoot=${shoot}&service=${encodeURIComponent(apiserver)}`);
  await told(1);
  observe({ ...outage[1]!, subject: 'shoot--other' });
  observe(later[0]!);
  await told(4);
  expect(events.map(({ sessionId }) => sessionId)).toEqual([
    `shoot:${shoot}`,
    `weeder:${apiserver}`,
    `weeder:${apiserver}`,
    `weeder:${apiserver}`,
  ]);
});

function untouchable(): never {
  throw new Error('somebody wrote this');
}

test('9.7 nothing is written while nobody listens, or nobody to this machine', async () => {
  const { observe, url } = await feeding();
  const turn = {
    ...outage[1]!,
    subject: 'shoot--untouched',
    after: { value: 'x', context: { toJSON: untouchable } as never },
  };
  observe(turn);
  const { told } = receiver(`${url}?shoot=${shoot}`);
  observe(outage[0]!);
  await told(1);
  observe(turn);
  expect(() => observe({ ...turn, subject: shoot })).toThrow('somebody wrote this');
});

test('9.7 a reader who is too slow is cut and told so; the others go on', async () => {
  const { observe, url, cuts } = await feeding();
  const [big] = (await meltdown(200)).filter(({ event }) => event.type === 'probe.answered');
  const turn = { ...big!, subject: shoot };
  observe(outage[0]!);
  const slow = await reader(url);
  slow.pause();
  const { events, told } = receiver(url);
  await told(1);
  let count = 0;
  for (; cuts.length === 0 && count < 2_000; count++) {
    observe(turn);
    await setImmediate();
  }
  expect(cuts).toEqual(['tooSlow']);
  const cut = cutOff(slow);
  slow.resume();
  expect(await cut).toBe('1013 too slow: more than 4 MiB waited for you');
  await told(1 + 2 * count);
  observe(turn);
  await told(3 + 2 * count);
  expect(events.at(-1)?.type).toBe('@xstate.snapshot');
  expect(cuts).toEqual(['tooSlow']);
});

test('9.7 a reader of more than 100 machines is cut and told to name some', async () => {
  const { observe, url, cuts } = await feeding();
  for (const turn of ofShoots(outage.slice(0, 2), 100)) observe(turn);
  let heard = 0;
  const everybody = Promise.withResolvers<void>();
  const all = await reader(url, () => ++heard === 100 && everybody.resolve());
  await everybody.promise;
  const cut = cutOff(all);
  observe({ ...outage[0]!, subject: 'shoot--100' });
  expect(await cut).toBe('1008 too many machines to tell at once: name some by ?shoot= and ?service=');
  expect(cuts).toEqual(['tooMany']);
  const named = receiver(`${url}?shoot=shoot--100`);
  await named.told(1);
});

import { expect, test } from 'vitest';
import type { FateEnd, WatchFate } from '../../../src/simulator/memory/fate.ts';
import { list, stage } from './memory-stage.ts';

test('a fault is told when it strikes, and one that a watch can be struck by never strikes another request', async () => {
  const ways = await stage();
  const fate: WatchFate = { lag: () => 1, silentAfter: 0, cutAfter: 0, withoutBookmarks: true };
  await ways.send({ watch: fate });
  expect(ways.told.splice(0)).toEqual([200, 'data', 'end']);
  await ways.send({ url: `${list}?watch=true&allowWatchBookmarks=true`, watch: fate });
  expect(ways.told.splice(0)).toEqual(['watch cut', 'ECONNRESET']);
});

test('a watch that falls silent is told of when it has something to say', async () => {
  const ways = await stage();
  await ways.send({ url: `${list}?watch=true&resourceVersion=2`, watch: { lag: () => 1, silentAfter: 5_000 } });
  await ways.pass(20_000);
  expect(ways.told).toEqual([200]);
  ways.write('late');
  ways.write('later');
  await ways.pass(20_000);
  expect(ways.told).toEqual([200, 'watch silent']);
});

test('what was sent twice is carried out twice; a watch is not', async () => {
  const ways = await stage();
  const doubled = { kind: 'doubled', after: 1_000 } as const;
  const body = JSON.stringify({ metadata: { generateName: 'a-' } });
  await ways.send({ method: 'POST', body, end: doubled });
  expect(ways.told.splice(0)).toEqual([201, 'data', 'end', 'doubled']);
  expect(ways.names()).toHaveLength(2);
  await ways.send({ url: `${list}?watch=true&resourceVersion=2`, end: doubled });
  expect(ways.told).toHaveLength(3);
  expect(ways.api.watches).toBe(1);
});

test('what stays unanswered was carried out; what is lost or refused was not', async () => {
  const ways = await stage();
  const body = JSON.stringify({ metadata: { generateName: 'a-' } });
  const after = async (end: FateEnd): Promise<readonly unknown[]> => {
    await ways.send({ method: 'POST', body, end });
    return [...ways.told.splice(0), ways.names().length];
  };
  expect(await after({ kind: 'lost', reset: false })).toEqual(['lost', 0]);
  expect(await after({ kind: 'refused' })).toEqual(['refused', 'ECONNREFUSED', 0]);
  expect(await after({ kind: 'status', code: 503 })).toEqual(['status', 503, 'data', 'end', 0]);
  expect(await after({ kind: 'unanswered', reset: true })).toEqual(['unanswered', 'ECONNRESET', 1]);
  expect(await after({ kind: 'truncated' })).toEqual(['truncated', 201, 'data', 'ECONNRESET', 2]);
});

test('a watch that stays unanswered is open nowhere, and not even its head comes', async () => {
  const ways = await stage();
  await ways.send({ url: `${list}?watch=true&resourceVersion=2`, end: { kind: 'unanswered', reset: false } });
  ways.write('unseen');
  await ways.pass(5_000);
  expect(ways.told).toEqual(['unanswered']);
  expect(ways.api.watches).toBe(0);
});

test('a request that is slow on its way is told of when it is sent, and not when it arrives', async () => {
  const ways = await stage();
  await ways.send({ slow: 8_000 });
  expect(ways.told.splice(0)).toEqual(['slow']);
  await ways.pass(5_000);
  expect(ways.told).toEqual([200, 'data', 'end']);
});

test('a server that is down, or has a fault, is told of by each request that meets it', async () => {
  const ways = await stage();
  ways.api.setFault({ kind: 'hang', at: 'answer' });
  await ways.send({});
  expect(ways.told.splice(0)).toEqual(['server hang']);
  ways.api.clearFault();
  expect(ways.told.splice(0)).toEqual(['ECONNRESET']);
  await ways.api.down();
  await ways.send({});
  expect(ways.told).toEqual(['server down', 'ECONNREFUSED']);
});

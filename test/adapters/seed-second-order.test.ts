import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';
import { Lane } from '../../src/adapters/seed-client/lane.ts';
import { longestQueue } from '../../src/adapters/seed-client/rate-limit.ts';
import { RequestCut } from '../../src/adapters/seed-client/request-cut.ts';
import { SeedConnection } from '../../src/adapters/seed-client/seed-connection.ts';
import { TokenBucket } from '../../src/adapters/seed-client/rate.ts';
import { collectGarbage } from '@dwd/testing/collect-garbage.ts';
import { answerJson } from '@dwd/testing/scripted-server.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { heardDial } from '../support/heard-output.ts';
import { wiredClient } from '../support/wired-client.ts';

/** What a single request does not show, and what a process that lives for months must not leave behind. */

const pods = '/api/v1/namespaces/a/pods';
const pod = `${pods}/p`;

const rate = { qps: 1, burst: 1 };

test('1.2 however many wait for a token, one timer does; and none is left when all are gone', async () => {
  const clock = new VirtualClock();
  const lane = new Lane(clock, { bucket: new TokenBucket(10, 1, 0), inFlight: 100, waiting: 100 });
  const admitted = Array.from({ length: 20 }, () => lane.admit({ signals: [] }).then((leave) => leave()));
  expect(clock.sleeping).toBe(1);
  await clock.advanceBy(1_000);
  expect(clock.sleeping).toBe(1);
  await clock.advanceBy(1_000);
  await Promise.all(admitted);
  expect(clock.sleeping).toBe(0);
});

test('1.2 6.3 a request that has left is held by no signal that could have taken it back', async () => {
  const lane = new Lane(new VirtualClock(), { bucket: undefined, inFlight: 1, waiting: 100 });
  const allWrites = new AbortController();
  const isGone = isLetGo(async () => {
    const leave = await lane.admit({ signals: [] });
    // Only the caller holds it.
    const onHeld = () => void lane.waiting;
    const waiting = lane.admit({ signals: [allWrites.signal], onHeld });
    leave();
    (await waiting)();
    return onHeld;
  });
  expect(await isGone).toBe(true);
  allWrites.abort();
});

test('S6 a request that is over is held by no signal that could have cut it, and by no timer', async () => {
  const clock = new VirtualClock();
  const permission = new AbortController();
  const isGone = isLetGo(() => {
    const cut = new RequestCut(clock, 'get pods', [permission.signal]);
    cut.allow(10_000);
    cut.letGo();
    return cut;
  });
  expect(clock.sleeping).toBe(0);
  expect(await isGone).toBe(true);
  permission.abort();
});

test('1.2 among urgent requests that wait, a write goes before the reads that came earlier', async () => {
  const { clock, server, client } = await wiredClient((_request, response) => answerJson(response, {}), { rate });
  const ask = (method: 'GET' | 'DELETE') => client.request({ method, path: pod, lane: 'urgent' });
  // The urgent bucket holds 25.
  await Promise.all(Array.from({ length: 25 }, () => ask('GET')));
  const waiting = [ask('GET'), ask('GET'), ask('DELETE')];
  await settled();
  const before = server.received.length;
  await clock.advanceBy(40);
  await server.hasReceived(before + 1);
  expect(server.received.at(-1)?.method).toBe('DELETE');
  await clock.advanceBy(1_000);
  await Promise.all(waiting);
});

test('1.2 among urgent requests that wait, the one goes first that is needed soonest', async () => {
  const { clock, server, client } = await wiredClient((_request, response) => answerJson(response, {}), { rate });
  const ask = (path: string, by?: number) => client.request({ method: 'GET', path, lane: 'urgent', by });
  await Promise.all(Array.from({ length: 25 }, () => ask(pod)));
  const waiting = [ask(`${pod}-1`), ask(`${pod}-2`, 1_009_000), ask(`${pod}-3`, 1_005_000)];
  await settled();
  const before = server.received.length;
  await clock.advanceBy(40);
  await server.hasReceived(before + 1);
  expect(server.received.at(-1)?.url).toBe(`${pod}-3`);
  await clock.advanceBy(1_000);
  await Promise.all(waiting);
});

test('1.2 7.3 a watch does not take the place of a deletion', async () => {
  const { clock, server, client } = await wiredClient((_request, response) => answerJson(response, {}), { rate });
  await Promise.all(Array.from({ length: 25 }, () => client.request({ method: 'GET', path: pod, lane: 'urgent' })));
  const watch = client.lines({ method: 'GET', path: pods, lane: 'urgent', inactivity: 90_000 }).next();
  const deletions = [1, 2, 3, 4].map((number) =>
    client.request({ method: 'DELETE', path: `${pod}-${number}`, lane: 'urgent' }),
  );
  await settled();
  await clock.advanceBy(160);
  await Promise.all(deletions);
  await clock.advanceBy(40);
  await watch;
  const order = server.received.slice(25).map(({ method }) => method);
  expect(order.join()).toBe('DELETE,DELETE,DELETE,DELETE,GET');
});

test('6.12 a 429 to whatever request holds scale-ups back for as long as the seed asks', async () => {
  const { clock, server, client, throttled } = await wiredClient(({ url }, response) => {
    if (url === pods) response.writeHead(429, { 'retry-after': '7' }).end();
    else answerJson(response, {});
  });
  await expect(client.request({ method: 'GET', path: pods })).rejects.toMatchObject({ status: 429, retryAfter: 7_000 });
  const up = client.request({ method: 'PATCH', path: pod, body: {}, lane: 'healing' });
  await client.request({ method: 'PATCH', path: `${pod}-2`, body: {}, lane: 'urgent' });
  await clock.advanceBy(6_999);
  expect(server.received.map(({ url }) => url)).toEqual([pods, `${pod}-2`]);
  await clock.advanceBy(1);
  await up;
  expect(throttled).toEqual(['server', 'rate healing']);
});

test('1.2 9.2 a request that finds the queue full is refused, and reported as that', async () => {
  const enough = new AbortController();
  const { client, throttled } = await wiredClient((_request, response) => answerJson(response, {}), { rate });
  const ask = () =>
    client.request({ method: 'GET', path: pod, withdrawn: enough.signal }).catch((error: unknown) => error);
  const all = Array.from({ length: longestQueue + 2 }, ask);
  expect(await all.at(-1)).toMatchObject({ kind: 'overloaded' });
  expect(throttled.filter((held) => held === 'queue normal')).toHaveLength(1);
  enough.abort();
  await Promise.all(all);
});

test('9.2 a refusal without end is reported by its status, and read no further than it needs', async () => {
  let sent = 0;
  const piece = Buffer.alloc(16_384, 'x');
  const { server, client } = await wiredClient((_request, response) => {
    response.writeHead(403);
    const pour = (): void => {
      while (!response.destroyed && sent < 512 * piece.length && response.write(piece)) sent += piece.length;
    };
    response.on('drain', pour);
    pour();
  });
  await expect(client.request({ method: 'GET', path: pod })).rejects.toMatchObject({ kind: 'status', status: 403 });
  await server.hasOpen(0);
  expect(sent).toBeLessThan(512 * piece.length);
});

test('1.2 new TLS material makes new connections, and what is in flight over the old ones comes to its end', async () => {
  const held: ServerResponse[] = [];
  const { clock, server, client, credentials } = await wiredClient((request, response) => {
    if (request.url.includes('slow')) held.push(response);
    else answerJson(response, {});
  });
  const slow = client.request({ method: 'GET', path: `${pods}/slow`, timeout: 600_000 });
  await server.hasReceived(1);
  const { connections } = server;
  credentials.now = { ...credentials.now, tls: { ca: `${server.ca}\n${server.ca}` } };
  await clock.advanceBy(60_000);
  // The first of these notices that the credentials are a minute old, the others go by the new ones.
  for (let asked = 0; asked < 3; asked++) {
    await client.request({ method: 'GET', path: pod });
    await settled();
  }
  expect(server.connections).toBeGreaterThan(connections);
  answerJson(held[0]!, { is: 'whole' });
  expect(await slow).toEqual({ is: 'whole' });
});

test('1.2 credentials that cannot be read again are asked for after a minute, and not with each request', async () => {
  const clock = new VirtualClock();
  let reads = 0;
  const read = async (): Promise<Credentials> => {
    await Promise.resolve();
    reads += 1;
    if (reads > 1) throw new Error('gone');
    return { server: 'https://seed', headers: {}, tls: {} };
  };
  const connection = new SeedConnection({ origin: 'x', read }, clock);
  onTestFinished(() => connection.close());
  const ask = async () => {
    await connection.wire();
    await settled();
  };
  await ask();
  await clock.advanceBy(60_000);
  for (let asked = 0; asked < 5; asked++) await ask();
  expect(reads).toBe(2);
  await clock.advanceBy(60_000);
  for (let asked = 0; asked < 5; asked++) await ask();
  expect(reads).toBe(3);
});

test('1.2 who waits for a token is told of a later instant, or gets it: nobody is woken at the same instant for ever', () => {
  for (const qps of [3, 7, 20, 33]) {
    let at = 1_764_000_000_123.456;
    const bucket = new TokenBucket(qps, 1, at);
    for (let tries = 0; tries < 1_000; tries += 1) {
      const next = bucket.take(at) ?? at + 0.1;
      expect(next).toBeGreaterThan(at);
      at = next;
    }
  }
});

test('1.2 a clock that is set back by an hour neither empties a bucket nor fills it', () => {
  const bucket = new TokenBucket(10, 5, 3_600_000);
  expect([bucket.take(3_600_000), bucket.take(3_600_000)]).toEqual([undefined, undefined]);
  expect([bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([undefined, undefined, undefined]);
  expect(bucket.take(0)).toBe(100);
  expect(bucket.take(100)).toBeUndefined();
});

test('6.3 a write that is withdrawn while its connection comes up is not sent over it', async () => {
  const { server, client } = await wiredClient((_request, response) => answerJson(response, {}));
  const handshakes: (() => void)[] = [];
  server.greet = (start) => handshakes.push(start);
  const withdrawal = new AbortController();
  const failed = client
    .request({ method: 'PATCH', path: pod, body: {}, withdrawn: withdrawal.signal })
    .catch((error: unknown) => error);
  await server.hasAccepted(1);
  withdrawal.abort();
  for (const start of handshakes) start();
  expect(await failed).toMatchObject({ kind: 'withdrawn' });
  expect(server.received).toEqual([]);
});

// Node reads TLS into blocks of 64 KB, and whatever points into one keeps all of it: 12 MiB with the watches of 250 services.
test('1.6 a watch that waits for its next line holds nothing of what it has read', async () => {
  const held: ServerResponse[] = [];
  const chunks: WeakRef<Buffer>[] = [];
  const heads: unknown[] = [];
  const dial = heardDial(() => ({
    began: ({ rawHeaders }) => void heads.push(rawHeaders),
    received: (chunk) => void chunks.push(new WeakRef(chunk)),
  }));
  const { server, client } = await wiredClient((_request, response) => held.push(response), { dial });
  const lines = client.lines({ method: 'GET', path: pods, query: { watch: 'true' }, inactivity: 30_000 });
  const first = lines.next();
  await server.hasReceived(1);
  held[0]!.writeHead(200).write('{"n":1}\n');
  await first;
  const second = lines.next();
  await collected();
  expect([heads, chunks.map((one) => one.deref())]).toEqual([[null], [undefined]]);
  held[0]!.end();
  await second;
});

/** Whether what `make` gave is garbage collected once it is over. Otherwise the thousands that follow would stay in memory as well. */
async function isLetGo(make: () => Promise<object> | object): Promise<boolean> {
  const kept = new WeakRef(await make());
  await collected();
  return kept.deref() === undefined;
}

async function collected(): Promise<void> {
  // An object that was touched in this turn of the event loop lives until the turn's end.
  for (let turns = 0; turns < 3; turns++) {
    await settled();
    collectGarbage();
  }
}

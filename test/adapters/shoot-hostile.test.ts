import { lookup } from 'node:dns';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ProbeFailed } from '../../src/adapters/reading/probe-failed.ts';
import { pacer } from '../../src/adapters/reading/pacer.ts';
import { shootAccesses } from '../../src/adapters/shoot/shoot-access.ts';
import { shootConnection } from '../../src/adapters/shoot/shoot-connection.ts';
import { collectGarbage } from '@dwd/testing/collect-garbage.ts';
import { answerJson, scriptedServer } from '@dwd/testing/scripted-server.ts';
import {
  afterVersion,
  kubeconfigFor,
  lease,
  leaseList,
  list,
  names,
  node,
  shootStage,
  startedAt,
  type Reply,
} from '@dwd/testing/shoot-stage.ts';

function memoryAfterCollection(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The outcome of a probe of a shoot that answers the list of leases in this way. */
async function ending(reply: Reply): Promise<string> {
  await using stage = await shootStage(afterVersion(reply));
  const answer = await stage.leases();
  await stage.server.hasOpen(0);
  if (answer.ok) {
    const { leases, leftOut } = answer.value;
    return leftOut === undefined ? `ok ${leases.length}` : `ok ${leases.length}, ${leftOut} left out`;
  }
  expect(answer.failure.detail).toMatch(/^[\x20-\x7e]{1,220}$/);
  return `${answer.failure.stage} ${answer.failure.reason}`;
}

/** Writes the pieces of `piece` as long as the client reads; `spent` counts bytes. */
function flood(response: ServerResponse, piece: () => Buffer, spent = { bytes: 0 }): void {
  const more = (): void => {
    while (!response.destroyed) {
      const bytes = piece();
      spent.bytes += bytes.length;
      if (!response.write(bytes)) return;
    }
  };
  response.on('drain', more);
  more();
}

test.each<[string, string]>([
  ['nothing', ''],
  ['a page', '<html><body>{"items": [</body></html>'],
  ['half a list', JSON.stringify(leaseList(['a', 'b'])).slice(0, -3)],
  ['a list and a half', `${JSON.stringify(leaseList(['a', 'b']))}{`],
  ['no list', '{"kind":"LeaseList","metadata":{}}'],
  ['a list of another kind', JSON.stringify(list('NodeList', [lease('a')]))],
  ['a Status with 200', '{"kind":"Status","status":"Failure","code":500}'],
  ['items that are no list', '{"kind":"LeaseList","items":{"a":{"metadata":{"name":"a"}}}}'],
  ['items that are no objects', '{"kind":"LeaseList","items":[0,0]}'],
  ['an object among other items', '{"kind":"LeaseList","items":[{"metadata":{"name":"a"}},["b"]]}'],
  ['an item without a name', JSON.stringify(list('LeaseList', [lease('a'), {}]))],
  ['an item with an endless name', JSON.stringify(list('LeaseList', [lease('a'.repeat(300))]))],
  ['an item that is no JSON', '{"kind":"LeaseList","items":[{"metadata":{"name":a}}]}'],
  ['brackets that do not match', '{"kind":"LeaseList","items":[{"metadata":{"name":"a"]}]}'],
  ['more closing than opening', ']}]}]}'],
  ['a deep nest', '['.repeat(60_000)],
  ['a next page that no URL may carry', JSON.stringify(leaseList(['a'], 'a\ud800\r\n'))],
])('4.7 %s instead of leases is garbled', async (_, body) => {
  expect(await ending((_request, response) => response.writeHead(200).end(body))).toBe('leases garbled');
});

test('4.7 what is no UTF-8 costs the name it stands in, and an empty list may be null', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"kind":"LeaseList","items":[{"metadata":{"name":"\xff'),
    Buffer.from([0xff, 0xc3, 0x28]),
    Buffer.from('"}}]}'),
  ]);
  expect(await ending((_, response) => response.end(bytes))).toBe('ok 1');
  expect(await ending((_, response) => response.end('{"kind":"LeaseList","items":null}'))).toBe('ok 0');
});

test('4.7 a deep nest within an item is skipped', async () => {
  const deep = `{"kind":"LeaseList","items":[{"metadata":{"name":"a"},"spec":${'[{"a":'.repeat(9_000)}0${'}]'.repeat(9_000)}}]}`;
  expect(await ending((_, response) => response.end(deep))).toBe('ok 1');
});

test.each<[string, string, string]>([
  ['bytes that are no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'leases garbled'],
  ['binary', '\x00\x01\x02\xff\xfe', 'leases garbled'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 9\r\n\r\n{}', 'leases garbled'],
  ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: -7\r\n\r\n{}', 'leases garbled'],
  ['a bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n', 'leases garbled'],
  ['less than its length, and closes', 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{}', 'leases unreachable'],
  ['more than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{"kind":"LeaseList"}', 'leases garbled'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    'leases unreachable',
  ],
  ['a header without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`, 'leases tooLarge'],
  ['nothing but early answers', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50), 'leases garbled'],
])('4.7 %s instead of an answer', async (_, bytes, outcome) => {
  const seen = await ending((_request, { socket }) => socket?.end(Buffer.from(bytes, 'latin1')));
  expect(seen).toBe(outcome);
});

test('4.7 an encoding that was not asked for is garbled', async () => {
  expect(await ending((_, response) => answerJson(response, leaseList([]), 200, { 'content-encoding': 'gzip' }))).toBe(
    'leases garbled',
  );
});

test('4.7 a page that leads to itself is garbled', async () => {
  let pages = 0;
  const next = ['one', 'two', 'one'];
  expect(await ending((_, response) => answerJson(response, leaseList([`n${pages}`], next[pages++ % 3])))).toBe(
    'leases garbled',
  );
  expect(pages).toBe(3);
});

test('4.7 an endless token for the next page is garbled, and not sent', async () => {
  let asked = 0;
  const token = 'x'.repeat(5_000);
  expect(await ending((_, response) => answerJson(response, leaseList([], `${token}${asked++}`)))).toBe(
    'leases garbled',
  );
  expect(asked).toBe(1);
});

test('4.7 pages without end are too large, with items and without', async () => {
  let page = 0;
  expect(await ending((_, response) => answerJson(response, leaseList([], String(page++))))).toBe('leases tooLarge');
  expect(page).toBe(100);
  expect(await ending((_, response) => answerJson(response, leaseList(names(500), String(page++))))).toBe(
    'leases tooLarge',
  );
  expect(page).toBe(196);
});

test('4.7 10,000 leases are kept, and the rest is left out', async () => {
  expect(await ending((_, response) => answerJson(response, leaseList(names(10_000))))).toBe('ok 10000');
  expect(await ending((_, response) => answerJson(response, leaseList(names(10_001))))).toBe('ok 10000, 1 left out');
  expect(await ending((_, response) => answerJson(response, leaseList(names(25_000))))).toBe(
    'ok 10000, 15000 left out',
  );
});

test('4.7 the leases that were renewed last are kept, in the order of the server', async () => {
  const [today, yesterday] = [new Date(startedAt), new Date(startedAt - 86_400_000)];
  const leases = names(20_000).map((name, index) => ({
    metadata: { name },
    spec: { renewTime: (index % 2 === 0 ? today : yesterday).toISOString() },
  }));
  await using stage = await shootStage(afterVersion((_, response) => answerJson(response, list('LeaseList', leases))));
  const answer = await stage.leases();
  const kept = answer.ok ? answer.value.leases.map(({ node: name }) => name) : [];
  expect(kept).toEqual(names(20_000).filter((_, index) => index % 2 === 0));
});

test.each<[string, Reply]>([
  ['an endless text', (_, response) => flood(response, () => Buffer.alloc(65_536, 'a'))],
  [
    'an endless item',
    (_, response) => {
      response.write('{"kind":"LeaseList","items":[{"metadata":{"name":"');
      flood(response, () => Buffer.alloc(65_536, 'a'));
    },
  ],
  [
    'endless items',
    (_, response) => {
      response.write('{"kind":"LeaseList","items":[{"metadata":{"name":"a"}}');
      flood(response, () => Buffer.from(',{"metadata":{"name":"a"}}'.repeat(1_000)));
    },
  ],
  [
    'large items',
    (_, response) => {
      const large = JSON.stringify({ ...lease('a'), large: Array.from({ length: 20_000 }, () => ({})) });
      response.write('{"kind":"LeaseList","items":[{"metadata":{"name":"a"}}');
      flood(response, () => Buffer.from(`,${large}`));
    },
  ],
])('4.7 %s costs a few megabytes, and no more of its sender than the limit', async (_, reply) => {
  const spent = { bytes: 0 };
  let heap = 0;
  const before = memoryAfterCollection();
  const seen = await ending((request, response) => {
    reply(request, response);
    const write = response.write.bind(response);
    response.write = ((chunk: Buffer) => {
      const megabytes = Math.floor(spent.bytes / 1_048_576);
      spent.bytes += chunk.length;
      // A look at each megabyte; the server's own buffers, a few dozen kilobytes, count with ours.
      if (Math.floor(spent.bytes / 1_048_576) > megabytes) heap = Math.max(heap, memoryAfterCollection() - before);
      return write(chunk);
    }) as ServerResponse['write'];
  });
  expect(seen).toBe('leases tooLarge');
  // The limit, and what the kernel had taken before we stopped reading.
  expect(spent.bytes).toBeLessThan(32 * 1_048_576);
  expect(heap).toBeLessThan(8 * 1_048_576);
});

test('4.7 marks around tiny chunks count as well', async () => {
  const mark = Buffer.from(`1;${'x'.repeat(60_000)}\r\n \r\n`);
  const seen = await ending((_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const more = (): void => {
      for (let room = true; room;) room = socket?.writable === true && socket.write(mark);
    };
    socket?.on('drain', more);
    more();
  });
  expect(['leases tooLarge', 'leases garbled']).toContain(seen);
});

test('5.2 4.7 5,000 nodes of 12 KB pass without being held all at once', async () => {
  const padding = Array.from({ length: 60 }, (_, image) => ({ names: [`registry/image-${image}@${'0'.repeat(150)}`] }));
  const page = (from: number) =>
    list(
      'NodeList',
      names(500, from).map((name) => ({ ...node(name), spec: { images: padding } })),
      from + 500 < 5_000 ? String(from + 500) : '',
    );
  await using stage = await shootStage(({ url }, response) =>
    answerJson(response, page(Number(new URL(url, 'https://x').searchParams.get('continue') ?? 0))),
  );
  const answer = await stage.nodes();
  expect(answer.ok && answer.value.length).toBe(5_000);
});

test('4.7 3.4 while one shoot floods and one hangs, another is answered', async () => {
  await using hanging = await shootStage(() => undefined);
  await using flooding = await shootStage(
    afterVersion((_, response) => flood(response, () => Buffer.from(',{"a":[1]}'.repeat(5_000)))),
  );
  await using fine = await shootStage(afterVersion((_, response) => answerJson(response, leaseList(['a']))));
  const others = [hanging.leases(), flooding.leases()];
  await hanging.server.hasReceived(1);
  expect((await fine.leases()).ok).toBe(true);
  expect(await others[1]).toMatchObject({ ok: false });
  expect(await hanging.clock.until(others[0]!)).toMatchObject({ ok: false, failure: { reason: 'timeout' } });
});

/** 5,000 characters in all: honest nodes never have so many, and an event could not hold them. */
const odd = Array.from({ length: 32 }, (_, index) => ({ type: `${index}`.padEnd(128, 'x'), status: 'True' }));

test('4.7 5.2 of 8,000 nodes with 32 conditions of 128 characters no event is made', async () => {
  const items = names(500).map((name) => ({ metadata: { name }, status: { conditions: odd } }));
  let page = 0;
  await using stage = await shootStage((_, response) => {
    page += 1;
    answerJson(response, list('NodeList', items, page < 16 ? String(page) : ''));
  });
  expect(await stage.nodes()).toEqual({
    ok: false,
    failure: {
      stage: 'nodes',
      reason: 'tooLarge',
      detail: 'the names and conditions in the NodeList have more than 1572864 characters',
    },
  });
  expect(page).toBe(1);
});

test('4.7 10,000 leases whose names are 253 characters long are not all kept', async () => {
  const long = names(10_000).map((name) => name.padEnd(253, 'x'));
  expect(await ending((_, response) => answerJson(response, leaseList(long)))).toBe('ok 5368, 4632 left out');
});

test('4.7 records of single bytes end after 16,384 of them, where 16 million would fit', async () => {
  let sent = 0;
  const reply: Reply = afterVersion((_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n');
    // Each waits for the one before: what waits together goes out as one record.
    const more = (error?: Error | null): void => {
      sent += 1;
      if (!error && socket?.writable) socket.write(' ', more);
    };
    more();
  });
  await using stage = await shootStage(reply);
  expect(await stage.leases()).toMatchObject({ failure: { reason: 'tooLarge' } });
  // The kernel holds some thousands that nobody has read.
  expect(sent).toBeLessThan(200_000);
});

/** A lease with so many keys that no other has. */
function manyKeys(count: number, from = 0): object {
  return { ...lease(`n${from}`), spec: Object.fromEntries(names(count, from).map((name) => [name, 0])) };
}

test('4.7 what is costly to parse is counted, in one item and in all', async () => {
  expect(await ending((_, response) => answerJson(response, list('LeaseList', [manyKeys(4_000)])))).toBe('ok 1');
  expect(await ending((_, response) => answerJson(response, list('LeaseList', [manyKeys(5_000)])))).toBe(
    'leases tooLarge',
  );
  const many = Array.from({ length: 130 }, (_, index) => manyKeys(4_000, 4_000 * index));
  expect(await ending((_, response) => answerJson(response, list('LeaseList', many)))).toBe('leases tooLarge');
});

/** A connection to the server that may send 16 MiB, and waits for its turns here. */
function connectionTo(server: Readonly<{ url: string; ca: string }>, turn: () => Promise<void>) {
  const connection = shootConnection({
    access: shootAccesses(() => kubeconfigFor(server))('shoot--a--b', {
      name: 'probe',
      key: 'kubeConfigSecretName',
    }),
    attemptTimeout: 250,
    lookup,
    now: () => startedAt,
    onRequest: () => undefined,
    turn,
  });
  connection.allow(16 * 1_048_576);
  return connection;
}

test('4.7 a long answer is read a slice at a turn, so that all others have theirs in between', async () => {
  const server = await scriptedServer((_, response) => response.end(Buffer.alloc(6 * 1_048_576, ' ')));
  const connection = connectionTo(server, pacer(1));
  let bytes = 0;
  let most = 0;
  let inTurn = 0;
  await connection.get('/api/v1/nodes', (chunk) => {
    if (inTurn === 0)
      setImmediate(() => {
        inTurn = 0;
      });
    inTurn += chunk.length;
    bytes += chunk.length;
    // The first mebibyte is read as it comes.
    if (bytes > 1.5 * 1_048_576) most = Math.max(most, inTurn);
  });
  connection.cut(new ProbeFailed({ reason: 'timeout', detail: 'enough' }));
  await server.close();
  expect(bytes).toBe(6 * 1_048_576);
  // Pieces of 16 KB, slices of 128; twice, since the first one of a row passes at once.
  expect(most).toBeLessThanOrEqual(2 * 9 * 16_384);
});

test('4.7 a shoot that must wait for its turn is not read from, however small its pieces are', async () => {
  const seen: { sent: number; ended?: unknown } = { sent: 0 };
  const server = await scriptedServer((_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n');
    const more = (error?: Error | null): void => {
      seen.sent += 1;
      if (!error && socket?.writable) socket.write(' ', more);
    };
    more();
  });
  const connection = connectionTo(server, () => new Promise(() => undefined));
  const asked = connection.get('/version', () => undefined).catch((error: unknown) => (seen.ended = error));
  // Far more than it may send, and more than one look at the socket takes.
  while (seen.sent < 50_000 && seen.ended === undefined) await turnOfTheLoop();
  for (let turn = 0; turn < 200; turn++) await turnOfTheLoop();
  expect(seen.ended).toBeUndefined();
  connection.cut(new ProbeFailed({ reason: 'timeout', detail: 'enough' }));
  await asked;
  await server.close();
});

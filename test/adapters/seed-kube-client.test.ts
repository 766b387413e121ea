import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { largestAnswer, longestLine } from '../../src/adapters/seed-client/undici-kube-client.ts';
import type { KubeRequest } from '../../src/adapters/kube/kube-client.ts';
import { issueCertificates } from '@dwd/simulator/api/certificates.ts';
import { answerJson, type Received } from '@dwd/testing/scripted-server.ts';
import { unverified } from '../support/unverified.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';
import { failureOf, token, wiredClient } from '../support/wired-client.ts';

const pod = '/api/v1/namespaces/a/pods/p';
const pods = '/api/v1/namespaces/a/pods';

test('1.2 a request says who asks and what for, and gives the JSON of its answer', async () => {
  const { server, client, seen } = await wiredClient((_request, response) => answerJson(response, { fine: true }, 201));
  const answer = await client.request({
    method: 'POST',
    path: pods,
    query: { fieldManager: 'dwd & co' },
    body: { kind: 'Pod' },
  });
  expect(answer).toEqual({ fine: true });
  expect(server.received).toMatchObject([
    {
      method: 'POST',
      url: `${pods}?fieldManager=dwd%20%26%20co`,
      body: '{"kind":"Pod"}',
      headers: {
        authorization: `Bearer ${token}1`,
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'dependency-watchdog/test',
      },
    },
  ]);
  expect(seen).toMatchObject([{ verb: 'create', resource: 'pods', code: '201' }]);
});

test('1.2 a server behind a path, and a patch with its content type', async () => {
  const { server, client } = await wiredClient((_request, response) => answerJson(response, {}));
  const credentials = { server: `${server.url}/k8s/x/` };
  const { client: behind } = await wiredClient(() => undefined, { server, credentials });
  await behind.request({ method: 'PATCH', path: pod, body: {}, contentType: 'application/merge-patch+json' });
  await client.request({ method: 'GET', path: pod });
  expect(server.received.map(({ url }) => url)).toEqual([`/k8s/x${pod}`, pod]);
  expect(server.received[0]?.headers['content-type']).toBe('application/merge-patch+json');
  expect(server.received[1]?.headers['content-type']).toBeUndefined();
});

test.each<[string, Partial<KubeRequest>]>([
  ['requests', {}],
  ['deletions with a precondition', { method: 'DELETE', body: { kind: 'DeleteOptions', preconditions: { uid: 'a' } } }],
])('9.2 %s one after the other share their connections', async (_, request) => {
  const { server, client } = await wiredClient((_request, response) => answerJson(response, {}));
  for (let count = 0; count < 10; count++) await client.request({ method: 'GET', path: pod, ...request });
  // undici opens a second one when the next request comes in the very moment in which the last answer ends.
  expect(server.connections).toBeLessThanOrEqual(2);
});

test('1.2 a hundred urgent requests are under way at once', async () => {
  const held: ServerResponse[] = [];
  const { server, client } = await wiredClient((_request, response) => held.push(response));
  const asked = Array.from({ length: 110 }, () => client.request({ method: 'GET', path: pod, lane: 'urgent' }));
  await server.hasReceived(100);
  await settled();
  expect(server.received).toHaveLength(100);
  for (const response of held.splice(0)) answerJson(response, {});
  await server.hasReceived(110);
  for (const response of held) answerJson(response, {});
  await Promise.all(asked);
});

test('9.2 a refusal carries its status, and a 429 is counted', async () => {
  const status = { kind: 'Status', reason: 'TooManyRequests', message: 'later' };
  const { client, seen, throttled } = await wiredClient((_request, response) =>
    answerJson(response, status, 429, { 'retry-after': '4' }),
  );
  await expect(client.request({ method: 'GET', path: pod })).rejects.toMatchObject({
    kind: 'status',
    status: 429,
    reason: 'TooManyRequests',
    retryAfter: 4_000,
    message: 'get pods a/p was answered 429 TooManyRequests: later',
  });
  expect(seen).toMatchObject([{ verb: 'get', resource: 'pods', code: '429' }]);
  expect(throttled).toEqual(['server']);
});

test('9.2 a redirect is not followed', async () => {
  const { server, client } = await wiredClient((_request, response) =>
    response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end(),
  );
  await expect(client.request({ method: 'GET', path: pod })).rejects.toMatchObject({ kind: 'status', status: 302 });
  expect(server.received).toHaveLength(1);
});

const badAnswers: [string, (response: ServerResponse) => unknown, string, string][] = [
  ['no JSON', (response: ServerResponse) => response.end('all is well'), 'garbled', ''],
  ['nothing', (response: ServerResponse) => response.end(), 'garbled', ''],
  [
    'half an answer',
    (response: ServerResponse) => void response.write('{"a":', () => response.destroy()),
    'unreachable',
    '',
  ],
  ['a closed door', (response: ServerResponse) => void response.destroy(), 'unreachable', ''],
  ['no HTTP', (response: ServerResponse) => void response.socket?.end('nonsense\r\n\r\n'), 'garbled', ''],
  ['too much', (response: ServerResponse) => response.end(Buffer.alloc(largestAnswer + 1, ' ')), 'garbled', 'TooLarge'],
];

test.each(badAnswers)('9.2 an answer of %s fails by its kind', async (_name, answer, kind, reason) => {
  const { client, seen } = await wiredClient((_request, response) => void answer(response));
  await expect(client.request({ method: 'GET', path: pod })).rejects.toMatchObject({ name: 'KubeError', kind, reason });
  expect(seen).toMatchObject([{ verb: 'get', resource: 'pods', code: kind }]);
});

test('9.2 nobody there, or somebody else, fails by its kind; nothing shows the token', async () => {
  const stranger = await issueCertificates('stranger');
  const elsewhere = await wiredClient(() => undefined, { credentials: { server: 'https://127.0.0.1:1' } });
  const other = await wiredClient(() => undefined, { credentials: { tls: { ca: stranger.ca } } });
  for (const [{ client }, kind] of [
    [elsewhere, 'unreachable'],
    [other, 'certificate'],
  ] as const) {
    const failure: unknown = await client.request({ method: 'GET', path: pod }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind });
    expect(JSON.stringify([failure, String(failure), (failure as Error).stack])).not.toContain(token);
  }
});

const empty = (_request: Received, response: ServerResponse) => answerJson(response, {});

test('9.2 no variable of the environment turns the looking at certificates off, and the operator’s kubeconfig does', async () => {
  const stranger = await issueCertificates('stranger');
  using _ = unverified();
  for (const tls of [{ ca: stranger.ca }, { ca: stranger.ca, rejectUnauthorized: true }]) {
    const { client, server } = await wiredClient(empty, { credentials: { tls } });
    await expect(client.request({ method: 'GET', path: pod })).rejects.toMatchObject({ kind: 'certificate' });
    expect(server.received).toEqual([]);
  }
  const { client } = await wiredClient(empty, { credentials: { tls: { ca: stranger.ca, rejectUnauthorized: false } } });
  await client.request({ method: 'GET', path: pod });
});

test('9.2 the certificate has to be for the name in the kubeconfig', async () => {
  const own = await wiredClient((_request, response) => answerJson(response, {}));
  const named = (servername: string) =>
    wiredClient(() => undefined, { credentials: { server: own.server.url, tls: { ca: own.server.ca, servername } } });
  const { client } = await named('localhost');
  await client.request({ method: 'GET', path: pod });
  const elsewhere = await named('elsewhere.example');
  await expect(elsewhere.client.request({ method: 'GET', path: pod })).rejects.toMatchObject({ kind: 'certificate' });
});

test.each(['the handshake', 'the answer', 'the body'])('9.2 silence in %s ends by the clock', async (where) => {
  const { clock, server, client, seen } = await wiredClient((_request, response) => {
    if (where === 'the body') response.write('{');
  });
  if (where === 'the handshake') server.greet = () => undefined;
  const failed = failureOf(client.request({ method: 'GET', path: pod, timeout: 3_000 }));
  if (where === 'the handshake') await server.hasAccepted(1);
  else await server.hasReceived(1);
  await clock.advanceBy(2_999);
  expect(seen).toEqual([]);
  await clock.advanceBy(1);
  expect(await failed).toMatchObject({ kind: 'timeout' });
  expect(seen).toMatchObject([{ verb: 'get', resource: 'pods', code: 'timeout' }]);
  expect(clock.sleeping).toBe(0);
  if (where !== 'the handshake') await server.hasOpen(0);
});

test('9.2 ten seconds are allowed where nothing is said', async () => {
  const { clock, server, client, seen } = await wiredClient(() => undefined);
  const failed = failureOf(client.request({ method: 'GET', path: pod }));
  await server.hasReceived(1);
  await clock.advanceBy(9_999);
  expect(seen).toEqual([]);
  await clock.advanceBy(1);
  expect(await failed).toMatchObject({ kind: 'timeout' });
});

test('6.3 what is withdrawn before it is sent is never sent, later it changes nothing', async () => {
  const held: ServerResponse[] = [];
  const rate = { qps: 1, burst: 1 };
  const { clock, server, client, seen, throttled } = await wiredClient((_, response) => held.push(response), { rate });
  const early = new AbortController();
  const first = client.request({ method: 'PATCH', path: pod, body: 1, withdrawn: early.signal });
  const second = client.request({ method: 'PATCH', path: pod, body: 2, withdrawn: early.signal });
  const third = client.request({ method: 'PATCH', path: pod, body: 3, signal: early.signal });
  const failures = Promise.all([failureOf(second), failureOf(third)]);
  await server.hasReceived(1);
  early.abort();
  const expected = { kind: 'withdrawn', message: expect.stringContaining('patch pods a/p was not sent') as string };
  expect(await failures).toMatchObject([expected, expected]);
  answerJson(held[0]!, {});
  await first;
  await clock.advanceBy(5_000);
  expect(server.received.map(({ body }) => body)).toEqual(['1']);
  expect(seen).toMatchObject([{ verb: 'patch', resource: 'pods', code: '200' }]);
  expect(throttled).toEqual(['rate normal', 'rate normal']);
});

test('S6 without permission nothing is written, and reading goes on', async () => {
  const permission = { granted: () => false, ended: new AbortController().signal };
  const { server, client, seen } = await wiredClient((_request, response) => answerJson(response, {}), { permission });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    await expect(client.request({ method, path: pod, body: {} })).rejects.toMatchObject({ kind: 'withdrawn' });
  await client.request({ method: 'GET', path: pod });
  expect(server.received).toHaveLength(1);
  expect(seen).toMatchObject([{ verb: 'get', resource: 'pods', code: '200' }]);
});

test('S6 a write whose connection comes up after the permission ended is not sent', async () => {
  const permission = { allowed: true, granted: () => permission.allowed, ended: new AbortController().signal };
  const { server, client } = await wiredClient((_request, response) => answerJson(response, {}), { permission });
  const handshakes: (() => void)[] = [];
  server.greet = (start) => handshakes.push(start);
  const failed = failureOf(client.request({ method: 'PATCH', path: pod, body: {} }));
  await server.hasAccepted(1);
  // Nobody aborts anything: the process may have stood still beyond its deadline, with every timer late.
  permission.allowed = false;
  for (const start of handshakes) start();
  expect(await failed).toMatchObject({ kind: 'withdrawn' });
  expect(server.received).toEqual([]);
});

test('S6 the end of the permission cuts writes in flight, and takes those that wait', async () => {
  const end = new AbortController();
  const permission = { granted: () => true, ended: end.signal };
  const rate = { qps: 1, burst: 2 };
  const { server, client } = await wiredClient(() => undefined, { permission, rate });
  const written = client.request({ method: 'PATCH', path: pod, body: {} });
  const read = client.request({ method: 'GET', path: pod });
  const waiting = client.request({ method: 'DELETE', path: pod });
  await server.hasReceived(2);
  const failures = Promise.all([failureOf(written), failureOf(waiting)]);
  end.abort();
  expect(await failures).toMatchObject([{ kind: 'aborted' }, { kind: 'withdrawn' }]);
  await server.hasOpen(1);
  read.catch(() => undefined);
});

test('1.2 the token is read again every minute, and after a 401 before the next request', async () => {
  let refuse = false;
  const { clock, server, client } = await wiredClient((_request, response) =>
    answerJson(response, {}, refuse ? 401 : 200),
  );
  const ask = async (): Promise<string> => {
    await client.request({ method: 'GET', path: pod }).catch(() => undefined);
    return (server.received.at(-1)?.headers.authorization ?? '').replace(`Bearer ${token}`, '');
  };
  expect([await ask(), await ask()]).toEqual(['1', '1']);
  await clock.advanceBy(60_000);
  // The one that notices does not wait for the file.
  expect([await ask(), await ask()]).toEqual(['1', '2']);
  await clock.advanceBy(10_000);
  refuse = true;
  expect(await ask()).toBe('2');
  refuse = false;
  expect(await ask()).toBe('3');
  refuse = true;
  expect([await ask(), await ask(), await ask()], 'not with each request').toEqual(['3', '3', '3']);
  expect(server.connections).toBeLessThanOrEqual(2);
});

/** Reads all lines, and returns how they ended; `all` has the lines so far. */
async function gather(lines: AsyncIterable<unknown>, all: unknown[] = []): Promise<unknown[]> {
  try {
    for await (const line of lines) all.push(line);
  } catch (error) {
    all.push((error as { kind: string }).kind);
  }
  return all;
}

test('6.2 a watch gives line by line until the server ends it', async () => {
  const held: ServerResponse[] = [];
  const { server, client, seen } = await wiredClient((_request, response) => held.push(response));
  let opened = 0;
  const path = '/apis/apps/v1/deployments';
  const request = { method: 'GET', path, query: { watch: 'true' }, inactivity: 30_000 } as const;
  const lines = client.lines({ ...request, opened: () => void (opened += 1) });
  const first = lines.next();
  await server.hasReceived(1);
  expect(opened).toBe(0);
  held[0]!.writeHead(200).write('{"n":1}\n{"n"');
  expect(await first).toEqual({ done: false, value: { n: 1 } });
  expect(opened).toBe(1);
  expect(seen).toMatchObject([{ verb: 'watch', resource: 'deployments', code: '200' }]);
  const second = lines.next();
  held[0]!.end(':"é"}\n');
  expect(await second).toEqual({ done: false, value: { n: 'é' } });
  expect(await lines.next()).toEqual({ done: true, value: undefined });
});

test('6.2 a watch that is silent for too long ends by the clock, a bookmark keeps it', async () => {
  const held: ServerResponse[] = [];
  const { clock, server, client } = await wiredClient((_request, response) => held.push(response));
  const told: unknown[] = [];
  const watch = client.lines({ method: 'GET', path: pods, query: { watch: 'true' }, inactivity: 1_000 });
  const gathered = gather(watch, told);
  await server.hasReceived(1);
  held[0]!.writeHead(200).flushHeaders();
  for (let line = 0; line < 3; line++) {
    await clock.advanceBy(900);
    held[0]!.write(`${line}\n`);
    await expect.poll(() => told).toHaveLength(line + 1);
  }
  await clock.advanceBy(999);
  expect(server.open).toBe(1);
  await clock.advanceBy(1);
  expect(await gathered).toEqual([0, 1, 2, 'timeout']);
  await server.hasOpen(0);
  expect(clock.sleeping).toBe(0);
});

test('1.2 a watch that is not answered gives its place among those in flight back after ten seconds', async () => {
  const { clock, server, client } = await wiredClient(() => undefined);
  const gathered = gather(client.lines({ method: 'GET', path: pods, query: { watch: 'true' }, inactivity: 90_000 }));
  await server.hasReceived(1);
  await clock.advanceBy(10_000);
  expect(await gathered).toEqual(['timeout']);
  expect(clock.sleeping).toBe(0);
});

const badWatches: [string, (response: ServerResponse) => unknown, unknown[]][] = [
  ['refused', (response: ServerResponse) => answerJson(response, {}, 410), ['status']],
  ['garbled', (response: ServerResponse) => void response.end('{}\nnonsense\n{}\n'), [{}, 'garbled']],
  ['cut', (response: ServerResponse) => void response.write('{}\n', () => response.destroy()), [{}, 'unreachable']],
  ['flooded', (response: ServerResponse) => void response.write(Buffer.alloc(longestLine + 1, '1')), ['garbled']],
];

test.each(badWatches)('6.2 a watch that is %s says so', async (_name, answer, expected) => {
  const { client } = await wiredClient((_request, response) => void answer(response));
  expect(await gather(client.lines({ method: 'GET', path: pods, inactivity: 1_000 }))).toEqual(expected);
});

test('6.2 leaving the loop, or a signal, cuts the connection of a watch', async () => {
  const { server, client } = await wiredClient((_request, response) => void response.write('1\n'));
  for await (const line of client.lines({ method: 'GET', path: pods, inactivity: 1_000 })) {
    expect(line).toBe(1);
    break;
  }
  await server.hasOpen(0);
  const enough = new AbortController();
  const told: unknown[] = [];
  const watch = client.lines({ method: 'GET', path: pods, inactivity: 1_000, signal: enough.signal });
  const gathered = gather(watch, told);
  await expect.poll(() => told).toEqual([1]);
  enough.abort();
  expect(await gathered).toEqual([1, 'aborted']);
  await server.hasOpen(0);
});

test('1.2 open watches, however many, hold neither a place among the requests in flight nor a connection that one needs', async () => {
  const { server, client } = await wiredClient((request, response) =>
    request.url.includes('watch') ? response.writeHead(200).flushHeaders() : answerJson(response, {}),
  );
  const enough = new AbortController();
  let opened = 0;
  const watches = Array.from({ length: 400 }, () =>
    gather(
      client.lines({
        method: 'GET',
        path: pods,
        query: { watch: 'true' },
        inactivity: 1_000,
        signal: enough.signal,
        opened: () => void (opened += 1),
      }),
    ),
  );
  await server.hasReceived(400);
  await client.request({ method: 'DELETE', path: pod, lane: 'urgent' });
  expect(opened).toBe(400);
  enough.abort();
  await Promise.all(watches);
});

async function bytesOf(pieces: AsyncIterable<Buffer>, most = Infinity): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) if ((bytes += piece.length) >= most) break;
  return bytes;
}

test('4.7 an answer that is read in pieces keeps its connection, and is reported by its status', async () => {
  const { server, client, seen } = await wiredClient((_request, response) => answerJson(response, 'x'.repeat(200_000)));
  for (let count = 0; count < 5; count++)
    expect(await bytesOf(client.pieces({ method: 'GET', path: pods }))).toBe(200_002);
  expect(server.connections).toBeLessThanOrEqual(2);
  expect(seen).toMatchObject(Array.from({ length: 5 }, () => ({ verb: 'list', resource: 'pods', code: '200' })));
});

test('4.7 a caller that leaves in the middle cuts the connection and gives back its place', async () => {
  const { server, client } = await wiredClient((_request, response) => void response.write('x'.repeat(100_000)));
  const left = Array.from({ length: 110 }, () =>
    bytesOf(client.pieces({ method: 'GET', path: pods, lane: 'urgent' }), 1),
  );
  await Promise.all(left);
  await server.hasOpen(0);
  expect(server.received).toHaveLength(110);
});

test('4.7 pieces that are refused, that stop, or that are cut fail by their kind', async () => {
  const { clock, server, client, seen } = await wiredClient((_request, response) =>
    server.received.length === 1 ? answerJson(response, {}, 403) : void response.write('{"a":'),
  );
  const read = (signal?: AbortSignal) =>
    failureOf(bytesOf(client.pieces({ method: 'GET', path: pods, timeout: 3_000, ...(signal ? { signal } : {}) })));
  expect(await read()).toMatchObject({ kind: 'status', status: 403 });
  const late = read();
  await server.hasReceived(2);
  await clock.advanceBy(3_000);
  expect(await late).toMatchObject({ kind: 'timeout' });
  const enough = new AbortController();
  const cut = read(enough.signal);
  await server.hasReceived(3);
  enough.abort();
  expect(await cut).toMatchObject({ kind: 'aborted' });
  expect(seen.map(({ code }) => code)[0]).toBe('403');
  await server.hasOpen(1);
  expect(clock.sleeping).toBe(0);
});

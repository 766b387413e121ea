import { describe, expect, test } from 'vitest';
import { judgePath } from '../../src/domain/prober/shoot-path.ts';
import { answerJson } from '@dwd/testing/scripted-server.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import {
  fine,
  kubeconfigFor,
  pathTimeout,
  shootStage,
  startedAt,
  token,
  type Reply,
} from '@dwd/testing/shoot-stage.ts';

const paths = ['internal', 'external'] as const;
const twoPaths = { config: twoPathConfig };

const json =
  (value: unknown, status = 200, headers = {}): Reply =>
  (_, response) =>
    answerJson(response, value, status, headers);
const text =
  (body: string | Buffer): Reply =>
  (_, response) =>
    void response.writeHead(200).end(body);
const raw =
  (bytes: string): Reply =>
  (_, { socket }) =>
    void socket?.end(Buffer.from(bytes, 'latin1'));

/** Writes for as long as anybody reads. */
const endless =
  (head: string, piece: string): Reply =>
  (_, { socket }) => {
    socket?.write(head);
    const bytes = Buffer.from(piece, 'latin1');
    const more = (): void => {
      for (let room = true; room;) room = socket?.writable === true && socket.write(bytes);
    };
    socket?.on('drain', more);
    more();
  };

const ok = 'HTTP/1.1 200 OK\r\n';
const status = { kind: 'Status', status: 'Failure', reason: 'Odd', message: 'for a reason' };

/** What an owner's API server, or what stands before it, may say to `/version`, and what it comes to. */
const answers: readonly (readonly [string, Reply, string, 'answered' | 'failed'])[] = [
  ['a version', json({ gitVersion: 'v1.33.1' }), 'none', 'answered'],
  ['an empty object', json({}), 'none', 'answered'],
  ['401', json(status, 401), 'unauthorized', 'answered'],
  ['403', json(status, 403), 'unauthorized', 'answered'],
  ['429', json(status, 429, { 'retry-after': '20' }), 'throttled', 'answered'],
  ['429 without an end', endless('HTTP/1.1 429 Busy\r\ncontent-length: 9000000\r\n\r\n', 'x'), 'throttled', 'answered'],
  ['400', json(status, 400), 'refused', 'failed'],
  ['404', json(status, 404), 'refused', 'failed'],
  ['500', json(status, 500), 'refused', 'failed'],
  ['502 of a load balancer', (_, r) => void r.writeHead(502).end('<html>bad gateway</html>'), 'refused', 'failed'],
  ['503', json(status, 503), 'refused', 'failed'],
  ['504', json(status, 504), 'refused', 'failed'],
  ['a redirect', json({}, 302, { location: 'https://127.0.0.1:1/version' }), 'refused', 'failed'],
  ['a list', json([]), 'garbled', 'failed'],
  ['a page', text('<html></html>'), 'garbled', 'failed'],
  ['nothing', text(''), 'garbled', 'failed'],
  ['half an object', text('{"major":"1"'), 'garbled', 'failed'],
  ['a deep nest', text('{"a":'.repeat(10_000)), 'garbled', 'failed'],
  ['what is no HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n\r\n'), 'garbled', 'failed'],
  ['early answers', raw('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)), 'garbled', 'failed'],
  ['an encoded answer', json({}, 200, { 'content-encoding': 'gzip' }), 'garbled', 'failed'],
  ['headers without an end', endless(ok, `x: ${'y'.repeat(1_000)}\r\n`), 'tooLarge', 'failed'],
  ['a body without an end', endless(`${ok}content-length: 9000000\r\n\r\n`, ' '.repeat(1_000)), 'tooLarge', 'failed'],
  [
    'chunk marks without an end',
    endless(`${ok}transfer-encoding: chunked\r\n\r\n`, `1;${'y'.repeat(900)}\r\n \r\n`),
    'tooLarge',
    'failed',
  ],
  [
    'chunks of one byte',
    raw(`${ok}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n${'1\r\n \r\n'.repeat(300)}1\r\n}\r\n0\r\n\r\n`),
    'tooLarge',
    'failed',
  ],
  ['a connection that closes', (_, { socket }) => void socket?.destroy(), 'unreachable', 'failed'],
  ['half an answer', raw(`${ok}content-length: 100\r\n\r\n{"a":`), 'unreachable', 'failed'],
];

describe.each(paths)('on the %s path', (path) => {
  test.each(answers)('4.7 4.9 %s', async (_, reply, reason, told) => {
    await using stage = await shootStage(reply, twoPaths);
    const failure = await stage.ask(path);
    expect(failure?.reason ?? 'none').toBe(reason);
    expect(judgePath(failure)).toBe(told);
    const { stage: of = path, detail = 'none' } = failure ?? {};
    expect(of).toBe(path);
    expect(detail).toMatch(/^[\x20-\x7e]{1,220}$/);
    expect(stage.server.connections).toBe(1);
    await stage.server.hasOpen(0);
  });

  test('4.5 4.9 a 429 says for how long', async () => {
    await using stage = await shootStage(json(status, 429, { 'retry-after': '20' }), twoPaths);
    expect(await stage.ask(path)).toMatchObject({ reason: 'throttled', retryAfter: 20_000 });
    expect(stage.codes).toEqual(['429']);
  });

  test('4.9 one GET of /version is all, each over a connection of its own', async () => {
    await using stage = await shootStage(fine, twoPaths);
    for (let turn = 1; turn <= 3; turn++) {
      expect(await stage.ask(path)).toBeUndefined();
      await stage.server.hasOpen(0);
    }
    expect(stage.server.received.map(({ method, url, connection }) => `${method} ${url} ${connection}`)).toEqual([
      'GET /version 1',
      'GET /version 2',
      'GET /version 3',
    ]);
    expect(stage.server.received[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  test('4.9 an answer that drips ends at the deadline', async () => {
    let drip: NodeJS.Timeout | undefined;
    await using stage = await shootStage((_, response) => {
      response.writeHead(200).write('{');
      drip = setInterval(() => response.write(' '), 1);
    }, twoPaths);
    const answer = stage.ask(path);
    await stage.server.hasReceived(1);
    expect(await stage.clock.until(answer)).toMatchObject({ stage: path, reason: 'timeout' });
    expect(stage.clock.now()).toBe(startedAt + pathTimeout);
    clearInterval(drip);
    await stage.server.hasOpen(0);
  });

  test('4.1 4.9 a Secret that is missing, or has no kubeconfig, is named by the key of the configuration', async () => {
    await using stage = await shootStage(fine, twoPaths);
    if (path === 'internal') stage.kubeconfig = undefined;
    else stage.external = undefined;
    const failure = await stage.ask(path);
    expect(failure).toMatchObject({ stage: path, reason: 'kubeconfig' });
    expect(failure?.detail).toContain(
      `of the name that ${path}KubeConfigSecretName gives, is missing in shoot--a--b, or has no kubeconfig`,
    );
    expect(judgePath(failure)).toBe('untold');
    expect(await stage.ask(path === 'internal' ? 'external' : 'internal')).toBeUndefined();
    expect(stage.codes).toEqual(['200']);
  });

  test('9.4 4.9 a server that echoes our token does not get it into a failure', async () => {
    await using stage = await shootStage(json({ ...status, message: `not ${token}` }, 500), twoPaths);
    expect(await stage.ask(path)).toMatchObject({ detail: 'HTTP 500, Odd: not [hidden]' });
  });
});

test('4.2 4.9 each path has its own authority, and its own kubeconfig’s rotation', async () => {
  await using stage = await shootStage(fine, twoPaths);
  await using elsewhere = await shootStage(fine, twoPaths);
  stage.external = kubeconfigFor(elsewhere.server, {}, { token: 'outside' });
  for (const path of paths) expect(await stage.ask(path)).toBeUndefined();
  stage.external = kubeconfigFor(elsewhere.server, {}, { token: 'renewed' });
  for (const path of paths) expect(await stage.ask(path)).toBeUndefined();
  const sent = ({ server }: typeof stage) => server.received.map(({ headers }) => headers.authorization);
  expect(sent(stage)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  expect(sent(elsewhere)).toEqual(['Bearer outside', 'Bearer renewed']);
});

test('4.9 where one Secret is both, both paths are asked over it', async () => {
  const same = { ...twoPathConfig, externalKubeConfigSecretName: twoPathConfig.internalKubeConfigSecretName };
  await using stage = await shootStage(fine, { config: same });
  stage.external = undefined;
  for (const path of paths) expect(await stage.ask(path)).toBeUndefined();
  expect(stage.server.connections).toBe(2);
});

test('4.9 a lease machine’s API has one Secret for whatever is asked', async () => {
  await using stage = await shootStage(fine);
  stage.external = undefined;
  for (const path of paths) expect(await stage.ask(path)).toBeUndefined();
  expect(await stage.leases()).toMatchObject({ ok: true });
});

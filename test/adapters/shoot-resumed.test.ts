import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TlsTickets } from '../../src/adapters/shoot/tls-tickets.ts';
import { renewTickets } from '@dwd/simulator/api/renewed-tickets.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';
import { oddAuthority, type Authority, type Pair } from './shoot-odd-certificates.ts';
import { kubeconfigFor, leaseList, shootStage, startedAt, type ShootStage } from '@dwd/testing/shoot-stage.ts';

const hour = 3_600_000;

let authority: Authority;
let pair: Pair;
let stage: ShootStage;

beforeAll(async () => {
  authority = await oddAuthority('a');
  pair = await authority.issue(['127.0.0.1', 'one.example', 'two.example']);
  stage = await shootStage(() => undefined);
});
afterAll(() => stage[Symbol.asyncDispose]());

type Served = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  status: number;
  readonly resumed: boolean[];
};

/** A server that gives a new ticket in each handshake, as Go does, unless it is told not to. */
async function serving({ key, certificate }: Pair, options: ServerOptions = {}, port = 0): Promise<Served> {
  const server = createServer({ key, cert: certificate, ...options }, ({ url }, response) => {
    response.writeHead(served.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(url === '/version' ? {} : leaseList(['a'])));
  });
  if (options.secureOptions === undefined) renewTickets(server);
  server.on('secureConnection', (socket: TLSSocket) => served.resumed.push(socket.isSessionReused()));
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const listening = (server.address() as AddressInfo).port;
  const served: Served = {
    url: `https://127.0.0.1:${listening}`,
    port: listening,
    status: 200,
    resumed: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  stage.clock.now = () => startedAt;
  stage.kubeconfig = kubeconfigFor({ url: served.url, ca: authority.ca });
  return served;
}

/** What became of a probe, once its connection is let go. */
async function probed(): Promise<string> {
  const answer = await stage.leases();
  await settled();
  return answer.ok ? 'ok' : answer.failure.reason;
}

test('4.3 each probe resumes the session of the one before, over a connection of its own', async () => {
  await using server = await serving(pair);
  for (let probe = 0; probe < 4; probe++) expect(await probed()).toBe('ok');
  expect(server.resumed).toEqual([false, true, true, true]);
});

test('4.3 a ticket is used once: a server that gave no other has a full handshake', async () => {
  // Node gives no ticket in a handshake that resumes.
  await using server = await serving(pair, { secureOptions: 0 });
  for (let probe = 0; probe < 4; probe++) expect(await probed()).toBe('ok');
  expect(server.resumed).toEqual([false, true, false, true]);
});

test.each<[string, ServerOptions]>([
  ['cannot read its tickets any more', { secureOptions: constants.SSL_OP_NO_TICKET }],
  ['speaks TLS 1.2, where a session has no fresh keys', { maxVersion: 'TLSv1.2', secureOptions: 0 }],
])('4.3 a server that %s has a full handshake each time', async (_, options) => {
  await using server = await serving(pair, options);
  for (let probe = 0; probe < 3; probe++) expect(await probed()).toBe('ok');
  expect(server.resumed).toEqual([false, false, false]);
});

test('4.3 a certificate is checked again after an hour, though each probe resumed the last', async () => {
  await using server = await serving(pair);
  for (const after of [0, 0.5 * hour, hour - 1, hour, 1.5 * hour, 2 * hour - 1, 2 * hour]) {
    stage.clock.now = () => startedAt + after;
    expect(await probed()).toBe('ok');
  }
  expect(server.resumed).toEqual([false, true, true, false, true, true, false]);
});

test('4.3 a certificate that has expired by our clock is checked again', async () => {
  const endsAt = Math.ceil(Date.now() / 1_000) * 1_000 + hour;
  await using server = await serving(await authority.issue(['127.0.0.1'], new Date(endsAt)));
  for (const left of [2_000, 1, 0]) {
    stage.clock.now = () => endsAt - left;
    expect(await probed()).toBe('ok');
  }
  expect(server.resumed).toEqual([false, true, false]);
});

test('4.3 a clock that was set back makes no ticket last longer', async () => {
  await using server = await serving(pair);
  expect(await probed()).toBe('ok');
  stage.clock.now = () => startedAt - 1;
  expect(await probed()).toBe('ok');
  expect(server.resumed).toEqual([false, false]);
});

test('4.3 4.4 a probe that failed leaves no ticket', async () => {
  await using server = await serving(pair);
  expect(await probed()).toBe('ok');
  server.status = 503;
  expect(await probed()).toBe('refused');
  server.status = 200;
  expect(await probed()).toBe('ok');
  expect(server.resumed).toEqual([false, true, false]);
});

test('4.3 4.2 a kubeconfig that has changed begins with a full handshake: another authority, name or token', async () => {
  await using server = await serving(pair);
  const { url } = server;
  const other = await oddAuthority('b');
  const { ca } = authority;
  for (const kubeconfig of [
    kubeconfigFor({ url, ca }),
    kubeconfigFor({ url, ca: `${ca}\n${other.ca}` }),
    kubeconfigFor({ url, ca }, {}, { token: 'renewed' }),
    kubeconfigFor({ url, ca }, { 'tls-server-name': 'one.example' }),
    kubeconfigFor({ url, ca }, { 'tls-server-name': 'two.example' }),
  ]) {
    stage.kubeconfig = kubeconfig;
    for (let probe = 0; probe < 2; probe++) expect(await probed()).toBe('ok');
  }
  expect(server.resumed).toEqual(Array.from({ length: 5 }, () => [false, true]).flat());
  stage.kubeconfig = kubeconfigFor({ url, ca: other.ca });
  expect(await probed()).toBe('certificate');
  stage.kubeconfig = kubeconfigFor({ url, ca }, { 'tls-server-name': 'three.example' });
  expect(await probed()).toBe('certificate');
});

test('4.3 4.2 another server at the same place is verified in full, and gets nothing where it is not the right one', async () => {
  const server = await serving(pair);
  const { port } = server;
  expect(await probed()).toBe('ok');
  await server[Symbol.asyncDispose]();
  {
    const stranger = await oddAuthority('b');
    await using other = await serving(await stranger.issue(['127.0.0.1']), {}, port);
    expect(await probed()).toBe('certificate');
    // To a client that turns away, a handshake of TLS 1.3 is over.
    expect(other.resumed).not.toContain(true);
  }
  await using restarted = await serving(pair, {}, port);
  expect(await probed()).toBe('ok');
  expect(restarted.resumed).toEqual([false]);
});

test.each([
  [11, true],
  [10, false],
])(
  '5.1 %i probes were answered before a restart: whether the first one after it tells of a new server is %s',
  async (probes, isNew) => {
    const seen: unknown[] = [];
    const see = async (): Promise<void> => {
      const answer = await stage.leases();
      await settled();
      seen.push(answer.ok && answer.value.serverIsNew);
    };
    const server = await serving(pair);
    for (let probe = 0; probe < probes; probe++) await see();
    await server[Symbol.asyncDispose]();
    await using _ = await serving(pair, {}, server.port);
    for (let probe = 0; probe < 3; probe++) await see();
    expect(seen.slice(0, probes)).toEqual(Array.from({ length: probes }, () => undefined));
    expect(seen.slice(probes)).toEqual([isNew || undefined, undefined, undefined]);
  },
);

test('5.1 who had to begin with a full handshake learns of no new server: after a failed probe, or within the hour', async () => {
  await using server = await serving(pair);
  const seen: unknown[] = [];
  for (let probe = 0; probe < 24; probe++) {
    server.status = probe === 12 ? 503 : 200;
    if (probe === 20) stage.clock.now = () => startedAt + hour;
    const answer = await stage.leases();
    await settled();
    if (answer.ok) seen.push(answer.value.serverIsNew);
  }
  expect(server.resumed.filter((resumed) => !resumed)).toHaveLength(3);
  expect(seen).toEqual(Array.from({ length: 23 }, () => undefined));
});

test('4.7 a ticket beyond its limit is not kept, and one that is kept holds no more than its own bytes', () => {
  const tickets = new TlsTickets();
  const until = startedAt + hour;
  tickets.keep({ session: Buffer.alloc(4_097), until });
  expect(tickets.take(startedAt)).toBe(undefined);
  tickets.keep({ session: Buffer.from('small'), until });
  expect(tickets.take(startedAt)?.session.buffer.byteLength).toBe(5);
});

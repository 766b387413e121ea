import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { AddressUnusable, serveHttp, type HttpServerOptions } from '../../src/adapters/http/http-server.ts';
import { createHealth, longestSilence, longestWeederSilence } from '../../src/adapters/http/health.ts';
import { isOwnHost, journalRoutes, metricsRoutes } from '../../src/adapters/http/routes.ts';
import { createMetrics } from '../../src/adapters/record/metrics/metrics.ts';
import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { gardenerWeederConfig } from '@dwd/testing/weeder-configs.ts';
import { journalDriver, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown, recovery } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();

async function serving(options: Partial<HttpServerOptions> = {}) {
  const faults: unknown[] = [];
  const server = await serveHttp({
    address: { host: '127.0.0.1', port: 0 },
    flag: '--metrics-bind-addr',
    routes: { '/hello': () => ({ status: 200, contentType: 'text/plain', body: 'hello' }) },
    onFault: (error) => faults.push(error),
    ...options,
  });
  onTestFinished(() => server.close());
  return { ...server, faults, url: `http://127.0.0.1:${server.port}` };
}

/** A request with any headers, which `fetch` would not send. */
function ask(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test('9.2 9.3 GET and HEAD are answered, other paths with 404, other methods with 405', async () => {
  const { url } = await serving();
  const get = await fetch(`${url}/hello?x`);
  expect([get.status, await get.text()]).toEqual([200, 'hello']);
  const head = await fetch(`${url}/hello`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
  const other = await fetch(`${url}/other`);
  expect(other.status).toBe(404);
  expect(await other.text()).toMatch(/^not found; here are .*\/hello/);
  expect((await fetch(`${url}/__proto__`)).status).toBe(404);
  expect((await fetch(`${url}/hello/`)).status).toBe(404);
  const post = await fetch(`${url}/hello`, { method: 'POST', body: 'x' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('9.7 no other page may read what is served: no CORS header, no sniffing, no caching', async () => {
  const { url } = await serving();
  const { headers } = await fetch(`${url}/hello`, { headers: { origin: 'https://example.org' } });
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('1.2 an address that is taken is an error that names flag and address', async () => {
  const { port } = await serving();
  const second = serveHttp({
    address: { host: '127.0.0.1', port },
    flag: '--health-bind-addr',
    routes: {},
    onFault: () => undefined,
  });
  await expect(second).rejects.toThrow(AddressUnusable);
  await expect(second).rejects.toThrow(
    `--health-bind-addr=127.0.0.1:${port}: the port is in use by another process; give another`,
  );
});

function unusable(code: string): string {
  const cause = Object.assign(new Error('listen failed'), { code });
  return new AddressUnusable('--x', { host: '::1', port: 80 }, cause).message;
}

test('1.2 each way in which an address cannot be used has its words', () => {
  const remedy = 'give another address, or 0 to turn it off';
  expect(unusable('EACCES')).toBe(`--x=[::1]:80: permission denied (ports below 1024 need a capability); ${remedy}`);
  expect(unusable('ENOTFOUND')).toBe(`--x=[::1]:80: no such host; ${remedy}`);
  expect(unusable('EINVAL')).toBe(`--x=[::1]:80: listen failed; ${remedy}`);
});

test('1.2 an address that the machine does not have is an error', async () => {
  const served = serveHttp({
    address: { host: '203.0.113.1', port: 0 },
    flag: '--metrics-bind-addr',
    routes: {},
    onFault: () => undefined,
  });
  await expect(served).rejects.toThrow(
    '--metrics-bind-addr=203.0.113.1:0: this machine has no such address; give another',
  );
});

test('1.2 without a host it listens on every address', async () => {
  const { port } = await serving({ address: { port: 0 } });
  expect((await fetch(`http://127.0.0.1:${port}/hello`)).status).toBe(200);
});

test('9.2 a route that fails answers 500, is reported once, and harms no other', async () => {
  const { url, faults } = await serving({
    routes: {
      '/bad': () => {
        throw new Error('no');
      },
      '/torn': () => ({
        status: 200,
        contentType: 'text/plain',
        body: (function* () {
          yield Buffer.from('one');
          throw new Error('torn');
        })(),
      }),
      '/good': () => ({ status: 200, contentType: 'text/plain', body: 'good' }),
    },
  });
  expect((await fetch(`${url}/bad`)).status).toBe(500);
  await expect(fetch(`${url}/torn`).then((response) => response.text())).rejects.toThrow(TypeError);
  expect((await fetch(`${url}/good`)).status).toBe(200);
  expect(faults.map(String)).toEqual(['Error: no', 'Error: torn']);
});

test('9.2 headers without end are refused', async () => {
  const { port } = await serving();
  expect(await ask(port, '/hello', { 'x-long': 'x'.repeat(9_000) })).toBe(431);
});

test('9.2 closing cuts connections that are under way', async () => {
  const { port, close } = await serving();
  const socket = connect(port, '127.0.0.1');
  const cut: string[] = [];
  socket.on('error', () => undefined).on('close', () => cut.push('cut'));
  await new Promise((resolve) => socket.on('connect', resolve));
  socket.write('GET /hello HTTP/1.1\r\n');
  await close();
  await expect.poll(() => cut).toEqual(['cut']);
});

test('9.6 a reader who leaves in the middle is no fault of ours', async () => {
  const { url, faults } = await serving({
    routes: {
      '/endless': () => ({
        status: 200,
        contentType: 'text/plain',
        body: (function* () {
          for (;;) yield Buffer.alloc(100_000);
        })(),
      }),
      '/good': () => ({ status: 200, contentType: 'text/plain', body: 'good' }),
    },
  });
  const leaving = new AbortController();
  const endless = await fetch(`${url}/endless`, { signal: leaving.signal });
  leaving.abort();
  await expect(endless.text()).rejects.toThrow('aborted');
  expect((await fetch(`${url}/good`)).status).toBe(200);
  expect(faults).toEqual([]);
});

test('9.7 a page that made its own name point here is refused (DNS rebinding)', async () => {
  const { port } = await serving({ isForUs: isOwnHost });
  expect(await ask(port, '/hello', { host: `localhost:${port}` })).toBe(200);
  expect(await ask(port, '/hello', { host: `127.0.0.1:${port}` })).toBe(200);
  expect(await ask(port, '/hello', { host: `evil.example.org:${port}` })).toBe(421);
});

test.each([
  ['localhost', true],
  ['LocalHost:9645', true],
  ['127.0.0.1', true],
  ['10.1.2.3:9645', true],
  ['[::1]:9645', true],
  ['', false],
  ['evil.example.org', false],
  ['localhost.evil.example.org', false],
  ['127.0.0.1.evil.example.org:80', false],
  ['[evil]', false],
  ['localhost:80:80', false],
])('9.7 the host %j is ours: %s', (host, ours) => {
  expect(isOwnHost(host)).toBe(ours);
});

test('9.2 /metrics is the registry’s text', async () => {
  const metrics = createMetrics();
  const { url } = await serving({ routes: metricsRoutes(metrics) });
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toContain('dwd_probes_active 0');
});

test('9.6 /journal is what replay reads', async () => {
  const { journal } = journalDriver({ memoryOnly: true, limits: { memoryChapterBytes: 20_000 } });
  for (const turn of story) journal.observe(turn);
  const { url } = await serving({ routes: journalRoutes(journal), isForUs: isOwnHost });
  const response = await fetch(`${url}/journal`);
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(await replay(['-'], [await response.text()])).toMatchObject({ code: 0 });
});

test('9.6 a reader of the journal who hangs holds up nobody', async () => {
  const { journal } = journalDriver({ memoryOnly: true, limits: { memoryChapterBytes: 1_000_000 } });
  let seq = 0;
  for (let round = 0; round < 300; round++) for (const turn of story) journal.observe({ ...turn, seq: ++seq });
  const { port, url } = await serving({
    routes: {
      ...journalRoutes(journal),
      '/hello': () => ({ status: 200, contentType: 'text/plain', body: 'hello' }),
    },
  });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write('GET /journal HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
  journal.observe({ ...story[0]!, seq: ++seq });
  expect((await fetch(`${url}/hello`)).status).toBe(200);
});

test('9.3 /readyz is 200 once the first lists are in, for a standby too', async () => {
  const health = createHealth({ clock: new VirtualClock(), longestSilence: 1 });
  const { url } = await serving({ routes: health.routes });
  const early = await fetch(`${url}/readyz`);
  expect([early.status, await early.text()]).toEqual([
    503,
    '[-]lists failed: the first lists of the seed are not in yet\n',
  ]);
  health.ready();
  const late = await fetch(`${url}/readyz`);
  expect([late.status, await late.text()]).toEqual([200, 'ok']);
  expect(await (await fetch(`${url}/readyz?verbose`)).text()).toBe('[+]lists ok\n');
});

test('9.3 /healthz is 200 without any shoot, and as long as turns are taken; 503 where they stopped', async () => {
  const clock = new VirtualClock();
  const limit = longestSilence(gardenerConfig);
  const health = createHealth({ clock, longestSilence: limit });
  const { url } = await serving({ routes: health.routes });
  const status = async () => (await fetch(`${url}/healthz`)).status;

  await clock.advanceBy(10 * limit);
  expect(await status()).toBe(200);
  const probing = story.find(({ to }) => to === 'probing')!;
  health.observe(probing);
  await clock.advanceBy(limit);
  expect(await status()).toBe(200);
  await clock.advanceBy(1);
  expect(await status()).toBe(503);
  health.observe(probing);
  expect(await status()).toBe(200);
  await clock.advanceBy(limit + 1);
  health.observe({ ...probing, to: 'idle' });
  await clock.advanceBy(limit + 1);
  expect(await status()).toBe(200);
});

test('9.3 4.9 a shoot that is left alone for long is no sign of a dead process', () => {
  const alone = { ...twoPathConfig, internalProbeFailureBackOffDuration: 600_000 };
  expect(longestSilence(twoPathConfig)).toBe(longestSilence(gardenerConfig));
  expect(longestSilence(alone)).toBeGreaterThan(600_000 + alone.probeTimeout);
});

test('9.3 7.2 of the weeder a turn is owed while a window is open, and none while services are settled or down', async () => {
  const weeded = await recovery();
  const clock = new VirtualClock();
  const limit = longestWeederSilence(gardenerWeederConfig);
  const health = createHealth({ clock, longestSilence: limit });
  const { url } = await serving({ routes: health.routes });
  const status = async () => (await fetch(`${url}/healthz`)).status;
  for (const [state, code] of [
    ['recovering', 503],
    ['settled', 200],
    ['relapsed', 503],
    ['down', 200],
  ] as const) {
    const turn = weeded.find(({ to }) => to === state)!;
    health.observe(turn);
    await clock.advanceBy(limit);
    expect(await status()).toBe(200);
    await clock.advanceBy(1);
    expect(await status()).toBe(code);
  }
  health.observe(weeded.find(({ to }) => to === 'recovering')!);
  health.observe({ ...weeded.at(-1)!, to: 'recovering' });
  await clock.advanceBy(limit + 1);
  expect(await status()).toBe(200);

  const open = weeded.filter(({ from }) => from === 'recovering' || from === 'relapsed');
  const silences = open.map(({ at, seq }) => at - weeded[seq - 2]!.at);
  expect(Math.max(...silences)).toBeLessThan(limit);
});

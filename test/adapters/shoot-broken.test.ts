import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { settled } from '@dwd/testing/virtual-clock.ts';
import {
  afterVersion,
  fine,
  kubeconfigFor,
  probeTimeout,
  shootStage,
  startedAt,
  type Reply,
} from '@dwd/testing/shoot-stage.ts';

const unreachable = { reason: 'unreachable' };

/** Answers `/version` and waits for ever with everything else. */
const silent: Reply = afterVersion(() => undefined);

test('4.3 a server that accepts and says nothing costs the whole deadline and no more', async () => {
  await using stage = await shootStage(fine);
  stage.server.greet = () => undefined;
  const answer = stage.leases();
  await stage.server.hasAccepted(1);
  expect(await stage.clock.until(answer)).toMatchObject({
    ok: false,
    failure: { stage: 'version', reason: 'timeout' },
  });
  expect(stage.clock.now()).toBe(startedAt + probeTimeout);
});

test('4.3 a deadline that passes while the connection is prepared ends the probe at once', async () => {
  await using stage = await shootStage(silent);
  stage.server.greet = () => undefined;
  const now = stage.clock.now.bind(stage.clock);
  stage.onPrepare = () => {
    // Reading a large kubeconfig takes its time, and no timer fires meanwhile.
    stage.clock.now = () => now() + probeTimeout + 1;
  };
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { stage: 'version', reason: 'timeout' } });
  await stage.server.hasOpen(0);
});

test('4.3 version and leases share one deadline', async () => {
  await using stage = await shootStage(silent);
  const answer = stage.leases();
  await stage.server.hasReceived(2);
  expect(await stage.clock.until(answer)).toMatchObject({ ok: false, failure: { stage: 'leases', reason: 'timeout' } });
  expect(stage.clock.now()).toBe(startedAt + probeTimeout);
  expect(stage.codes).toEqual(['200', 'timeout']);
  await stage.server.hasOpen(0);
});

test('4.3 an answer that stops half-way, or drips, ends at the deadline', async () => {
  const drips: NodeJS.Timeout[] = [];
  await using stage = await shootStage(
    afterVersion((_, response) => {
      response.writeHead(200);
      response.write('{"kind":"LeaseList","items":[');
      if (stage.server.connections === 2) drips.push(setInterval(() => response.write(' '), 1));
    }),
  );
  for (const requests of [2, 4]) {
    const answer = stage.leases();
    await stage.server.hasReceived(requests);
    expect(await stage.clock.until(answer)).toMatchObject({
      ok: false,
      failure: { stage: 'leases', reason: 'timeout' },
    });
  }
  drips.forEach(clearInterval);
  await stage.server.hasOpen(0);
});

test('4.3 a name that nobody resolves is waited for until the deadline', async () => {
  let asked = '';
  await using stage = await shootStage(fine, {
    lookup: (name) => {
      asked = name;
    },
  });
  stage.kubeconfig = kubeconfigFor({ url: 'https://kube-apiserver.a.svc', ca: stage.server.ca });
  const answer = await stage.clock.until(stage.leases());
  expect(asked).toBe('kube-apiserver.a.svc');
  expect(answer).toMatchObject({ ok: false, failure: { stage: 'version', reason: 'timeout' } });
});

test('4.3 4.7 a look-up that hangs is joined by later probes, and begun anew once it is over', async () => {
  const asked: (() => void)[] = [];
  await using stage = await shootStage(fine, {
    lookup: (_name, _options, found) => asked.push(() => found(null, [{ address: '127.0.0.1', family: 4 }])),
  });
  const url = stage.server.url.replace('127.0.0.1', 'localhost');
  stage.kubeconfig = kubeconfigFor({ url, ca: stage.server.ca });
  for (let probe = 0; probe < 3; probe++)
    expect(await stage.clock.until(stage.leases())).toMatchObject({ ok: false, failure: { reason: 'timeout' } });
  expect(asked.length).toBe(1);
  const answers = [stage.leases(), stage.leases()];
  await settled();
  asked[0]?.();
  expect((await Promise.all(answers)).map(({ ok }) => ok)).toEqual([true, true]);
  expect(asked.length).toBe(1);

  const later = stage.leases();
  await settled();
  expect(asked.length).toBe(2);
  asked[1]?.();
  expect((await later).ok).toBe(true);
});

test('4.3 where one of several addresses is dead, the next one is asked', async () => {
  await using stage = await shootStage(fine, {
    lookup: (_name, _options, found) =>
      found(null, [
        { address: '127.0.0.2', family: 4 },
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ]),
  });
  const url = stage.server.url.replace('127.0.0.1', 'localhost');
  stage.kubeconfig = kubeconfigFor({ url, ca: stage.server.ca });
  expect((await stage.leases()).ok).toBe(true);
});

test.each<[string, (response: ServerResponse, socket: Socket | null) => void]>([
  ['says that it closes', (response) => response.setHeader('connection', 'close')],
  ['closes without a word', (response, socket) => response.on('finish', () => socket?.end())],
  ['cuts the connection', (response, socket) => response.on('finish', () => socket?.destroy())],
])('4.3 a server that answers once and %s gets a second connection', async (_, closing) => {
  await using stage = await shootStage((request, response) => {
    closing(response, response.socket);
    fine(request, response);
  });
  expect((await stage.leases()).ok).toBe(true);
  // Whether the second request was under way already when the first connection closed is a matter of luck.
  expect(stage.server.connections).toBe(2);
  expect(stage.server.received.at(-1)?.connection).toBe(2);
});

test('4.3 a connection that breaks under its second request is replaced once', async () => {
  await using stage = await shootStage((request, response) => {
    if (request.connection === 1 && request.url !== '/version') response.socket?.destroy();
    else fine(request, response);
  });
  expect((await stage.leases()).ok).toBe(true);
  expect(stage.server.received.map(({ connection }) => connection)).toEqual([1, 1, 2]);
});

test('4.3 4.4 a server that breaks every connection is unreachable, after two', async () => {
  await using stage = await shootStage(afterVersion((_, response) => response.socket?.destroy()));
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { stage: 'leases', ...unreachable } });
  expect(stage.server.connections).toBe(2);
});

test('4.3 an answer that breaks off in its middle is unreachable, and is not asked for again', async () => {
  await using stage = await shootStage(
    afterVersion((_, response) => {
      response.writeHead(200, { 'content-length': '100000' });
      response.write('{"kind":', () => response.socket?.destroy());
    }),
  );
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { stage: 'leases', ...unreachable } });
  expect(stage.server.connections).toBe(1);
});

test('4.3 a connection broken in an earlier probe means nothing to the next', async () => {
  await using stage = await shootStage(silent);
  const first = stage.leases();
  await stage.server.hasReceived(2);
  await stage.clock.until(first);
  await using again = await shootStage(fine);
  stage.kubeconfig = kubeconfigFor(again.server);
  for (let probe = 0; probe < 3; probe++) expect((await stage.leases()).ok).toBe(true);
  expect(again.server.connections).toBe(3);
});

test('4.3 a server that speaks no TLS is unreachable', async () => {
  const plain = createServer((socket) => socket.on('error', () => undefined).write('HTTP/1.1 200 OK\r\n\r\n{}'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as { port: number };
  await using stage = await shootStage(fine);
  stage.kubeconfig = kubeconfigFor({ url: `https://127.0.0.1:${port}`, ca: stage.server.ca });
  expect(await stage.leases()).toMatchObject({ ok: false, failure: unreachable });
  plain.close();
});

test('4.3 a caller that gives up gets an answer, and the connection goes', async () => {
  await using stage = await shootStage(silent);
  const abort = new AbortController();
  const answer = stage.leases(abort.signal);
  await stage.server.hasReceived(2);
  abort.abort();
  expect(await answer).toMatchObject({ ok: false, failure: { stage: 'leases', reason: 'timeout' } });
  await stage.server.hasOpen(0);
  expect(stage.clock.sleeping).toBe(0);

  expect(await stage.leases(abort.signal)).toMatchObject({ ok: false });
  expect(stage.server.connections).toBe(1);
});

test('4.3 a deadline that has passed opens no connection', async () => {
  await using stage = await shootStage(fine);
  const answer = await stage.api.listLeases('shoot--a--b', startedAt, new AbortController().signal);
  expect(answer).toMatchObject({ ok: false, failure: { stage: 'version', reason: 'timeout' } });
  expect(stage.server.connections).toBe(0);
});

test.each([0.25, 1.5, 999.75, 7_001.25, 1e9 + 0.5])(
  '4.3 a deadline %f ms from now is as good as another',
  async (length) => {
    await using stage = await shootStage(fine);
    const answer = await stage.api.listLeases('shoot--a--b', startedAt + length, new AbortController().signal);
    expect(answer.ok).toBe(true);
  },
);

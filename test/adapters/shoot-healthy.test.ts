import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { answerJson } from '@dwd/testing/scripted-server.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';
import {
  startedAt,
  afterVersion,
  fine,
  kubeconfigFor,
  leaseList,
  leasesPath,
  names,
  nodeList,
  nodesPath,
  shootStage,
  token,
} from '@dwd/testing/shoot-stage.ts';

test('4.3 a probe is one connection with two requests, and asks for /version first', async () => {
  await using stage = await shootStage(fine);
  const answer = await stage.leases();
  const renewedAt = Date.parse('2026-11-21T19:59:55.123Z');
  expect(answer).toEqual({
    ok: true,
    value: {
      leases: [
        { node: 'a', renewedAt },
        { node: 'b', renewedAt },
      ],
      served: { date: expect.any(Number), sentAt: startedAt, receivedAt: startedAt },
    },
  });
  expect(stage.server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /version',
    `GET ${leasesPath}?limit=500`,
  ]);
  expect(stage.server.connections).toBe(1);
  expect(stage.codes).toEqual(['200', '200']);
});

test('4.3 a look leaves none behind either, on the connection of its probe or on one of its own, well or refused', async () => {
  let status = 200;
  await using stage = await shootStage(
    afterVersion(({ url }, response) => {
      const isNodes = url.startsWith(nodesPath);
      answerJson(response, isNodes ? nodeList(['a']) : leaseList(['a']), isNodes ? status : 200);
    }),
  );
  for (status of [200, 403]) {
    const { signal } = new AbortController();
    await stage.leases(signal);
    expect((await stage.nodes(signal)).ok).toBe(status === 200);
    await stage.server.hasOpen(0);
    expect((await stage.nodes(signal)).ok).toBe(status === 200);
    await stage.server.hasOpen(0);
    expect(stage.clock.sleeping).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  }
  expect(stage.server.connections).toBe(4);
});

test('4.2 the token goes into its header, and no encoding is asked for', async () => {
  await using stage = await shootStage(fine);
  await stage.leases();
  for (const { headers } of stage.server.received) {
    expect(headers.authorization).toBe(`Bearer ${token}`);
    expect(headers['accept-encoding']).toBeUndefined();
    expect(headers.accept).toBe('application/json');
  }
});

test('4.2 a server below a path is asked below that path', async () => {
  await using stage = await shootStage((request, response) =>
    answerJson(response, request.url === '/k8s/a/version' ? {} : leaseList([])),
  );
  stage.kubeconfig = kubeconfigFor({ url: `${stage.server.url}/k8s/a/`, ca: stage.server.ca });
  expect(await stage.leases()).toMatchObject({ ok: true, value: { leases: [] } });
  expect(stage.server.received[1]?.url).toBe(`/k8s/a${leasesPath}?limit=500`);
});

test('5.2 nodes come over one fresh connection, read as candidates', async () => {
  await using stage = await shootStage(fine);
  const view = { pool: 'pool', unmanaged: false, trueConditions: ['Ready'], inPlaceUpdate: false };
  expect(await stage.nodes()).toEqual({
    ok: true,
    value: [
      { name: 'a', ...view },
      { name: 'b', ...view },
    ],
  });
  expect(stage.server.received.map(({ url }) => url)).toEqual([`${nodesPath}?limit=500`]);
});

test('4.3 nodes that are asked for at once come over the connection of the probe; a moment later it is closed', async () => {
  await using stage = await shootStage(fine);
  expect((await stage.leases()).ok).toBe(true);
  expect((await stage.nodes()).ok).toBe(true);
  expect(stage.server.connections).toBe(1);

  expect((await stage.leases()).ok).toBe(true);
  await settled();
  expect((await stage.nodes()).ok).toBe(true);
  expect(stage.server.connections).toBe(3);
});

test('4.3 a server that closes after the leases gets another connection for the nodes', async () => {
  await using stage = await shootStage((request, response) => {
    if (request.url.startsWith(leasesPath)) response.shouldKeepAlive = false;
    fine(request, response);
  });
  expect((await stage.leases()).ok).toBe(true);
  expect((await stage.nodes()).ok).toBe(true);
  expect(stage.server.connections).toBe(2);
});

test('4.7 a list is read page by page, over the same connection', async () => {
  await using stage = await shootStage(
    afterVersion(({ url }, response) => {
      const after = new URL(url, 'https://x').searchParams.get('continue');
      if (after === null) answerJson(response, leaseList(names(500), 'page/2+'));
      else answerJson(response, leaseList(names(3, 500)));
    }),
  );
  const answer = await stage.leases();
  expect(answer.ok && answer.value.leases.map(({ node }) => node)).toEqual(names(503));
  expect(stage.server.received.map(({ url }) => url).at(-1)).toBe(`${leasesPath}?limit=500&continue=page%2F2%2B`);
  expect(stage.server.connections).toBe(1);
});

const expired = (response: ServerResponse, next?: string) =>
  answerJson(response, { kind: 'Status', reason: 'Expired', ...(next && { metadata: { continue: next } }) }, 410);
const queryOf = (url: string) => Object.fromEntries(new URL(url, 'https://x').searchParams);

test('4.7 a list whose pages expire each time goes on by the token that the 410 brings', async () => {
  await using stage = await shootStage(
    afterVersion(({ url }, response) => {
      const { continue: token = '0' } = queryOf(url);
      // Each page is gone until it is asked for as it is now.
      const [page = '0', isNow] = token.split('-');
      if (page !== '0' && isNow === undefined) expired(response, `${page}-now`);
      else answerJson(response, leaseList(names(2, 2 * Number(page)), page === '3' ? '' : String(Number(page) + 1)));
    }),
  );
  const answer = await stage.leases();
  expect(answer).toMatchObject({ ok: true });
  expect(answer.ok && answer.value.leases.map(({ node }) => node)).toEqual(names(8));
  expect(stage.codes).toEqual(['200', '200', ...['1', '2', '3'].flatMap(() => ['410', '200'])]);
});

test('4.7 where a 410 brings no token, or none that can be used, one list without pages follows, and ends it', async () => {
  for (const next of [undefined, 'same', 'x'.repeat(4_097)]) {
    const asked: unknown[] = [];
    let isWhole = true;
    await using stage = await shootStage(
      afterVersion(({ url }, response) => {
        const query = queryOf(url);
        asked.push(query);
        if (query['continue'] !== undefined) expired(response, next);
        else if (query['limit'] !== undefined) answerJson(response, leaseList(names(2), 'same'));
        else answerJson(response, leaseList(names(3), isWhole ? '' : 'more'));
      }),
    );
    const answer = await stage.leases();
    expect(answer).toMatchObject({ ok: true });
    expect(answer.ok && answer.value.leases.map(({ node }) => node)).toEqual(names(3));
    expect(asked).toEqual([{ limit: '500' }, { limit: '500', continue: 'same' }, {}]);
    isWhole = false;
    expect(await stage.leases()).toMatchObject({ ok: false, failure: { reason: 'refused' } });
  }
});

test('4.7 a server whose 410s bring tokens without end is stopped', async () => {
  let count = 0;
  await using stage = await shootStage(
    afterVersion(({ url }, response) => {
      if (queryOf(url)['continue'] === undefined) answerJson(response, leaseList(names(2), 'first'));
      else expired(response, `token-${count++}`);
    }),
  );
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { reason: 'tooLarge' } });
  expect(count).toBeLessThanOrEqual(100);
});

test('4.7 an answer of 410 to the first page is a refusal', async () => {
  await using stage = await shootStage(afterVersion((_, response) => answerJson(response, {}, 410)));
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { stage: 'leases', reason: 'refused' } });
  expect(stage.server.received.length).toBe(2);
});

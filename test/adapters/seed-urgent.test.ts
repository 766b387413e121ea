import type { ServerResponse } from 'node:http';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { KubeRequest } from '../../src/adapters/kube/kube-client.ts';
import type { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { answerJson, type Received } from '@dwd/testing/scripted-server.ts';
import { wiredClient } from '../support/wired-client.ts';

const pod = '/api/v1/namespaces/a/pods/p';
const urgent = { method: 'GET', path: pod, lane: 'urgent' } as const;
const well = (_request: Received, response: ServerResponse): unknown => answerJson(response, {});

/** A seed that answers nothing any more over its dead connections. They stay open, and nothing comes over them. */
async function stage() {
  const dead = new Set<number>();
  const held: { request: Received; response: ServerResponse }[] = [];
  let answers = well;
  const { clock, server, client, seen } = await wiredClient((request, response) => {
    if (dead.has(request.connection)) held.push({ request, response });
    else answers(request, response);
  });
  const ask = (request: KubeRequest) => {
    const asked: { outcome?: 'answered' | KubeError } = {};
    const over = client.request(request).then(
      () => (asked.outcome = 'answered'),
      (error: unknown) => (asked.outcome = error as KubeError),
    );
    return { asked, over };
  };
  return {
    clock,
    server,
    client,
    seen,
    ask,
    held,
    /** Makes all present connections dead without a word. */
    killConnections: () => {
      for (let one = 1; one <= server.connections; one++) dead.add(one);
    },
    answerBy: (next: typeof well) => (answers = next),
  };
}

/** Leaves this many open connections. */
async function keep(count: number, { server, answerBy, ask }: Awaited<ReturnType<typeof stage>>): Promise<void> {
  const held: ServerResponse[] = [];
  answerBy((_request, response) => held.push(response));
  const asked = Array.from({ length: count }, () => ask(urgent));
  await server.hasReceived(count);
  for (const response of held) answerJson(response, {});
  await Promise.all(asked.map(({ over }) => over));
  // A connection is free again some turns after its answer; a request before that gets a new one.
  for (let turn = 0; turn < 20; turn++) await turnOfTheLoop();
  answerBy(well);
}

test('6.11 an urgent request over a connection that has died fails after 3 s, and what follows goes over new ones', async () => {
  const world = await stage();
  const { clock, server, ask, seen, killConnections } = world;
  await keep(5, world);
  killConnections();
  const first = ask(urgent);
  await server.hasReceived(6);
  await clock.advanceBy(2_999);
  expect(first.asked.outcome).toBeUndefined();
  await clock.advanceBy(1);
  await first.over;
  expect(first.asked.outcome).toMatchObject({ kind: 'timeout' });
  expect(seen.at(-1)).toEqual({ verb: 'get', resource: 'pods', code: 'timeout', method: 'GET', took: 3_000 });
  // Four more of the dead ones were idle; none of them costs a request anything.
  for (let count = 0; count < 5; count++) {
    const next = ask(urgent);
    await next.over;
    expect(next.asked.outcome).toBe('answered');
  }
  // A connection is free again a moment after its answer.
  expect(server.connections).toBeLessThanOrEqual(7);
  await server.hasOpen(2);
  expect(clock.sleeping).toBe(0);
});

test('6.11 the list of Machines and a deletion that allow themselves more have 3 s as well; what is not urgent keeps its time', async () => {
  const { clock, server, ask, answerBy } = await stage();
  answerBy(() => undefined);
  const requests: readonly KubeRequest[] = [
    {
      method: 'GET',
      path: '/apis/machine.sapcloud.io/v1alpha1/namespaces/a/machines',
      lane: 'urgent',
      timeout: 30_000,
    },
    { method: 'DELETE', path: pod, lane: 'urgent', timeout: 15_000 },
    { method: 'PATCH', path: pod, lane: 'urgent' },
    { method: 'GET', path: pod },
    { method: 'GET', path: pod, lane: 'urgent', timeout: 1_000 },
  ];
  const asked = requests.map((request) => ask(request));
  await server.hasReceived(requests.length);
  const over = async (after: number) => {
    await clock.advanceTo(1_000_000 + after);
    return asked.map(({ asked: { outcome } }) => outcome !== undefined);
  };
  expect(await over(1_000)).toEqual([false, false, false, false, true]);
  expect(await over(2_999)).toEqual([false, false, false, false, true]);
  expect(await over(3_000)).toEqual([true, true, true, false, true]);
  expect(await over(9_999)).toEqual([true, true, true, false, true]);
  expect(await over(10_000)).toEqual([true, true, true, true, true]);
});

test('6.11 silence counts, not length: an answer that goes on coming is read to its end, one that stops is not', async () => {
  const { clock, server, ask, answerBy } = await stage();
  const held: ServerResponse[] = [];
  answerBy((_request, response) => held.push(response));
  for (const ends of [true, false]) {
    const { asked, over } = ask({ ...urgent, timeout: 30_000 });
    await server.hasReceived(ends ? 1 : 2);
    const response = held.at(-1)!;
    response.writeHead(200).write('[');
    for (let count = 0; count < 4; count++) {
      await clock.advanceBy(2_000);
      await new Promise<void>((resolve) => response.write('1,', () => resolve()));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(asked.outcome).toBeUndefined();
    if (ends) response.end('1]');
    else await clock.advanceBy(3_000);
    await over;
    expect(ends ? asked.outcome : (asked.outcome as KubeError).kind).toBe(ends ? 'answered' : 'timeout');
  }
});

test('6.11 a server that is slow, as by a webhook that hangs, is waited for once two connections have shown it', async () => {
  const { clock, server, ask, answerBy } = await stage();
  const held: ServerResponse[] = [];
  answerBy((request, response) => (request.method === 'PATCH' ? held.push(response) : answerJson(response, {})));
  const patch = { method: 'PATCH', path: pod, body: {}, lane: 'urgent' } as const;
  for (let tries = 1; tries <= 2; tries++) {
    const { asked, over } = ask(patch);
    await server.hasReceived(2 * tries - 1);
    await clock.advanceBy(3_000);
    await over;
    expect(asked.outcome).toMatchObject({ kind: 'timeout' });
    await ask(urgent).over;
  }
  for (let times = 0; times < 2; times++) {
    const { asked, over } = ask(patch);
    await server.hasReceived(5 + times);
    await clock.advanceBy(9_000);
    expect(asked.outcome, 'and from then on').toBeUndefined();
    answerJson(held.at(-1)!, {});
    await over;
    expect(asked.outcome).toBe('answered');
  }
  const quick = ask(patch);
  await server.hasReceived(7);
  answerJson(held.at(-1)!, {});
  await quick.over;
  const again = ask(patch);
  await server.hasReceived(8);
  await clock.advanceBy(3_000);
  await again.over;
  expect(again.asked.outcome, 'once it is quick again, it has 3 s again').toMatchObject({ kind: 'timeout' });
});

test('6.11 many that were under way over connections that died together are one try, and leave them once', async () => {
  const world = await stage();
  const { clock, server, ask, answerBy, killConnections } = world;
  await keep(3, world);
  killConnections();
  const dead = [ask(urgent), ask(urgent)];
  await server.hasReceived(5);
  await clock.advanceBy(1_000);
  const later = ask(urgent);
  await server.hasReceived(6);
  await clock.advanceBy(2_000);
  await Promise.all(dead.map(({ over }) => over));
  const meanwhile = server.connections;
  await ask({ method: 'GET', path: `${pod}-2`, lane: 'urgent' }).over;
  await clock.advanceBy(1_000);
  await later.over;
  await ask({ method: 'GET', path: `${pod}-2`, lane: 'urgent' }).over;
  // A connection is free again a moment after its answer.
  expect(server.connections - meanwhile).toBeLessThanOrEqual(2);
  await ask({ method: 'GET', path: `${pod}-2`, lane: 'urgent' }).over;
  expect(server.connections - meanwhile).toBeLessThanOrEqual(2);

  answerBy(() => undefined);
  const again = ask(urgent);
  await server.hasReceived(10);
  await clock.advanceBy(3_000);
  await again.over;
  expect(again.asked.outcome).toMatchObject({ kind: 'timeout' });
});

test('6.11 a handshake that nobody answers is no more than a dead connection, each time', async () => {
  const { clock, server, ask } = await stage();
  server.greet = () => undefined;
  for (let tries = 1; tries <= 4; tries++) {
    const { asked, over } = ask(urgent);
    await server.hasAccepted(tries);
    await clock.advanceBy(3_000);
    await over;
    expect(asked.outcome, `try ${tries}`).toMatchObject({ kind: 'timeout' });
  }
});

test('6.11 watches that have said nothing since are opened anew, those that have are not, and all of them once in 10 s', async () => {
  const world = await stage();
  const { clock, server, client, ask, answerBy } = world;
  const watching: ServerResponse[] = [];
  answerBy((request, response) => {
    if (!request.url.includes('watch')) return;
    response.writeHead(200).write('1\n');
    watching.push(response);
  });
  const watch = async () => {
    const lines: unknown[] = [];
    const over = (async () => {
      const query = { watch: 'true' };
      for await (const line of client.lines({ method: 'GET', path: pod, query, inactivity: 90_000 })) lines.push(line);
    })().catch((error: unknown) => lines.push((error as KubeError).kind));
    const before = watching.length;
    while (watching.length === before || lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return { lines, over };
  };
  const failUrgently = async () => {
    const asked = server.received.length;
    const { over } = ask({ ...urgent, path: `${pod}-${asked}` });
    await server.hasReceived(asked + 1);
    await clock.advanceBy(1_000);
    return async () => {
      await clock.advanceBy(2_000);
      await over;
    };
  };
  const silent = await watch();
  const lively = await watch();
  await clock.advanceBy(5_000);
  const fail = await failUrgently();
  watching[1]!.write('2\n');
  while (lively.lines.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await fail();
  await silent.over;
  expect([silent.lines, lively.lines]).toEqual([
    [1, 'aborted'],
    [1, 2],
  ]);
  await (
    await failUrgently()
  )();
  expect(lively.lines).toEqual([1, 2]);
  await clock.advanceBy(4_000);
  await (
    await failUrgently()
  )();
  await lively.over;
  expect(lively.lines).toEqual([1, 2, 'aborted']);
});

test('6.11 a slow reader is not cut for it', async () => {
  const { clock, client, answerBy } = await stage();
  answerBy(
    (_request, response) => void response.writeHead(200).write('[', () => setTimeout(() => response.end('1]'), 50)),
  );
  const read: string[] = [];
  for await (const piece of client.pieces({ ...urgent, timeout: 30_000 })) {
    read.push(String(piece));
    await clock.advanceBy(8_000);
  }
  expect(read.join('')).toBe('[1]');
});

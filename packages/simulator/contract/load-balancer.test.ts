import { once } from 'node:events';
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { Agenda } from '../store/agenda.ts';
import { LoadBalancer } from '../api/load-balancer.ts';
import { scriptedServer } from '@dwd/testing/scripted-server.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

/** A target that says back what it hears, its load balancer, and clients that note what they hear and how they end. */
async function balanced(limit?: number) {
  const heard: Socket[] = [];
  const target = createServer((socket) => {
    heard.push(socket);
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const clock = new VirtualClock();
  const { port } = target.address() as AddressInfo;
  const balancer = new LoadBalancer({
    target: port,
    agenda: new Agenda(clock),
    ...(limit === undefined ? {} : { limit }),
  });
  await balancer.up();
  return {
    balancer,
    clock,
    targetSockets: heard,
    stopTarget: () => {
      target.close();
      for (const socket of heard) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      await balancer.stop();
      target.close();
      for (const socket of heard) socket.destroy();
    },
  };
}

/** Settles with what it hears next, or with the code of the error that ends it (`end` for an orderly one). */
function next(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString()));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('end', () => resolve('end'));
  });
}

function client(port: number): Socket {
  const socket = connectTcp({ port, host: '127.0.0.1' });
  socket.on('error', () => socket.destroy());
  return socket;
}

async function said(socket: Socket, words: string): Promise<string> {
  const answer = next(socket);
  socket.write(words);
  return answer;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('4.9 the load balancer between kubelets and API server', () => {
  test('4.9 forwards bytes both ways, and counts', async () => {
    await using stage = await balanced();
    const [one, other] = [client(stage.balancer.port), client(stage.balancer.port)];
    expect(await Promise.all([said(one, 'a'), said(other, 'b')])).toEqual(['a', 'b']);
    expect(stage.balancer).toMatchObject({ connectionsNow: 2, connectionCount: 2, overLimitCount: 0 });
    one.destroy();
    await until(() => stage.balancer.connectionsNow === 1);
    expect(stage.balancer.connectionCount).toBe(2);
  });

  test('4.9 forwards a mebibyte whole and in order', async () => {
    await using stage = await balanced();
    const socket = client(stage.balancer.port);
    const sent = Buffer.from(Array.from({ length: 1_048_576 }, (_, index) => index % 251));
    const heard: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => heard.push(bytes));
    socket.write(sent);
    await until(() => heard.reduce((sum, { length }) => sum + length, 0) === sent.length);
    expect(Buffer.concat(heard).equals(sent)).toBe(true);
  });

  test.each([
    { kind: 'refuse', open: 'ECONNRESET', fresh: 'ECONNREFUSED' },
    { kind: 'cut', open: 'ECONNRESET', fresh: 'ECONNRESET' },
  ] as const)('4.9 $kind ends what is open, and what comes: $fresh; healed, it is on the same port', async (row) => {
    await using stage = await balanced();
    const { balancer } = stage;
    const open = client(balancer.port);
    await said(open, 'a');
    const ended = next(open);
    await balancer.setFault({ kind: row.kind });
    expect(await ended).toBe(row.open);
    expect(await next(client(balancer.port))).toBe(row.fresh);
    await until(() => balancer.connectionsNow === 0);
    const { port } = balancer;
    await balancer.heal();
    expect(balancer.port).toBe(port);
    expect(await said(client(port), 'b')).toBe('b');
  });

  test('4.9 hang forwards nothing, notices who goes, and lets go on what it held', async () => {
    await using stage = await balanced();
    const { balancer, targetSockets } = stage;
    const [open, goes] = [client(balancer.port), client(balancer.port)];
    await Promise.all([said(open, 'a'), said(goes, 'a')]);
    await balancer.setFault({ kind: 'hang' });
    const fresh = client(balancer.port);
    await once(fresh, 'connect');
    const answers = [said(open, 'b'), said(fresh, 'c')];
    goes.destroy();
    await until(() => balancer.connectionsNow === 2);
    expect(targetSockets.map(({ bytesRead, closed }) => [bytesRead, closed])).toEqual([
      [1, false],
      [1, false],
    ]);
    await balancer.heal();
    expect(await Promise.all(answers)).toEqual(['b', 'c']);
    await until(() => targetSockets.filter(({ closed }) => closed).length === 1);
  });

  test('4.9 slow waits before each chunk, both ways, by its clock', async () => {
    await using stage = await balanced();
    const socket = client(stage.balancer.port);
    await said(socket, 'a');
    await stage.balancer.setFault({ kind: 'slow', delay: 2_000 });
    const [from] = stage.targetSockets;
    const answer = said(socket, 'b');
    await until(() => stage.clock.sleeping === 1);
    expect(from?.bytesRead).toBe(1);
    await stage.clock.advanceBy(2_000);
    await until(() => stage.clock.sleeping === 1);
    expect([from?.bytesRead, socket.bytesRead]).toEqual([2, 1]);
    await stage.clock.advanceBy(2_000);
    expect(await answer).toBe('b');
  });

  test('4.9 reset lets the TLS handshake through, and no more', async () => {
    const server = await scriptedServer((_, response) => response.end('{}'));
    const balancer = new LoadBalancer({
      target: Number(new URL(server.url).port),
      agenda: new Agenda(new VirtualClock()),
    });
    await balancer.up();
    await balancer.setFault({ kind: 'reset' });
    const socket = connectTls({ port: balancer.port, host: '127.0.0.1', ca: server.ca });
    const shaken = once(socket, 'secureConnect');
    const ended = next(socket);
    await shaken;
    socket.write('GET /version HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await ended).toBe('ECONNRESET');
    expect(server.received).toEqual([]);
    await balancer.stop();
    await server.close();
  });

  test('4.9 resets a client whose target cannot be reached', async () => {
    await using stage = await balanced();
    stage.stopTarget();
    expect(await next(client(stage.balancer.port))).toBe('ECONNRESET');
  });

  test('4.9 resets more connections than its limit, and counts them', async () => {
    await using stage = await balanced(2);
    const { balancer } = stage;
    await Promise.all([said(client(balancer.port), 'a'), said(client(balancer.port), 'b')]);
    expect(await next(client(balancer.port))).toBe('ECONNRESET');
    expect(balancer).toMatchObject({ connectionsNow: 2, connectionCount: 3, overLimitCount: 1 });
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveHttp, type Reply } from '../../src/adapters/http/http-server.ts';
import { serviceKey } from '../../src/domain/weeder/service-ref.ts';
import { pod, WeederStage } from '@dwd/testing/weeder-stage.ts';
import { weederTurnLog } from '../../src/adapters/record/log/weeder-turn-log.ts';
import type { WeederTurn } from '../../src/effects/turn.ts';
import { heardLog } from '@dwd/testing/heard-io.ts';

/** A server whose one route never answers; `asked` resolves once somebody waits for it. */
async function slowServer() {
  const asked = Promise.withResolvers<void>();
  const server = await serveHttp({
    address: { host: '127.0.0.1', port: 0 },
    flag: '--metrics-bind-addr',
    routes: {
      '/slow': () => {
        asked.resolve();
        return new Promise<Reply>(() => undefined);
      },
    },
    onFault: () => undefined,
  });
  onTestFinished(() => server.close());
  return { ...server, asked: asked.promise };
}

async function connected(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('9.2 1.4 a request that is never answered does not hold up the end', async () => {
  const server = await slowServer();
  const socket = await connected(server.port);
  const cut = new Promise((resolve) => socket.on('close', resolve));
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
  await server.asked;
  await server.close();
  await cut;
  expect(socket.destroyed).toBe(true);
});

test('9.2 more readers than a scraper or two are let in, but not any number of them', async () => {
  const { port } = await slowServer();
  const sockets = await Promise.all(Array.from({ length: 64 }, () => connected(port)));
  const oneMore = await connected(port);
  await once(oneMore.resume(), 'close');
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('9.4 7.7 the log names what no selector picks once in a window, and ten of all of them when it is over', async () => {
  const apiserver = serviceKey({ namespace: 'shoot--a--one', service: 'kube-apiserver' });
  const stage = new WeederStage(apiserver);
  await stage.pass(1_000);
  const { log, said } = heardLog();
  for (let index = 0; index < 12; index += 1)
    stage.sees(apiserver, { ...pod(`csi-${index}`), owner: 'o', spared: 'unselected' });
  await stage.pass(310_000);
  const tell = weederTurnLog(log);
  for (const turn of stage.turns) tell(turn);
  const names = Array.from({ length: 10 }, (_, index) => `csi-${index}`).join(', ');
  expect(said().filter((msg) => msg.includes('no selector'))).toEqual([
    'pod csi-0 of shoot--a--one crash-loops and is left alone: no selector of the configuration picks it',
    `the window of kube-apiserver of shoot--a--one is over: no pod had to be deleted; 12 crash-looping pods that no selector picks: ${names} and 2 more`,
  ]);
});

test('9.4 7.3 the log says once in each window that pods must wait', () => {
  const { log, said } = heardLog();
  const tell = weederTurnLog(log);
  const turn = (...notes: readonly unknown[]) =>
    tell({
      kind: 'weeder',
      subject: 'shoot--a--one/kube-apiserver',
      at: 1,
      event: { type: 'woken' },
      commands: [],
      notes,
    } as unknown as WeederTurn);
  const held = { kind: 'deletionHeld', pod: { name: 'kcm', uid: '1' } };
  turn(held, held);
  turn({ kind: 'windowClosed', deleted: 10, left: 0 });
  turn(held);
  expect(said().filter((msg) => msg.includes('wait'))).toHaveLength(2);
});

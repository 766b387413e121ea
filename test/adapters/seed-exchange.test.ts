import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { Exchange } from '../../src/adapters/seed-client/exchange.ts';
import { RequestCut } from '../../src/adapters/seed-client/request-cut.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { failureOf } from '../support/wired-client.ts';

/** An exchange, and the connection's side of it. `did` has what the exchange asked of the connection. */
function exchanged() {
  const clock = new VirtualClock();
  const did: string[] = [];
  const cut = new RequestCut(clock, 'get pods', []);
  const exchange = new Exchange(cut, () => did.push('look'));
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    reason: null,
    paused: false,
    pause: () => did.push('pause'),
    resume: () => did.push('resume'),
    abort: () => did.push('abort'),
  };
  return {
    clock,
    cut,
    exchange,
    did,
    connected: () => exchange.onRequestStart(controller),
    head: (status: number) => exchange.onResponseStart(controller, status, {}),
    data: (text: string) => exchange.onResponseData(controller, Buffer.from(text)),
    broken: () => exchange.onResponseError(controller, new Error('broken')),
    end: () => exchange.onResponseEnd(),
  };
}

test('9.2 a request that is cut while it waits for its connection fails at once, and is not sent over it later', async () => {
  const { clock, cut, exchange, did, connected } = exchanged();
  cut.allow(10_000);
  const failed = failureOf(exchange.head);
  await clock.advanceBy(10_000);
  expect(await failed).toMatchObject({ kind: 'timeout' });
  expect(connected).toThrow('no answer within');
  // The connection is as good as new.
  expect(did).toEqual([]);
});

test('9.2 what says that the answer is still to come is no answer', async () => {
  const { exchange, connected, head, end } = exchanged();
  connected();
  head(103);
  head(200);
  end();
  expect(await exchange.head).toMatchObject({ status: 200 });
  expect(await exchange.text(10)).toEqual({ text: '', cutShort: false });
});

test('4.7 the server waits for a slow reader, until little is left to be read', async () => {
  const { exchange, did, connected, head, data } = exchanged();
  connected();
  head(200);
  data('x'.repeat(40_000));
  expect(did).toEqual(['look']);
  data('x'.repeat(40_000));
  expect(did).toEqual(['look', 'pause']);
  await exchange.next();
  expect(did).toEqual(['look', 'pause', 'resume']);
});

test('6.2 what came before a connection broke is read; what came before we cut it is not', async () => {
  const broken = exchanged();
  broken.connected();
  broken.head(200);
  broken.data('first');
  broken.broken();
  expect(String(await broken.exchange.next())).toBe('first');
  await expect(broken.exchange.next()).rejects.toThrow('broken');

  const cut = exchanged();
  cut.connected();
  cut.head(200);
  cut.data('first');
  cut.cut.abandon();
  await expect(cut.exchange.next()).rejects.toMatchObject({ kind: 'aborted' });
  expect(cut.did).toEqual(['look', 'abort']);
});

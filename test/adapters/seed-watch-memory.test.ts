import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { undiciPool, type Dial } from '../../src/adapters/seed-client/undici-pool.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';
import { wiredClient } from '../support/wired-client.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

// Node reads TLS into blocks of 64 KB, and any window on one holds all of it: 12 MiB with the watches of 250 services.
test('1.6 a watch that waits for its next line holds nothing of what it has read', async () => {
  const held: ServerResponse[] = [];
  const windows: WeakRef<Buffer>[] = [];
  let rawHeaders: unknown = 'not asked';
  const dial: Dial = (origin, options) =>
    undiciPool(origin, options).compose(
      (dispatch) => (request, handler) =>
        dispatch(request, {
          onRequestStart: (...args) => handler.onRequestStart?.(...args),
          onResponseStart(...args) {
            handler.onResponseStart?.(...args);
            ({ rawHeaders } = args[0]);
          },
          onResponseData(...args) {
            windows.push(new WeakRef(args[1]));
            handler.onResponseData?.(...args);
          },
          onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
          onResponseError: (...args) => handler.onResponseError?.(...args),
        }),
    );
  const { server, client } = await wiredClient((_request, response) => held.push(response), { dial });
  const lines = client.lines({ method: 'GET', path: '/api/v1/pods', query: { watch: 'true' }, inactivity: 30_000 });
  const first = lines.next();
  await server.hasReceived(1);
  held[0]!.writeHead(200).write('{"n":1}\n');
  await first;
  const second = lines.next();
  for (let turns = 0; turns < 5; turns++) {
    await settled();
    collectGarbage();
  }
  expect(windows.map((one) => one.deref())).toEqual([undefined]);
  expect(rawHeaders).toBeNull();
  held[0]!.end();
  await second;
});

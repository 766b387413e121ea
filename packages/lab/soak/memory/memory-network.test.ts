import { expect, test } from 'vitest';
import { carry } from '@dwd/simulator/memory/carry.ts';
import { answered, type Fate, type FateEnd, type WatchFate } from '@dwd/simulator/memory/fate.ts';
import type { MemoryApiServer, MemoryRequest } from '@dwd/simulator/memory/memory-api-server.ts';
import { MemoryNetwork } from '@dwd/simulator/memory/memory-network.ts';
import { Agenda } from '@dwd/simulator/store/agenda.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { createObject } from '@dwd/simulator/store/object-writes.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

export const list = '/api/v1/namespaces/garden/secrets';

/** A server in memory, and a client that sends one request at a time and notes what it is told. */
export async function stage() {
  const clock = new VirtualClock(1_000_000);
  const agenda = new Agenda(clock);
  const network = new MemoryNetwork();
  let draws = 0;
  const api = network.server({
    agenda,
    // Names must differ.
    chance: () => ((draws += 1) * 0.0137) % 1,
    certificates: await network.certificates(),
    kinds: Object.values(kinds),
  });
  await api.up();
  api.tokens.set('token', 'somebody');
  createObject(api.storage, kinds.namespace, { metadata: { name: 'garden' } });
  const told: (string | number)[] = [];
  return {
    api,
    network,
    told,
    names: () =>
      api.storage.store
        .of(kinds.secret)
        .list()
        .map(({ key }) => key),
    write: (name: string) => void createObject(api.storage, kinds.secret, { metadata: { name } }, 'garden'),
    pass: (length: number) => clock.advanceTo(clock.now() + length),
    async send({
      end = answered,
      watch = { lag: () => 1 },
      server = api,
      slow = 0,
      ...asked
    }: Partial<
      MemoryRequest & Pick<Fate, 'end'> & { watch: WatchFate; server: MemoryApiServer; slow: number }
    >): Promise<void> {
      carry({
        server,
        request: { method: 'GET', url: list, headers: { authorization: 'Bearer token' }, ...asked },
        fate: { connect: 0, there: 10 + slow, back: 10, ...(slow > 0 && { isSlow: true }), end },
        watch: () => watch,
        struck: (fault) => told.push(fault),
        agenda,
        deliver: (task) => task(),
        receiver: {
          sent: () => undefined,
          head: (status) => told.push(status),
          data: (chunk) => told.push(...eventsOf(chunk.toString())),
          end: () => told.push('end'),
          fail: (error) => told.push((error as NodeJS.ErrnoException).code ?? error.message),
        },
      });
      await clock.advanceTo(clock.now() + 5_000);
    },
  };
}

/** `MODIFIED a 7`; `data` for what is no event of a watch. */
function eventsOf(text: string): readonly string[] {
  if (!text.startsWith('{"type":')) return ['data'];
  const { type, object } = JSON.parse(text) as {
    type: string;
    object: { code?: number; metadata?: Record<string, string> };
  };
  const { name = '', resourceVersion = '' } = object.metadata ?? {};
  return [[type, name, resourceVersion, object.code ?? ''].filter((part) => part !== '').join(' ')];
}

test('a fault is told when it strikes, and one that a watch can be struck by never strikes another request', async () => {
  const ways = await stage();
  const fate: WatchFate = { lag: () => 1, silentAfter: 0, cutAfter: 0, withoutBookmarks: true };
  await ways.send({ watch: fate });
  expect(ways.told.splice(0)).toEqual([200, 'data', 'end']);
  await ways.send({ url: `${list}?watch=true&allowWatchBookmarks=true`, watch: fate });
  expect(ways.told.splice(0)).toEqual(['watch cut', 'ECONNRESET']);
});

test('a watch that falls silent is told of when it has something to say', async () => {
  const ways = await stage();
  await ways.send({ url: `${list}?watch=true&resourceVersion=2`, watch: { lag: () => 1, silentAfter: 5_000 } });
  await ways.pass(20_000);
  expect(ways.told).toEqual([200]);
  ways.write('late');
  ways.write('later');
  await ways.pass(20_000);
  expect(ways.told).toEqual([200, 'watch silent']);
});

test('what was sent twice is carried out twice; a watch is not', async () => {
  const ways = await stage();
  const doubled = { kind: 'doubled', after: 1_000 } as const;
  const body = JSON.stringify({ metadata: { generateName: 'a-' } });
  await ways.send({ method: 'POST', body, end: doubled });
  expect(ways.told.splice(0)).toEqual([201, 'data', 'end', 'doubled']);
  expect(ways.names()).toHaveLength(2);
  await ways.send({ url: `${list}?watch=true&resourceVersion=2`, end: doubled });
  expect(ways.told).toHaveLength(3);
  expect(ways.api.watches).toBe(1);
});

test('what stays unanswered was carried out; what is lost or refused was not', async () => {
  const ways = await stage();
  const body = JSON.stringify({ metadata: { generateName: 'a-' } });
  const after = async (end: FateEnd): Promise<readonly unknown[]> => {
    await ways.send({ method: 'POST', body, end });
    return [...ways.told.splice(0), ways.names().length];
  };
  expect(await after({ kind: 'lost', reset: false })).toEqual(['lost', 0]);
  expect(await after({ kind: 'refused' })).toEqual(['refused', 'ECONNREFUSED', 0]);
  expect(await after({ kind: 'status', code: 503 })).toEqual(['status', 503, 'data', 'end', 0]);
  expect(await after({ kind: 'unanswered', reset: true })).toEqual(['unanswered', 'ECONNRESET', 1]);
  expect(await after({ kind: 'truncated' })).toEqual(['truncated', 201, 'data', 'ECONNRESET', 2]);
});

test('a watch that stays unanswered is open nowhere, and not even its head comes', async () => {
  const ways = await stage();
  await ways.send({ url: `${list}?watch=true&resourceVersion=2`, end: { kind: 'unanswered', reset: false } });
  ways.write('unseen');
  await ways.pass(5_000);
  expect(ways.told).toEqual(['unanswered']);
  expect(ways.api.watches).toBe(0);
});

test('a request that is slow on its way is told of when it is sent, and not when it arrives', async () => {
  const ways = await stage();
  await ways.send({ slow: 8_000 });
  expect(ways.told.splice(0)).toEqual(['slow']);
  await ways.pass(5_000);
  expect(ways.told).toEqual([200, 'data', 'end']);
});

test('a server that is down, or has a fault, is told of by each request that meets it', async () => {
  const ways = await stage();
  ways.api.setFault({ kind: 'hang', at: 'answer' });
  await ways.send({});
  expect(ways.told.splice(0)).toEqual(['server hang']);
  ways.api.clearFault();
  expect(ways.told.splice(0)).toEqual(['ECONNRESET']);
  await ways.api.down();
  await ways.send({});
  expect(ways.told).toEqual(['server down', 'ECONNREFUSED']);
});

const watching = (after: number): string => `${list}?watch=true&resourceVersion=${after}`;

test('a server that is behind shows in its watches what was, in order, and reads what is', async () => {
  const ways = await stage();
  const twin = ways.network.twin(ways.api);
  await twin.up();
  twin.lag = 20_000;
  const { resourceVersion } = ways.api.storage.store;
  await ways.send({ url: watching(resourceVersion), server: twin });
  ways.write('a');
  twin.lag = 0;
  ways.write('b');
  await ways.pass(10);
  expect(ways.told.splice(0)).toEqual([200]);
  await ways.send({ url: `${list}/b`, server: twin });
  expect(ways.told.splice(0)).toEqual([200, 'data', 'end']);
  await ways.pass(20_000);
  expect(ways.told).toEqual([`ADDED a ${resourceVersion + 1}`, `ADDED b ${resourceVersion + 2}`]);
});

test('each server has its own faults, and both have the same users and objects', async () => {
  const ways = await stage();
  const twin = ways.network.twin(ways.api);
  await twin.up();
  await ways.api.down();
  await ways.send({ method: 'POST', body: '{"metadata":{"name":"a"}}', server: twin });
  expect(ways.told).toEqual([201, 'data', 'end']);
  expect(ways.names()).toEqual(['garden/a']);
});

test('after a restore the same versions come again, for other things; no watch tells of both histories', async () => {
  const ways = await stage();
  const { store } = ways.api.storage;
  ways.write('kept');
  const backup = store.backup();
  ways.write('gone');
  await ways.send({ url: watching(store.resourceVersion) });
  ways.api.abandonWatches();
  store.restore(backup);
  expect(ways.names()).toEqual(['garden/kept']);
  ways.write('other');
  expect(store.resourceVersion).toBe(backup.resourceVersion + 1);
  ways.write('third');
  await ways.pass(5_000);
  expect(ways.told.splice(0)).toEqual([200]);
  // Whoever saw only what was in the backup goes on; an older version is forgotten; one that is not reached again is silent.
  await ways.send({ url: watching(backup.resourceVersion) });
  expect(ways.told.splice(0)).toEqual([
    200,
    `ADDED other ${backup.resourceVersion + 1}`,
    `ADDED third ${backup.resourceVersion + 2}`,
  ]);
  await ways.send({ url: watching(backup.resourceVersion - 1) });
  expect(ways.told.splice(0)).toEqual([200, 'ERROR 410', 'end']);
  await ways.send({ url: watching(backup.resourceVersion + 5) });
  expect(ways.told.splice(0)).toEqual([200]);
});

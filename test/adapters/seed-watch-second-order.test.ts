import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import type { KubeRequest, LinesRequest } from '../../src/adapters/kube/kube-client.ts';
import { Dispatcher, Informer } from '../../src/adapters/reflector/informer.ts';
import { reflector, type ReflectorOptions } from '../../src/adapters/reflector/reflector.ts';
import { troubleOfStatus } from '../../src/adapters/reflector/wire-format.ts';
import { textAt } from '../../src/domain/value-at.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ScriptedSeed } from './seed-watch-scripted.ts';

const list = { metadata: { resourceVersion: '5' }, items: [] };

const notice = () => undefined;

/** A stream over a client that answers lists at once, and whose first watches show `line`, or nothing. */
function stage(options: Partial<ReflectorOptions<unknown>> = {}, line?: unknown) {
  const clock = new VirtualClock();
  const lists: KubeRequest[] = [];
  const watches: LinesRequest[] = [];
  const client = {
    request: async () => list,
    async *pieces(request: KubeRequest) {
      lists.push(request);
      yield Buffer.from(JSON.stringify(list));
    },
    async *lines(request: LinesRequest) {
      watches.push(request);
      request.opened?.();
      if (line !== undefined && watches.length <= 2) yield line;
      await new Promise<void>((resolve) => request.signal?.addEventListener('abort', () => resolve()));
    },
  };
  const shared = { client, clock, chance: () => 0, path: '/api/v1/pods', pageSize: 10, limit: 10, stream: 'pods' };
  const running = reflector({ ...shared, project: (one) => one, objects: new Map(), notice, ...options }).subscribe();
  return { clock, lists, watches, running, shared };
}

test('6.6 a watch that was opened a moment ago is not cut for news that it cannot have sent yet; an older one is', async () => {
  const doubts$ = new Subject<void>();
  const { clock, watches, running } = stage({ doubts$ });
  await clock.advanceBy(2_999);
  doubts$.next();
  await settled();
  expect(watches).toHaveLength(1);
  await clock.advanceBy(1);
  doubts$.next();
  await clock.advanceBy(1_000);
  expect(watches).toHaveLength(2);
  running.unsubscribe();
});

test.each([
  ['urgent', 10_000],
  ['normal', 30_000],
] as const)('1.2 7.2 a page of a list whose stream is in the lane %s is waited for %i ms', async (lane, timeout) => {
  const { lists, watches, running } = stage({ lane });
  await settled();
  expect(lists).toMatchObject([{ lane, timeout }]);
  expect(watches).toMatchObject([{ lane }]);
  running.unsubscribe();
});

test('4.5 7.4 a pause that the server asks for within a watch, again and again, is kept', async () => {
  const error = { type: 'ERROR', object: { code: 429, message: 'later', details: { retryAfterSeconds: 20 } } };
  const { clock, watches, running } = stage({}, error);
  // What was open a moment ago is opened again at once, once.
  await clock.advanceBy(19_000);
  expect(watches).toHaveLength(2);
  await clock.advanceBy(2_000);
  expect(watches).toHaveLength(3);
  running.unsubscribe();
});

const path = '/api/v1/namespaces/a/pods';

/** An informer that keeps at most `limit` objects of a scripted seed. */
function informed(limit: number) {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  const shared = { client: seed, clock, chance: () => 0, path, pageSize: 10, stream: 'pods', notice };
  const informer = new Informer({ ...shared, limit, project: (object) => textAt(object, 'metadata', 'name') });
  const listAnew = async () => {
    seed.compact();
    seed.say({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
    await clock.advanceBy(40_000);
  };
  return { seed, informer, listAnew };
}

test('7.4 6.6 a stream that could not keep all there is cannot be relied on, until a list fits again', async () => {
  const { seed, informer, listAnew } = informed(1);
  seed.put(path, 'a', 'one');
  const changes: boolean[] = [];
  const running = informer.updates$.subscribe(({ liveChanged }) => {
    if (liveChanged) changes.push(informer.live);
  });
  await settled();
  expect(changes).toEqual([true]);
  seed.deaf = true;
  seed.put(path, 'a', 'two');
  seed.deaf = false;
  await listAnew();
  expect(changes).toEqual([true, false]);
  seed.remove(path, 'a', 'two');
  await listAnew();
  expect(changes).toEqual([true, false, true]);
  seed.put(path, 'a', 'three');
  await settled();
  expect(changes).toEqual([true, false, true, false]);
  running.unsubscribe();
});

test('3 6.2 an informer has applied an item before anybody hears of it, and forgets all once nobody listens', async () => {
  const { seed, informer } = informed(10);
  seed.put(path, 'a', 'one');
  const heard: unknown[] = [];
  const running = informer.updates$.subscribe(({ item }) =>
    heard.push([item.type, informer.listed, informer.live, informer.asOf, informer.get('a', 'one')]),
  );
  await settled();
  seed.remove(path, 'a', 'one');
  await settled();
  expect(heard).toEqual([
    ['listed', true, true, '1', 'one'],
    ['live', true, true, '1', 'one'],
    ['deleted', true, true, '2', undefined],
  ]);
  seed.put(path, 'a', 'one');
  await settled();
  running.unsubscribe();
  expect([informer.listed, informer.live, informer.asOf, informer.get('a', 'one')]).toEqual([
    false,
    false,
    '',
    undefined,
  ]);
});

test('3 a key without a listener is forgotten', () => {
  const dispatcher = new Dispatcher<string, number>();
  const heard: number[] = [];
  const observer = { next: (one: number) => void heard.push(one), error: () => undefined, complete: () => undefined };
  const [first, second] = [dispatcher.listen('a', observer), dispatcher.listen('a', observer)];
  first.unsubscribe();
  expect(dispatcher.hasListener('a')).toBe(true);
  second.unsubscribe();
  expect(dispatcher.hasListener('a')).toBe(false);
  expect([...dispatcher.keys()]).toEqual([]);
  dispatcher.dispatch('a', 1);
  expect(heard).toEqual([]);
});

test.each([
  [404, 'refused'],
  [403, 'refused'],
  [410, 'expired'],
  [429, 'failed'],
  [500, 'failed'],
])('6.6 9.3 %i of a list or a watch counts as %s', (status, trouble) => {
  expect(troubleOfStatus(status)).toBe(trouble);
});

import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import type { KubeRequest, LinesRequest } from '../../src/adapters/kube/kube-client.ts';
import { Followers } from '../../src/adapters/reflector/dispatcher.ts';
import { listWatch, type ListWatchOptions } from '../../src/adapters/reflector/reflector.ts';
import { SeedFeed } from '../../src/adapters/reflector/seed-feed.ts';
import { troubleOfStatus } from '../../src/adapters/reflector/stream-trouble.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';

const list = { metadata: { resourceVersion: '5' }, items: [] };

const notice = () => undefined;

/** A stream over a client that answers lists at once, and whose watches say what they are told to, or nothing. */
function stage(options: Partial<ListWatchOptions<unknown>> = {}, line?: unknown) {
  const clock = new VirtualClock();
  const lists: KubeRequest[] = [];
  const watches: LinesRequest[] = [];
  const client = {
    request: async (request: KubeRequest) => {
      lists.push(request);
      return list;
    },
    pieces: () => {
      throw new Error('nobody reads pieces here');
    },
    async *lines(request: LinesRequest) {
      watches.push(request);
      request.opened?.();
      if (line !== undefined && watches.length <= 2) yield line;
      await new Promise<void>((resolve) => request.signal?.addEventListener('abort', () => resolve()));
    },
  };
  const shared = { client, clock, chance: () => 0, path: '/api/v1/pods', pageSize: 10, limit: 10, stream: 'pods' };
  const running = listWatch({ ...shared, project: (one) => one, store: new Map(), notice, ...options }).subscribe();
  return { clock, lists, watches, running, shared };
}

test('6.6 a watch that was opened a moment ago is not cut for what it cannot have told yet; an older one is', async () => {
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
  [true, 10_000],
  [false, 30_000],
])('1.2 7.2 a page of a list whose stream is urgent (%s) is waited for %i ms', async (urgent, timeout) => {
  const { lists, watches, running } = stage({ urgent });
  await settled();
  expect(lists).toMatchObject([{ urgent, timeout }]);
  expect(watches).toMatchObject([{ urgent }]);
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

test('7.4 6.6 a stream that could not keep all there is cannot be relied on, until a list fits again', () => {
  const { shared, running } = stage();
  const feed = new SeedFeed({ ...shared, project: (one) => one, notice: () => undefined });
  const listed = { type: 'listed', resourceVersion: '5', applied: [], deleted: [] } as const;
  feed.take({ ...listed, dropped: 0, rewound: false });
  feed.take({ type: 'live' });
  expect(feed.live).toBe(true);
  feed.take({ ...listed, dropped: 1, rewound: false });
  expect(feed.live).toBe(false);
  feed.take({ ...listed, dropped: 0, rewound: false });
  expect(feed.live).toBe(true);
  feed.take({ type: 'dropped', namespace: 'a', name: 'b' });
  expect(feed.live).toBe(false);
  running.unsubscribe();
});

test('3 whoever is followed by nobody any more is forgotten', () => {
  const followers = new Followers<string, number>();
  const heard: number[] = [];
  const observer = { next: (one: number) => void heard.push(one), error: () => undefined, complete: () => undefined };
  const [first, second] = [followers.follow('a', observer), followers.follow('a', observer)];
  first.unsubscribe();
  expect(followers.isFollowed('a')).toBe(true);
  second.unsubscribe();
  expect(followers.isFollowed('a')).toBe(false);
  expect([...followers]).toEqual([]);
  followers.tell('a', 1);
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

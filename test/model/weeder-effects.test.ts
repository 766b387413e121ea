import { Subject, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import type { DeletionAnswer } from '../../src/domain/weeder/pod-ledger.ts';
import type { PodNews, PodWatch } from '../../src/effects/ports.ts';
import { weederEffects, type WeederPorts } from '../../src/effects/weed-services.ts';
import type { WeederEvent } from '../../src/machines/weeder-language.ts';
import { podNews } from '@dwd/testing/weeder-stage.ts';
import { VirtualClock, settled } from '@dwd/testing/virtual-clock.ts';
import { podView, waits } from '@dwd/testing/weeder-driver.ts';

const ref = { namespace: 'shoot--test--one', service: 'kube-apiserver' };
const pod = { name: 'a', uid: 'uid-a' };
const deletion = { number: 7, pod, waits: waits('etcd') };
const never = () => new Promise<never>(() => undefined);

/** What is watched, and nothing is listed again. */
function watching(pods$: PodWatch['pods$']): PodWatch {
  return { pods$, listAgain: () => undefined };
}

/** Ports that never send anything, except the given ones. */
function stage(ports: Partial<WeederPorts> = {}) {
  const clock = new VirtualClock();
  const quiet = { pods: watching(() => new Subject<PodNews>()), remover: { remove: never } };
  const effects = weederEffects(ref, { clock, ...quiet, ...ports });
  const heard: (WeederEvent | string)[] = [];
  const listen = (events: Observable<WeederEvent>, name: string) =>
    events.subscribe({
      next: (event) => heard.push(event),
      complete: () => heard.push(`${name} is over`),
      error: (error: unknown) => heard.push(String(error)),
    });
  return { clock, effects, heard, listen };
}

test('7.2 a watch follows the service’s own pods, by its selectors, and tells them under its number', async () => {
  const news = new Subject<PodNews>();
  const asked: unknown[] = [];
  const { clock, effects, heard, listen } = stage({
    pods: watching((of, selectors) => {
      asked.push(of, selectors);
      return news;
    }),
  });
  listen(effects.watchPods({ number: 4, selectors: ['a', 'b'] }), 'watch');
  expect(asked).toEqual([ref, ['a', 'b']]);
  await clock.advanceTo(100);
  for (const one of [podNews('a'), podNews('a', 'ending'), podNews('a', 'gone')]) news.next(one);
  expect(heard).toEqual([
    { type: 'pod.changed', at: 100, number: 4, pod: podView(pod) },
    { type: 'pod.changed', at: 100, number: 4, pod: podView(pod, 'ending') },
    { type: 'pod.gone', at: 100, number: 4, pod },
  ]);
});

test('7.2 leaving ends the watch of that number, and no other', () => {
  const opened: Subject<PodNews>[] = [];
  const pods$ = () => {
    const news = new Subject<PodNews>();
    opened.push(news);
    return news;
  };
  const { effects, heard, listen } = stage({ pods: watching(pods$) });
  for (const number of [1, 2]) listen(effects.watchPods({ number, selectors: [] }), `watch ${number}`);
  listen(effects.leavePods({ number: 9 }), 'leaving none');
  listen(effects.leavePods({ number: 1 }), 'leaving');
  expect(heard).toEqual(['leaving none is over', 'watch 1 is over', 'leaving is over']);
  expect(opened.map(({ observed }) => observed)).toEqual([false, true]);
});

test('7.3 the namespace of the service is listed again, once for each command, and nothing is answered', () => {
  const listed: string[] = [];
  const pods = { ...watching(() => new Subject<PodNews>()), listAgain: (one: string) => void listed.push(one) };
  const { effects, heard, listen } = stage({ pods });
  const listing = effects.listPods({ number: 1 });
  expect(listed).toEqual([]);
  listen(listing, 'listing');
  expect([listed, heard]).toEqual([['shoot--test--one'], ['listing is over']]);
});

test('1.4 the end of a machine ends its watches and its wake', async () => {
  const news = new Subject<PodNews>();
  const { clock, effects, heard, listen } = stage({ pods: watching(() => news) });
  listen(effects.watchPods({ number: 1, selectors: [] }), 'watch').unsubscribe();
  listen(effects.wake({ at: 500 }), 'wake').unsubscribe();
  expect([news.observed, clock.sleeping]).toEqual([false, 0]);
  await clock.advanceBy(1_000);
  expect(heard).toEqual([]);
});

test('7.3 a deletion is of that incarnation in the service’s namespace, and its answer says what was asked and when', async () => {
  const asked: unknown[] = [];
  const answer = Promise.withResolvers<DeletionAnswer>();
  const { clock, effects, heard, listen } = stage({
    remover: {
      remove: (namespace, one) => {
        asked.push(namespace, one);
        return answer.promise;
      },
    },
  });
  listen(effects.deletePod(deletion), 'deletion');
  expect(asked).toEqual(['shoot--test--one', pod]);
  await clock.advanceTo(40);
  answer.resolve({ outcome: 'throttled', retryAfter: 3_000 });
  await settled();
  expect(heard).toEqual([
    {
      type: 'deletion.answered',
      at: 40,
      askedAt: 0,
      asked: deletion,
      answer: { outcome: 'throttled', retryAfter: 3_000 },
    },
    'deletion is over',
  ]);
});

/** A remover whose deletions wait until they are withdrawn, and say so. */
function waiting() {
  const signals: AbortSignal[] = [];
  const remove: WeederPorts['remover']['remove'] = (_namespace, _pod, withdrawn) => {
    signals.push(withdrawn);
    return new Promise((resolve) => {
      withdrawn.addEventListener('abort', () => resolve({ outcome: 'withdrawn' }));
    });
  };
  return { signals, remover: { remove } };
}

test('7.2 a withdrawal takes back the deletion of its number, which answers; no other', async () => {
  const { signals, remover } = waiting();
  const { effects, heard, listen } = stage({ remover });
  for (const number of [7, 8]) listen(effects.deletePod({ ...deletion, number }), `deletion ${number}`);
  listen(effects.withdraw({ number: 9 }), 'withdrawal of nothing');
  listen(effects.withdraw({ number: 7 }), 'withdrawal');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await settled();
  expect(heard).toEqual([
    'withdrawal of nothing is over',
    'withdrawal is over',
    { type: 'deletion.answered', at: 0, askedAt: 0, asked: deletion, answer: { outcome: 'withdrawn' } },
    'deletion 7 is over',
  ]);
});

test('1.4 the end of a machine takes back what waits, and hears no more of it', async () => {
  const { signals, remover } = waiting();
  const { effects, heard, listen } = stage({ remover });
  listen(effects.deletePod(deletion), 'deletion').unsubscribe();
  expect(signals[0]?.aborted).toBe(true);
  await settled();
  expect(heard).toEqual([]);
});

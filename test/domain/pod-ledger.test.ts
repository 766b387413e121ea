import { describe, expect, test } from 'vitest';
import {
  type DeletionAnswer,
  askDeletion,
  askedNumbers,
  duePods,
  applyAnswer,
  recordPod,
  leftOver,
  forgetPod,
  forgetPods,
  mustList,
  nextDueAt,
  podOf,
  unselectedIn,
  type PodLedger,
} from '../../src/domain/weeder/pod-ledger.ts';
import type { PodOrigin, PodView } from '../../src/domain/weeder/pod.ts';
import { podView, waits } from '@dwd/testing/weeder-driver.ts';

const at = 1_000_000;
/** After every retry. */
const late = at + 86_400_000;
const ref = (name: string) => ({ name, uid: `uid-${name}` });

/** What one after the other has told of pods, by name: `a waiting`, `a asked 7`, `a lost`, or an answer to a number. */
type Step =
  | readonly [name: string, is: PodView['state'] | 'lost']
  | readonly [name: string, is: 'asked', number: number]
  | readonly [number: number, answer: DeletionAnswer];

function told(...steps: readonly Step[]): PodLedger {
  let ledger: PodLedger = [];
  for (const step of steps) ledger = after(ledger, step);
  return ledger;
}

function after(ledger: PodLedger, step: Step): PodLedger {
  if (typeof step[0] === 'number') return applyAnswer(ledger, step[0], step[1] as DeletionAnswer, { at, chance: 0 })!;
  const pod = ref(step[0]);
  if (step[1] === 'lost') return forgetPod(ledger, pod);
  if (step[1] === 'asked') return askDeletion(ledger, podOf(ledger, pod.uid)!, step[2]);
  return recordPod(ledger, podView(pod, step[1] as PodView['state']));
}

const atOnce = (): number => -Infinity;
const names = (ledger: PodLedger) => ledger.map(({ pod }) => pod.name);
const due = (ledger: PodLedger, when = at) => duePods(ledger, when, atOnce).map(({ pod }) => pod.name);

const deleted = { outcome: 'deleted' } as const;
const failed = { outcome: 'failed', reason: '500', detail: 'no' } as const;
const withdrawn = { outcome: 'withdrawn' } as const;

describe('7.3 which pods are kept', () => {
  test.each<[string, readonly Step[], readonly string[]]>([
    ['one that crash-loops', [['a', 'waiting']], ['a']],
    ['one that is fine', [['a', 'fine']], []],
    ['one that ends', [['a', 'ending']], []],
    [
      'one that is fine again',
      [
        ['a', 'waiting'],
        ['a', 'fine'],
      ],
      [],
    ],
    [
      'one that ends now',
      [
        ['a', 'waiting'],
        ['a', 'ending'],
      ],
      [],
    ],
    [
      'one that is gone',
      [
        ['a', 'waiting'],
        ['a', 'lost'],
      ],
      [],
    ],
    ['one that nobody knew, gone', [['a', 'lost']], []],
    [
      'one that ends by our hand',
      [
        ['a', 'waiting'],
        ['a', 'asked', 1],
        [1, deleted],
        ['a', 'ending'],
      ],
      ['a'],
    ],
    [
      'one that is gone by our hand',
      [
        ['a', 'waiting'],
        ['a', 'asked', 1],
        [1, deleted],
        ['a', 'lost'],
      ],
      [],
    ],
    [
      'one that is fine after a failure',
      [
        ['a', 'waiting'],
        ['a', 'asked', 1],
        [1, failed],
        ['a', 'fine'],
      ],
      ['a'],
    ],
    [
      'one that is gone after a failure',
      [
        ['a', 'waiting'],
        ['a', 'asked', 1],
        [1, failed],
        ['a', 'lost'],
      ],
      [],
    ],
    [
      'one that is gone before the answer',
      [
        ['a', 'waiting'],
        ['a', 'asked', 1],
        ['a', 'lost'],
      ],
      ['a'],
    ],
    [
      'the same, answered',
      [
        ['a', 'waiting'],
        ['a', 'asked', 1],
        ['a', 'lost'],
        [1, deleted],
      ],
      [],
    ],
    [
      'the same, failed',
      [
        ['a', 'waiting'],
        ['a', 'asked', 1],
        ['a', 'lost'],
        [1, failed],
      ],
      [],
    ],
  ])('7.3 %s', (_, steps, kept) => {
    expect(names(told(...steps))).toEqual(kept);
  });

  test('S8 a pod of the same name is another one', () => {
    const again = recordPod(
      told(['a', 'waiting'], ['a', 'asked', 1], [1, deleted]),
      podView({ name: 'a', uid: 'another' }),
    );
    expect(duePods(again, at, atOnce).map(({ pod }) => pod)).toEqual([{ name: 'a', uid: 'another' }]);
  });

  test('S8 at the end of a window, only what is under way; it is forgotten with its answer', () => {
    const ledger = forgetPods(
      told(
        ['new', 'waiting'],
        ['asked', 'waiting'],
        ['asked', 'asked', 1],
        ['done', 'waiting'],
        ['done', 'asked', 2],
        [2, deleted],
        ['failed', 'waiting'],
        ['failed', 'asked', 3],
        [3, failed],
      ),
    );
    expect([names(ledger), due(ledger, late), askedNumbers(ledger)]).toEqual([['asked'], [], [1]]);
    expect(after(ledger, [1, failed])).toEqual([]);
    expect(due(after(ledger, ['asked', 'waiting'])), 'the next window hears of it, and waits').toEqual([]);
  });
});

describe('S8 what is due', () => {
  const asked: readonly Step[] = [
    ['a', 'waiting'],
    ['a', 'asked', 1],
  ];
  const outcomes: Record<DeletionAnswer['outcome'], readonly [DeletionAnswer, retryAt: number | undefined]> = {
    deleted: [deleted, undefined],
    gone: [{ outcome: 'gone' }, undefined],
    replaced: [{ outcome: 'replaced' }, undefined],
    deletedBefore: [{ outcome: 'deletedBefore' }, undefined],
    withdrawn: [withdrawn, at + 500],
    throttled: [{ outcome: 'throttled', retryAfter: 9_000 }, at + 9_000],
    failed: [failed, at + 500],
  };

  test.each(Object.entries(outcomes))('S8 7.3 after %s', (_, [answer, retryAt]) => {
    const ledger = told(...asked, [1, answer]);
    expect(nextDueAt(ledger, atOnce)).toBe(retryAt);
    expect(due(ledger, (retryAt ?? late) - 1)).toEqual([]);
    expect(due(ledger, retryAt ?? late)).toEqual(retryAt === undefined ? [] : ['a']);
    expect(leftOver(ledger)).toBe(retryAt === undefined ? 0 : 1);
    const toldAgain = after(ledger, ['a', 'waiting']);
    expect(nextDueAt(toldAgain, atOnce), 'news of it hurry nothing').toBe(retryAt);
    for (const state of ['ending', 'fine'] as const) {
      const other = after(ledger, ['a', state]);
      expect([state, due(other, late), nextDueAt(other, atOnce), leftOver(other)]).toEqual([state, [], undefined, 0]);
    }
  });

  test('S8 not while it is asked for, whatever news of it come meanwhile', () => {
    for (const state of ['waiting', 'fine', 'ending', 'lost'] as const) {
      const ledger = told(...asked, ['a', state], ['a', 'waiting']);
      expect([state, due(ledger, late), askedNumbers(ledger)]).toEqual([state, [], [1]]);
    }
    expect(leftOver(told(...asked))).toBe(1);
  });

  test('7.3 at once with its first news, in the order of the first news', () => {
    const ledger = told(['b', 'waiting'], ['a', 'waiting'], ['c', 'ending'], ['b', 'waiting']);
    expect(due(ledger)).toEqual(['b', 'a']);
    expect(nextDueAt(ledger, atOnce), 'nothing that time would bring about').toBeUndefined();
  });

  test('7.3 failures in a row lengthen the pause; what was withdrawn is no failure', () => {
    const twice = told(...asked, [1, failed], ['a', 'asked', 2], [2, failed]);
    expect(nextDueAt(twice, atOnce)).toBe(at + 1_000);
    const between = told(...asked, [1, failed], ['a', 'asked', 2], [2, withdrawn], ['a', 'asked', 3], [3, failed]);
    expect(nextDueAt(between, atOnce)).toBe(at + 1_000);
    expect(nextDueAt(told(...asked, [1, withdrawn], ['a', 'asked', 2], [2, withdrawn]), atOnce)).toBe(at + 500);
  });

  test('7.3 the earliest of several retries comes next', () => {
    const ledger = told(...asked, [1, outcomes.throttled[0]], ['b', 'waiting'], ['b', 'asked', 2], [2, failed]);
    expect(nextDueAt(ledger, atOnce)).toBe(at + 500);
    expect(due(ledger, at + 9_000)).toEqual(['a', 'b']);
  });

  test('S8 an answer that nobody waits for is none', () => {
    for (const ledger of [told(), told(['a', 'waiting']), told(...asked), told(...asked, [1, failed])])
      expect(applyAnswer(ledger, 99, deleted, { at, chance: 0 })).toBeUndefined();
    expect(applyAnswer(told(...asked, [1, deleted]), 1, failed, { at, chance: 0 }), 'not twice').toBeUndefined();
  });
});

const crashLooping = (name: string, origin: PodOrigin = {}): PodView => podView({ ...ref(name), ...origin });

test.each<[PodOrigin]>([[{}], [{ owner: 'set' }], [{ createdAt: at }], [{ spared: 'mirror' }]])(
  '7.3 of where a pod comes from is kept what was told: %j',
  (origin) => {
    expect(podOf(recordPod([], crashLooping('a', origin)), 'uid-a')?.origin).toEqual(origin);
  },
);

test.each(['mirror', 'noController', 'unselected'] as const)('7.3 7.7 what is spared as %s is never due', (spared) => {
  const ledger = recordPod([], crashLooping('a', { spared }));
  expect([due(ledger, late), nextDueAt(ledger, atOnce), leftOver(ledger)]).toEqual([[], undefined, 0]);
});

test('7.7 those that crash-loop and that no selector picks are counted, and ten of them named', () => {
  const missed = Array.from({ length: 11 }, (_, index) => crashLooping(`missed-${index}`, { spared: 'unselected' }));
  const ledger = [crashLooping('mirror', { spared: 'mirror' }), crashLooping('picked'), ...missed].reduce<PodLedger>(
    recordPod,
    [],
  );
  const first = missed.slice(0, 10).map(({ name }) => name);
  expect(unselectedIn(ledger)).toEqual({ count: 11, names: first });
  const lost = forgetPod(askDeletion(ledger, podOf(ledger, 'uid-missed-0')!, 1), ref('missed-0'));
  expect(unselectedIn(lost).count).toBe(10);
});

test('S8 what no watch shows any more crash-loops no longer, as far as anybody knows', () => {
  const ledger = told(['a', 'waiting'], ['b', 'waiting'], ['a', 'asked', 1], ['a', 'lost']);
  expect([leftOver(ledger), askedNumbers(ledger)]).toEqual([1, [1]]);
  expect(podOf(recordPod([], crashLooping('a')), 'uid-a')?.waits).toEqual(waits('main'));
  expect(podOf(ledger, 'uid-a')).toMatchObject({ lost: true });
  expect(podOf(ledger, 'uid-a')).not.toHaveProperty('waits');
});

test('7.3 every second answer in a row that the pod is no longer as it was seen leads to a list', () => {
  const conflict = { ...failed, reason: 'conflict' };
  const answers = [conflict, conflict, conflict, conflict, failed, conflict, conflict];
  let ledger = told(['other', 'waiting'], ['other', 'asked', 99], ['idle', 'waiting'], ['a', 'waiting']);
  const lists = answers.map((answer, number) => {
    ledger = after(ledger, ['a', 'asked', number]);
    const must = [answer, failed].map((given) => mustList(ledger, number, given));
    expect(mustList(ledger, 98, conflict), 'nobody waits for it').toBe(false);
    expect(mustList(ledger, 99, conflict), 'the other has had none').toBe(false);
    ledger = after(ledger, [number, answer]);
    return must;
  });
  expect(lists.map(([must]) => must)).toEqual([false, true, false, true, false, false, true]);
  expect(lists.every(([, other]) => other === false)).toBe(true);
});

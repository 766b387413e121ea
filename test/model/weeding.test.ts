import { describe, expect, test } from 'vitest';
import type { DeletionAnswer } from '../../src/domain/weeder/deletion.ts';
import { podOf } from '../../src/domain/weeder/pod-ledger.ts';
import { pureMachines } from '../../src/machines/kinds.ts';
import { weederMachine } from '../../src/machines/weeder.ts';
import { mostDeletions } from '../../src/machines/weeding.ts';
import { WeederDesk, ready, unready, watchDuration } from '../support/weeder-desk.ts';

const withdrawn: DeletionAnswer = { outcome: 'withdrawn' };
const throttled = (retryAfter?: number): DeletionAnswer =>
  retryAfter === undefined ? { outcome: 'throttled' } : { outcome: 'throttled', retryAfter };

/** The window was just opened. */
function opened(): WeederDesk {
  const desk = new WeederDesk();
  desk.up();
  return desk;
}

const endsIn = (desk: WeederDesk) => (desk.context.window?.endsAt ?? NaN) - desk.now;

const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `p${from + index}`);
const deletionsOf = (names: readonly string[]) => names.map((name) => `delete ${name}`);

/** As many deletions are under way as are allowed. */
function full(): WeederDesk {
  const desk = opened();
  expect(desk.pods(many(mostDeletions))).toEqual(deletionsOf(many(mostDeletions)));
  return desk;
}

/** How long it waits after each of so many failures of the only pod. */
const waits = (desk: WeederDesk, answer: () => unknown, count: number) =>
  Array.from({ length: count }, () => {
    answer();
    const failedAt = desk.now;
    expect(desk.ring()).toEqual(['delete a']);
    return desk.now - failedAt;
  });

/** When each of eight that failed in one instant is tried again, at a machine's chance. */
const retries = (chance: number) => {
  const desk = new WeederDesk({ chance });
  desk.up();
  desk.pods(many(8));
  for (const name of many(8)) desk.fails(name);
  return desk.context.pods.map(({ deletion }) => deletion.step === 'failed' && deletion.retryAt);
};

describe('7.2 the window', () => {
  test('7.2 opens when the service is first seen available, and lasts as long as configured', () => {
    const desk = new WeederDesk();
    expect(desk.alarm, 'nothing to wait for').toBeUndefined();
    expect(desk.up()).toEqual(['watch', 'say opened']);
    expect(desk.alarm).toBe(desk.now + watchDuration);
    expect(desk.wait(watchDuration - 1)).toEqual([]);
    expect(desk.wait(1)).toEqual(['leave', 'say closed (0 deleted, 0 left)']);
    expect([desk.state, desk.wakeAt]).toEqual(['settled', undefined]);
  });

  test('7.2 watches by every selector of the service', () => {
    const desk = new WeederDesk({ selectors: ['a', 'b,c'], watchDuration: 1_000 });
    desk.up();
    expect(desk.outcome.commands).toEqual([
      { type: 'watchPods', params: { number: desk.watch, selectors: ['a', 'b,c'] } },
      { type: 'wake', params: { at: desk.now + 1_000 } },
    ]);
  });

  test('7.2 does not open while the service is down, nor for endpoints that come unready', () => {
    const desk = new WeederDesk();
    expect([...desk.down(), ...desk.slices({}), ...desk.down(), ...desk.wait(3_600_000)]).toEqual([]);
    expect(desk.up()).toEqual(['watch', 'say opened']);
  });

  test('7.1 7.2 is neither opened nor prolonged by slices that change while the service stays available', () => {
    const desk = opened();
    desk.now += 100_000;
    const told = [
      ...desk.slices({ ...ready, two: { ready: 0, endpoints: 3 } }),
      ...desk.slices({ two: { ready: 1, endpoints: 3 } }),
      ...desk.slices({ two: { ready: 3, endpoints: 3 }, three: { ready: 0, endpoints: 0 } }),
    ];
    expect([told, endsIn(desk)]).toEqual([[], 200_000]);
    desk.ringAtEnd();
    expect([...desk.up(), ...desk.slices({ two: { ready: 2, endpoints: 2 } })]).toEqual([]);
    expect(desk.state).toBe('settled');
  });

  test('7.2 begins anew with each recovery, on the same watch', () => {
    const desk = opened();
    for (let count = 0; count < 50; count++) {
      desk.now += 100_000;
      expect([...desk.down(), ...desk.up()]).toEqual(['say extended']);
      expect(endsIn(desk)).toBe(watchDuration);
    }
    expect(desk.watch).toBe(1);
    expect(desk.alarm).toBe(desk.now + watchDuration);
    expect(desk.ring()).toEqual(['leave', 'say closed (0 deleted, 0 left)']);
  });

  test('7.2 ends while the service is down again, at the instant at which it would have ended', () => {
    const desk = opened();
    desk.now += 100_000;
    desk.down();
    expect(desk.alarm).toBe(desk.now + 200_000);
    expect(desk.ring()).toEqual(['leave', 'say closed (0 deleted, 0 left)']);
    expect(desk.state).toBe('down');
    expect(desk.up(), 'and the next recovery has its own').toEqual(['watch', 'say opened']);
    expect([desk.watch, endsIn(desk)]).toEqual([2, watchDuration]);
  });

  test('7.2 a recovery that is heard before the wake of the end prolongs it; nothing is lost in between', () => {
    const desk = opened();
    desk.down();
    desk.pod('a');
    desk.now += watchDuration + 50;
    expect(desk.up()).toEqual(['delete a', 'say extended']);
    expect(desk.wait(0), 'the old wake comes late').toEqual([]);
    expect([desk.state, endsIn(desk)]).toEqual(['recovering', watchDuration]);
  });

  test('9.1 tells what came of it', () => {
    const desk = opened();
    desk.pods(['a', 'b', 'c', 'd', 'e']);
    desk.answers('a');
    desk.answers('b', { outcome: 'gone' });
    desk.answers('c', { outcome: 'deletedBefore' });
    desk.fails('d');
    desk.fails('e');
    desk.pod('e', 'fine');
    expect(desk.ringAtEnd()).toEqual(['leave', 'say closed (1 deleted, 1 left)']);
  });

  test('9.1 the service is gone: all is taken back, and nothing is awaited', () => {
    const desk = opened();
    desk.pod('a');
    expect(desk.serviceGone()).toEqual(['withdraw a', 'leave', 'say closed (0 deleted, 1 left)']);
    expect([desk.state, desk.wakeAt]).toEqual(['down', undefined]);
  });
});

describe('7.2 nothing is done while the service is down', () => {
  test('7.2 S8 pods that crash-loop meanwhile are deleted when it is back, in one turn', () => {
    const desk = opened();
    desk.down();
    expect([...desk.pods(['a', 'b', 'c']), ...desk.pod('b', 'fine'), ...desk.wait(10_000)]).toEqual([]);
    expect(desk.up()).toEqual(['delete a', 'delete c', 'say extended']);
  });

  test('7.2 what waits to be sent is taken back, and asked for again soon after the return', () => {
    const desk = opened();
    desk.pods(['a', 'b']);
    expect(desk.down()).toEqual(['withdraw a', 'withdraw b']);
    desk.answers('a', withdrawn);
    desk.answers('b', withdrawn);
    expect(desk.alarm! - desk.now, 'only the end of the window').toBe(watchDuration);
    expect(desk.up()).toEqual(['say extended']);
    expect(desk.alarm! - desk.now).toBeLessThanOrEqual(1_000);
    expect([...desk.ring(), ...desk.ring()].toSorted()).toEqual(['delete a', 'delete b']);
  });

  test('7.2 back before the withdrawal is answered: it is asked for again all the same', () => {
    const desk = opened();
    desk.pod('a');
    desk.down();
    expect(desk.up()).toEqual(['say extended']);
    expect(desk.answers('a', withdrawn)).toEqual([]);
    expect(desk.ring()).toEqual(['delete a']);
  });

  test('S8 what was sent before counts, however late the answer', () => {
    const desk = opened();
    desk.pod('a');
    desk.down();
    expect(desk.answers('a')).toEqual([]);
    expect([...desk.up(), ...desk.pod('a'), ...desk.wait(60_000)]).toEqual(['say extended']);
    expect(desk.context.window?.deleted).toBe(1);
  });

  test('7.2 7.3 a deletion that fails meanwhile is tried again when it is back, and not before', () => {
    const desk = opened();
    desk.pod('a');
    desk.down();
    desk.fails('a');
    expect(desk.wait(200_000)).toEqual([]);
    expect(desk.up()).toEqual(['delete a', 'say extended']);
  });
});

describe('7.3 S8 a pod is deleted', () => {
  test('7.3 with its incarnation as it was told', () => {
    const desk = opened();
    desk.pod('a', 'crashLooping', { uid: 'one' });
    expect(desk.deletions.get('a')?.pod).toEqual({ name: 'a', uid: 'one' });
    desk.answers('a', { outcome: 'replaced' });
    desk.pod('a', 'crashLooping', { uid: 'two' });
    expect(desk.deletions.get('a')?.pod).toEqual({ name: 'a', uid: 'two' });
  });

  test.each([0, 1, watchDuration - 1])('7.3 at once, %d ms after the window was opened', (after) => {
    const desk = opened();
    desk.now += after;
    expect(desk.pod('a')).toEqual(['delete a']);
  });

  test.each([watchDuration, watchDuration + 1])('S8 not %d ms after it was opened', (after) => {
    const desk = opened();
    desk.pods(['asked', 'failed']);
    desk.fails('failed');
    desk.now += after;
    expect([...desk.pod('a'), ...desk.fails('asked'), ...desk.pod('failed')]).toEqual([]);
    expect(desk.wait(0)).toEqual(['leave', 'say closed (0 deleted, 3 left)']);
  });

  test('7.4 S8 once, however often a watch that was opened again tells of it', () => {
    const desk = opened();
    desk.pod('a');
    expect(desk.pod('a'), 'under way').toEqual([]);
    desk.answers('a');
    expect([...desk.pod('a'), ...desk.pod('a', 'ending'), ...desk.pod('a'), ...desk.wait(100_000)]).toEqual([]);
  });

  test('S8 not while it is being deleted, nor when it is well again', () => {
    const desk = opened();
    expect([...desk.pod('a', 'ending'), ...desk.pod('b', 'fine')]).toEqual([]);
    desk.pods(['a', 'b']);
    desk.fails('a');
    desk.fails('b');
    expect([...desk.pod('a', 'ending'), ...desk.pod('b', 'fine'), ...desk.wait(100_000)]).toEqual([]);
  });

  test.each(['fine', 'ending'] as const)(
    'S8 not on old news: what waits to be sent is taken back once it is %s',
    (state) => {
      const desk = opened();
      desk.pod('a');
      expect(desk.pod('a', state)).toEqual(['withdraw a']);
      expect([...desk.answers('a', withdrawn), ...desk.wait(60_000)]).toEqual([]);
      expect(desk.pod('a'), 'and asked for when it crash-loops again').toEqual(['delete a']);
    },
  );

  test('S8 nor on news that it is gone', () => {
    const desk = opened();
    desk.pod('a');
    expect(desk.podGone('a')).toEqual(['withdraw a']);
    expect([...desk.answers('a', withdrawn), ...desk.wait(60_000)]).toEqual([]);
    expect(desk.context.pods).toEqual([]);
  });

  test('S8 news of an earlier window are none', () => {
    const desk = opened();
    desk.ringAtEnd();
    desk.down();
    desk.up();
    expect(desk.watch).toBe(2);
    expect([...desk.pod('a', 'crashLooping', { number: 1 }), ...desk.podGone('a', 1)]).toEqual([]);
    desk.pod('a');
    desk.fails('a');
    desk.podGone('a', 1);
    expect(desk.wait(10_000)).toEqual(['delete a']);
  });

  test('S8 a deletion that is under way from one window to the next is not asked for twice', () => {
    const desk = opened();
    desk.pods(['slow', 'lost']);
    expect(desk.ringAtEnd()).toEqual(['withdraw slow', 'withdraw lost', 'leave', 'say closed (0 deleted, 2 left)']);
    desk.down();
    desk.up();
    expect(desk.pods(['slow', 'lost'])).toEqual([]);
    desk.answers('slow');
    expect(desk.answers('lost', withdrawn)).toEqual([]);
    expect([...desk.pod('slow'), ...desk.ring()]).toEqual(['delete lost']);
  });
});

describe('7.3 a deletion that fails', () => {
  test('7.3 is repeated with back-off: from 1 s, doubling up to 30 s, the upper half left to chance', () => {
    const desk = opened();
    desk.pod('a');
    const longest = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
    for (const [index, wait] of waits(desk, () => desk.fails('a'), 8).entries()) {
      expect(wait).toBeGreaterThanOrEqual(longest[index]! / 2);
      expect(wait).toBeLessThanOrEqual(longest[index]!);
    }
  });

  test('7.3 L3 pods that failed together do not come back together, the same ones each time', () => {
    expect(new Set(retries(1)).size).toBeGreaterThan(6);
    expect(retries(1)).toEqual(retries(1));
    expect(retries(1)).not.toEqual(retries(2));
  });

  test.each([
    [20_000, 20_000],
    [3_600_000, 60_000],
  ])('7.3 429: it is left alone for a Retry-After of %d ms, for %d at most', (retryAfter, wait) => {
    const desk = opened();
    desk.pod('a');
    expect(waits(desk, () => desk.answers('a', throttled(retryAfter)), 2)).toEqual([wait, wait]);
  });

  test('7.3 429 without a Retry-After counts like other failures', () => {
    const desk = opened();
    desk.pod('a');
    const [first, second] = waits(desk, () => desk.answers('a', throttled()), 2);
    expect(first).toBeLessThanOrEqual(1_000);
    expect(second).toBeGreaterThanOrEqual(1_000);
  });

  test('7.3 where the pause outlasts the window, it is over', () => {
    const desk = opened();
    desk.now += 290_000;
    desk.pod('a');
    desk.answers('a', throttled(30_000));
    expect(desk.ring()).toEqual(['leave', 'say closed (0 deleted, 1 left)']);
    expect(desk.wait(60_000)).toEqual([]);
  });

  test('7.3 who may not write is told so at once, and does not ask in a circle', () => {
    const desk = opened();
    desk.pods(many(3));
    let asked = 0;
    for (let turns = 0; desk.state === 'recovering'; turns++) {
      expect(turns, 'it spins').toBeLessThan(10_000);
      for (const name of many(3))
        if (podOf(desk.context.pods, `uid-${name}`)?.deletion.step === 'asked') {
          asked++;
          desk.answers(name, withdrawn);
        }
      desk.ring();
    }
    expect(asked, 'each half a second at the most often').toBeLessThanOrEqual((3 * watchDuration) / 500);
    expect(asked, 'and it did not give up').toBeGreaterThanOrEqual((3 * watchDuration) / 1_000 - 3);
  });
});

describe('7.3 as many deletions under way as are allowed', () => {
  test('7.3 9.1 one more is held, said once, and goes as soon as another is answered, whatever the answer', () => {
    const answers: readonly DeletionAnswer[] = [
      { outcome: 'deleted' },
      { outcome: 'gone' },
      { outcome: 'replaced' },
      { outcome: 'deletedBefore' },
      { outcome: 'failed', reason: '500', detail: 'no' },
      throttled(60_000),
      withdrawn,
    ];
    const desk = full();
    expect(desk.pods(many(answers.length, 50))).toEqual(many(answers.length, 50).map((name) => `say held ${name}`));
    for (const [index, answer] of answers.entries())
      expect(desk.answers(`p${index + 1}`, answer)).toEqual([`delete p${index + 50}`]);
  });

  test('7.3 they go in the order in which they were told', () => {
    const desk = full();
    desk.pods(['z', 'a', 'm']);
    expect([...desk.answers('p1'), ...desk.answers('p2'), ...desk.answers('p3')]).toEqual([
      'delete z',
      'delete a',
      'delete m',
    ]);
  });

  test('7.3 those that are due again while nothing is free go when something is; time alone wakes nobody for them', () => {
    const desk = opened();
    desk.pod('again');
    desk.fails('again');
    desk.pods(many(mostDeletions));
    expect(desk.alarm! - desk.now, 'nothing is free').toBe(watchDuration);
    desk.now += 5_000;
    expect(desk.answers('p1')).toEqual(['delete again']);
  });

  test('7.3 a held pod that is gone, ends or is well again takes nothing', () => {
    const desk = full();
    desk.pods(['a', 'b', 'c', 'd']);
    desk.podGone('a');
    desk.pod('b', 'ending');
    desk.pod('c', 'fine');
    expect(desk.answers('p1')).toEqual(['delete d']);
    expect(desk.answers('p2')).toEqual([]);
  });

  // What that costs is told by `bench/broken-pods.ts`.
  test('7.3 3.4 of 1,500 broken pods each turn deletes what its answer made room for, and no more', () => {
    const desk = opened();
    const names = many(1_500);
    expect(desk.pods(names).filter((word) => word.startsWith('delete '))).toHaveLength(mostDeletions);
    for (const [index, name] of names.entries())
      expect(desk.answers(name, { outcome: 'deleted' })).toEqual(
        index + mostDeletions < names.length ? [`delete ${names[index + mostDeletions]}`] : [],
      );
    expect(desk.deletions.size).toBe(1_500);
  });

  test('7.3 none is lost: pods that go before the answer, relapses and windows give back what they took', () => {
    const desk = opened();
    for (let round = 0; round < 30; round++) {
      const names = many(mostDeletions, round * 100);
      expect(desk.pods(names)).toEqual(deletionsOf(names));
      if (round % 3 === 0) for (const name of names) desk.podGone(name);
      if (round % 5 === 0) desk.down();
      if (round % 10 === 0) desk.ringAtEnd();
      for (const name of names) desk.answers(name, round % 2 === 0 ? { outcome: 'deleted' } : { outcome: 'gone' });
      for (const name of names) desk.podGone(name);
      desk.up();
    }
    expect(desk.context.pods, 'and nothing is kept of them').toEqual([]);
  });

  test('7.3 the next window waits for what an earlier one has under way', () => {
    const desk = full();
    desk.ringAtEnd();
    desk.down();
    desk.up();
    expect(desk.pod('a')).toEqual(['say held a']);
    expect(desk.answers('p1')).toEqual(['delete a']);
  });
});

describe('L3 the machine is plain data', () => {
  /** A history in which every kind of thing happens, event by event. */
  const history: readonly ((desk: WeederDesk) => unknown)[] = [
    (desk) => desk.up(),
    (desk) => desk.pods(many(mostDeletions + 2)),
    (desk) => desk.answers('p1'),
    (desk) => desk.fails('p2'),
    (desk) => desk.answers('p3', throttled(2_000)),
    (desk) => desk.podGone('p4'),
    (desk) => desk.pod('p5', 'ending'),
    (desk) => desk.ring(),
    (desk) => desk.down(),
    (desk) => desk.answers('p6', withdrawn),
    (desk) => desk.answers('p4', { outcome: 'gone' }),
    (desk) => desk.up(),
    (desk) => desk.ring(),
    (desk) => desk.ringAtEnd(),
    (desk) => desk.answers('p7'),
    (desk) => desk.slices(unready),
    (desk) => desk.up(),
    (desk) => desk.pod('p8'),
    (desk) => desk.serviceGone(),
  ];

  test('L3 it goes on from what JSON holds of it as it would have, at every step', () => {
    const desk = new WeederDesk();
    const states = new Set<string>();
    for (const happen of history) {
      const { value, context } = desk.outcome.snapshot;
      const plain = JSON.parse(JSON.stringify({ value, context }));
      expect(plain).toEqual({ value, context });
      const restored = new WeederDesk();
      Object.assign(restored, { now: desk.now, watch: desk.watch, alarm: desk.alarm });
      for (const [name, deletion] of desk.deletions) restored.deletions.set(name, deletion);
      restored.outcome = { ...desk.outcome, snapshot: weederMachine.resolveState(plain) };
      happen(restored);
      happen(desk);
      expect([restored.state, restored.context]).toEqual([desk.state, desk.context]);
      expect(restored.outcome.commands).toEqual(desk.outcome.commands);
      expect(restored.outcome.notes).toEqual(desk.outcome.notes);
      states.add(desk.state);
    }
    expect(states).toEqual(new Set(['down', 'recovering', 'relapsed', 'settled']));
  });

  test('L3 the same snapshot and event give the same outcome', () => {
    const desk = opened();
    desk.pods(['a', 'b']);
    const { snapshot } = desk.outcome;
    const event = {
      type: 'deletion.answered',
      at: desk.now,
      askedAt: desk.now,
      asked: desk.deletions.get('a')!,
      answer: { outcome: 'failed', reason: '500', detail: 'no' },
    } as const;
    const [one, other] = [pureMachines.weeder.take(snapshot, event), pureMachines.weeder.take(snapshot, event)];
    expect(one.snapshot.context).toEqual(other.snapshot.context);
    expect(one.commands).toEqual(other.commands);
  });

  test('9.1 numbers are given once, to watches and deletions alike', () => {
    const desk = opened();
    const numbers: number[] = [desk.watch];
    for (let round = 0; round < 5; round++) {
      for (const name of many(3, round * 10)) {
        desk.pod(name);
        numbers.push(desk.deletions.get(name)!.number);
        desk.answers(name);
      }
      desk.ringAtEnd();
      desk.down();
      desk.up();
      numbers.push(desk.watch);
    }
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

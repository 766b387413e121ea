import { describe, expect, test } from 'vitest';
import { type DeletionAnswer, podOf } from '../../src/domain/weeder/pod-ledger.ts';
import { weederMachine } from '../../src/machines/weeder.ts';
import { mostDeletions } from '../../src/machines/weeder-window.ts';
import { WeederDriver, ready, unready, watchDuration } from '@dwd/testing/weeder-driver.ts';

const withdrawn: DeletionAnswer = { outcome: 'withdrawn' };
const throttled = (retryAfter?: number): DeletionAnswer =>
  retryAfter === undefined ? { outcome: 'throttled' } : { outcome: 'throttled', retryAfter };

const changed: DeletionAnswer = { outcome: 'failed', reason: 'conflict', detail: 'it is no longer as it was seen' };

/** The window was just opened. */
function opened(): WeederDriver {
  const driver = new WeederDriver();
  driver.up();
  return driver;
}

const endsIn = (driver: WeederDriver) => (driver.context.window?.endsAt ?? NaN) - driver.now;

const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `p${from + index}`);
const deletionsOf = (names: readonly string[]) => names.map((name) => `delete ${name}`);

/** As many deletions are under way as are allowed. */
function full(): WeederDriver {
  const driver = opened();
  expect(driver.pods(many(mostDeletions))).toEqual(deletionsOf(many(mostDeletions)));
  return driver;
}

/** How long the machine waits after each failure of the only pod. */
const waits = (driver: WeederDriver, answer: () => unknown, count: number) =>
  Array.from({ length: count }, () => {
    answer();
    const failedAt = driver.now;
    expect(driver.ring()).toEqual(['delete a']);
    return driver.now - failedAt;
  });

/** When each of eight deletions that failed in one instant is tried again, with this machine's chance. */
const retries = (chance: number) => {
  const driver = new WeederDriver({ chance });
  driver.up();
  driver.pods(many(8));
  for (const name of many(8)) driver.fails(name);
  return driver.context.pods.map(({ deletion }) => deletion.step === 'failed' && deletion.retryAt);
};

describe('7.2 the window', () => {
  test('7.2 opens when the service is first seen available, and lasts as long as configured', () => {
    const driver = new WeederDriver();
    expect(driver.alarm, 'nothing to wait for').toBeUndefined();
    expect(driver.up()).toEqual(['watch', 'say opened']);
    expect(driver.alarm).toBe(driver.now + watchDuration);
    expect(driver.wait(watchDuration - 1)).toEqual([]);
    expect(driver.wait(1)).toEqual(['leave', 'say closed (0 deleted, 0 left)']);
    expect([driver.state, driver.wakeAt]).toEqual(['settled', undefined]);
  });

  test('7.2 watches by every selector of the service', () => {
    const driver = new WeederDriver({ selectors: ['a', 'b,c'], watchDuration: 1_000 });
    driver.up();
    expect(driver.outcome.commands).toEqual([
      { type: 'watchPods', params: { number: driver.watch, selectors: ['a', 'b,c'] } },
      { type: 'wake', params: { at: driver.now + 1_000 } },
    ]);
  });

  test('7.1 7.2 is neither opened nor prolonged by slices that change while the service stays available', () => {
    const driver = opened();
    driver.now += 100_000;
    const told = [
      ...driver.slices({ ...ready, two: { ready: 0, endpoints: 3 } }),
      ...driver.slices({ two: { ready: 1, endpoints: 3 } }),
      ...driver.slices({ two: { ready: 3, endpoints: 3 }, three: { ready: 0, endpoints: 0 } }),
    ];
    expect([told, endsIn(driver)]).toEqual([[], 200_000]);
    driver.ringAtEnd();
    expect([...driver.up(), ...driver.slices({ two: { ready: 2, endpoints: 2 } })]).toEqual([]);
    expect(driver.state).toBe('settled');
  });

  test('7.2 begins anew with each recovery, on the same watch', () => {
    const driver = opened();
    for (let count = 0; count < 50; count++) {
      driver.now += 100_000;
      expect([...driver.down(), ...driver.up()]).toEqual(['say extended']);
      expect(endsIn(driver)).toBe(watchDuration);
    }
    expect(driver.watch).toBe(1);
    expect(driver.alarm).toBe(driver.now + watchDuration);
    expect(driver.ring()).toEqual(['leave', 'say closed (0 deleted, 0 left)']);
  });

  test('9.1 tells what came of it', () => {
    const driver = opened();
    driver.pods(['a', 'b', 'c', 'd', 'e']);
    driver.answers('a');
    driver.answers('b', { outcome: 'gone' });
    driver.answers('c', { outcome: 'deletedBefore' });
    driver.fails('d');
    driver.fails('e');
    driver.pod('e', 'fine');
    expect(driver.ringAtEnd()).toEqual(['leave', 'say closed (1 deleted, 1 left)']);
  });
});

describe('7.2 nothing is done while the service is down', () => {
  test('7.2 S8 pods that crash-loop meanwhile are deleted when it is back, in one turn', () => {
    const driver = opened();
    driver.down();
    expect([...driver.pods(['a', 'b', 'c']), ...driver.pod('b', 'fine'), ...driver.wait(10_000)]).toEqual([]);
    expect(driver.up()).toEqual(['delete a', 'delete c', 'say extended']);
  });

  test('7.3 after a failed deletion of the window before the first pause is all that holds it up when the service is back, and what the seed asked for (soak number 790374)', () => {
    const driver = opened();
    driver.pods(['a', 'b']);
    for (let failed = 0; failed < 6; failed++) {
      driver.fails('a');
      driver.answers('b', throttled(60_000));
      if (failed < 5) while (!driver.ring().includes('delete a'));
    }
    driver.down();
    driver.now += 1_000;
    expect(driver.up()).toEqual(['delete a', 'say extended']);
    driver.fails('a');
    const failedAt = driver.now;
    expect(driver.ring()).toEqual(['delete a']);
    expect(driver.now - failedAt).toBeLessThanOrEqual(1_000);
  });

  test('7.3 however often the service comes and goes, what is refused is not asked for more often than after the first pause', () => {
    const driver = opened();
    let asked = 0;
    let words = driver.pod('a');
    for (let flaps = 0; flaps < 600; flaps++) {
      if (words.includes('delete a')) {
        asked += 1;
        driver.fails('a');
      }
      driver.now += 50;
      driver.down();
      driver.now += 50;
      words = driver.up();
    }
    // In a minute; the pause is half a second to one.
    expect(asked).toBeGreaterThan(30);
    expect(asked).toBeLessThanOrEqual(120);
  });

  test('7.3 a pod that is refused as changed before and after the service was away is twice in a row no longer as it was seen', () => {
    const driver = opened();
    driver.pod('a');
    expect(driver.answers('a', changed)).toEqual([]);
    driver.down();
    driver.now += 1_000;
    expect(driver.up()).toContain('delete a');
    expect(driver.answers('a', changed)).toEqual(['list again']);
  });

  test('7.2 what waits to be sent is taken back, and asked for again soon after the return', () => {
    const driver = opened();
    driver.pods(['a', 'b']);
    expect(driver.down()).toEqual(['withdraw a', 'withdraw b']);
    driver.answers('a', withdrawn);
    driver.answers('b', withdrawn);
    expect(driver.alarm! - driver.now, 'only the end of the window').toBe(watchDuration);
    expect(driver.up()).toEqual(['say extended']);
    expect(driver.alarm! - driver.now).toBeLessThanOrEqual(1_000);
    expect([...driver.ring(), ...driver.ring()].toSorted()).toEqual(['delete a', 'delete b']);
  });
});

describe('7.3 S8 a pod is deleted', () => {
  test('S8 a deletion that is under way from one window to the next is not asked for twice', () => {
    const driver = opened();
    driver.pods(['slow', 'lost']);
    expect(driver.ringAtEnd()).toEqual(['withdraw slow', 'withdraw lost', 'leave', 'say closed (0 deleted, 2 left)']);
    driver.down();
    driver.up();
    expect(driver.pods(['slow', 'lost'])).toEqual([]);
    driver.answers('slow');
    expect(driver.answers('lost', withdrawn)).toEqual([]);
    expect([...driver.pod('slow'), ...driver.ring()]).toEqual(['delete lost']);
  });
});

describe('7.3 a deletion that fails', () => {
  test('7.3 is repeated with back-off: from 1 s, doubling up to 30 s, the upper half left to chance', () => {
    const driver = opened();
    driver.pod('a');
    const longest = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
    for (const [index, wait] of waits(driver, () => driver.fails('a'), 8).entries()) {
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
    const driver = opened();
    driver.pod('a');
    expect(waits(driver, () => driver.answers('a', throttled(retryAfter)), 2)).toEqual([wait, wait]);
  });

  test('7.3 429 without a Retry-After counts like other failures', () => {
    const driver = opened();
    driver.pod('a');
    const [first, second] = waits(driver, () => driver.answers('a', throttled()), 2);
    expect(first).toBeLessThanOrEqual(1_000);
    expect(second).toBeGreaterThanOrEqual(1_000);
  });

  test('7.3 a process that may not write gets that answer at once, and does not ask in a circle', () => {
    const driver = opened();
    driver.pods(many(3));
    let asked = 0;
    for (let turns = 0; driver.state === 'recovering'; turns++) {
      expect(turns, 'it spins').toBeLessThan(10_000);
      for (const name of many(3))
        if (podOf(driver.context.pods, `uid-${name}`)?.deletion.step === 'asked') {
          asked++;
          driver.answers(name, withdrawn);
        }
      driver.ring();
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
    const driver = full();
    expect(driver.pods(many(answers.length, 50))).toEqual(many(answers.length, 50).map((name) => `say held ${name}`));
    for (const [index, answer] of answers.entries())
      expect(driver.answers(`p${index + 1}`, answer)).toEqual([`delete p${index + 50}`]);
  });

  test('7.3 they go in the order of their news', () => {
    const driver = full();
    driver.pods(['z', 'a', 'm']);
    expect([...driver.answers('p1'), ...driver.answers('p2'), ...driver.answers('p3')]).toEqual([
      'delete z',
      'delete a',
      'delete m',
    ]);
  });

  test('7.3 those that are due again while nothing is free go when something is; time alone wakes nobody for them', () => {
    const driver = opened();
    driver.pod('again');
    driver.fails('again');
    driver.pods(many(mostDeletions));
    expect(driver.alarm! - driver.now, 'nothing is free').toBe(watchDuration);
    driver.now += 5_000;
    expect(driver.answers('p1')).toEqual(['delete again']);
  });

  test('7.3 a held pod that is gone, ends or is well again takes nothing', () => {
    const driver = full();
    driver.pods(['a', 'b', 'c', 'd']);
    driver.podGone('a');
    driver.pod('b', 'ending');
    driver.pod('c', 'fine');
    expect(driver.answers('p1')).toEqual(['delete d']);
    expect(driver.answers('p2')).toEqual([]);
  });

  test('7.3 3.4 of 1,500 broken pods each turn deletes what its answer made room for, and no more', () => {
    const driver = opened();
    const names = many(1_500);
    expect(driver.pods(names).filter((word) => word.startsWith('delete '))).toHaveLength(mostDeletions);
    for (const [index, name] of names.entries())
      expect(driver.answers(name, { outcome: 'deleted' })).toEqual(
        index + mostDeletions < names.length ? [`delete ${names[index + mostDeletions]}`] : [],
      );
    expect(driver.deletions.size).toBe(1_500);
  });

  test('7.3 none is lost: pods that go before the answer, relapses and windows give back what they took', () => {
    const driver = opened();
    for (let round = 0; round < 30; round++) {
      const names = many(mostDeletions, round * 100);
      expect(driver.pods(names)).toEqual(deletionsOf(names));
      if (round % 3 === 0) for (const name of names) driver.podGone(name);
      if (round % 5 === 0) driver.down();
      if (round % 10 === 0) driver.ringAtEnd();
      for (const name of names) driver.answers(name, round % 2 === 0 ? { outcome: 'deleted' } : { outcome: 'gone' });
      for (const name of names) driver.podGone(name);
      driver.up();
    }
    expect(driver.context.pods, 'and nothing is kept of them').toEqual([]);
  });
});

describe('L3 the machine is plain data', () => {
  /** A history in which every kind of thing happens, event by event. */
  const history: readonly ((driver: WeederDriver) => unknown)[] = [
    (driver) => driver.up(),
    (driver) => driver.pods(many(mostDeletions + 2)),
    (driver) => driver.answers('p1'),
    (driver) => driver.fails('p2'),
    (driver) => driver.answers('p3', throttled(2_000)),
    (driver) => driver.podGone('p4'),
    (driver) => driver.pod('p5', 'ending'),
    (driver) => driver.ring(),
    (driver) => driver.down(),
    (driver) => driver.answers('p6', withdrawn),
    (driver) => driver.answers('p4', { outcome: 'gone' }),
    (driver) => driver.up(),
    (driver) => driver.ring(),
    (driver) => driver.ringAtEnd(),
    (driver) => driver.answers('p7'),
    (driver) => driver.slices(unready),
    (driver) => driver.up(),
    (driver) => driver.pod('p8'),
    (driver) => driver.serviceGone(),
  ];

  test('L3 it goes on from what JSON holds of it as it would have, at every step', () => {
    const driver = new WeederDriver();
    const states = new Set<string>();
    for (const happen of history) {
      const { value, context } = driver.outcome.snapshot;
      const plain = JSON.parse(JSON.stringify({ value, context }));
      expect(plain).toEqual({ value, context });
      const restored = new WeederDriver();
      Object.assign(restored, { now: driver.now, watch: driver.watch, alarm: driver.alarm });
      for (const [name, deletion] of driver.deletions) restored.deletions.set(name, deletion);
      restored.outcome = { ...driver.outcome, snapshot: weederMachine.resolveState(plain) };
      happen(restored);
      happen(driver);
      expect([restored.state, restored.context]).toEqual([driver.state, driver.context]);
      expect(restored.outcome.commands).toEqual(driver.outcome.commands);
      expect(restored.outcome.notes).toEqual(driver.outcome.notes);
      states.add(driver.state);
    }
    expect(states).toEqual(new Set(['down', 'recovering', 'relapsed', 'settled']));
  });

  test('9.1 numbers are given once, to watches and deletions alike', () => {
    const driver = opened();
    const numbers: number[] = [driver.watch];
    for (let round = 0; round < 5; round++) {
      for (const name of many(3, round * 10)) {
        driver.pod(name);
        numbers.push(driver.deletions.get(name)!.number);
        driver.answers(name);
      }
      driver.ringAtEnd();
      driver.down();
      driver.up();
      numbers.push(driver.watch);
    }
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe('7.3 a pod that has changed unseen', () => {
  test('7.3 is listed again after the second refusal in a row, and after each second one from then on', () => {
    const driver = opened();
    driver.pod('a');
    const told = Array.from({ length: 5 }, () => [...driver.answers('a', changed), ...driver.ring()]);
    const again = ['list again', 'delete a'];
    expect(told).toEqual([['delete a'], again, ['delete a'], again, ['delete a']]);
  });

  test('7.3 is not listed again for another failure, nor for one refusal each of several pods, nor once the window is over', () => {
    const driver = opened();
    driver.pods(['a', 'b']);
    for (const answer of [changed, throttled(), changed]) {
      expect(driver.answers('a', answer)).toEqual([]);
      driver.ring();
    }
    expect(driver.answers('b', changed)).toEqual([]);
    driver.ringAtEnd();
    expect(driver.answers('a', changed)).toEqual([]);
  });

  test('7.3 goes by what the list shows: one that has recovered is left alone', () => {
    const driver = opened();
    driver.pod('a');
    driver.answers('a', changed);
    driver.ring();
    expect(driver.answers('a', changed)).toEqual(['list again']);
    driver.pod('a', 'fine');
    expect(driver.wait(120_000)).toEqual([]);
  });
});

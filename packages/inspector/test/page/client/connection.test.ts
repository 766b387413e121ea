import { describe, expect, test } from 'vitest';
import { connectionLost, connectionWords, lostRemedy, noStream } from '../../../page/client/connection.ts';
import { readPreferences } from '../../../page/client/preferences.ts';
import { hearBeginning, hearTime, serverNow } from '../../../page/client/server-time.ts';
import { createStore } from '../../../page/client/store.ts';

const told = (...pairs: readonly (readonly [server: number, browser: number])[]) =>
  pairs.reduce<ReturnType<typeof hearTime> | null>(
    (time, [server, browser]) => hearTime(time, { serverAt: server, browserAt: browser }),
    null,
  )!;

describe('a connection is told in words', () => {
  test('a lost one keeps the instant at which it was lost, through all tries', () => {
    const first = connectionLost({ state: 'open' }, 1_000);
    const third = connectionLost(connectionLost({ ...first, because: '503' }, 5_000), 9_000);
    expect(third).toEqual({ state: 'lost', since: 1_000, tries: 3, because: '503' });
    expect(connectionLost({ state: 'open' }, 20_000)).toEqual({
      state: 'lost',
      since: 20_000,
      tries: 1,
      because: null,
    });
  });

  test.each([
    [connectionWords({ state: 'connecting' }, ''), 'connecting'],
    [connectionWords({ state: 'open' }, ''), 'live'],
    [connectionWords({ state: 'complete' }, ''), 'from files'],
    [
      connectionWords({ state: 'lost', since: 0, tries: 1, because: null }, '12:00:44'),
      'connection lost since 12:00:44, trying again',
    ],
  ])('%s', (words, expected) => {
    expect(words).toBe(expected);
  });

  test('and says what to do', () => {
    expect(lostRemedy(null)).toContain('kubectl port-forward');
    expect(lostRemedy('503 too many readers')).toMatch(/503 too many readers.*from before/);
    expect(lostRemedy(noStream)).toMatch(/Close another page/);
    expect(lostRemedy(noStream)).not.toMatch(/from before/);
  });
});

const begun = (before: ReturnType<typeof told> | null, serverAt: number, browserAt: number) =>
  hearBeginning(before, { serverAt, browserAt });

describe('what time it is at the server', () => {
  test.each<[string, ReturnType<typeof told>, number, number]>([
    ['goes on from its last word', told([50_000, 0]), 1_500, 51_500],
    ['is not measured over an instant', told([50_000, 0], [50_900, 500]), 1_500, 51_900],
    ['is as fast as it is here where it nearly is', told([50_000, 0], [60_200, 10_000]), 11_000, 61_200],
    ['runs as fast as a simulated seed does', told([50_000, 0], [90_000, 10_000]), 11_000, 94_000],
    ['begins afresh when this machine’s clock was set back', told([50_000, 10_000], [60_000, 0]), 1_000, 61_000],
    ['begins afresh when it leaps', told([50_000, 0], [90_000_000, 3_000]), 4_000, 90_001_000],
    ['never goes back', told([50_000, 10_000]), 9_000, 50_000],
    ['begins with the best there is', begun(null, 50_000, 0), 1_500, 51_500],
    [
      'is not measured by that',
      hearTime(begun(null, 40_000, 0), { serverAt: 53_000, browserAt: 3_000 }),
      4_000,
      54_000,
    ],
    ['does not go back when a stream begins again', begun(told([50_000, 0]), 48_000, 1_000), 2_000, 52_000],
    ['is another one when the program is another one', begun(told([50_000_000, 0]), 48_000, 1_000), 2_000, 49_000],
    ['and so when that one is ahead', begun(told([50_000, 0]), 70_000, 1_000), 2_000, 71_000],
  ])('%s', (_, time, browserAt, expected) => {
    expect(serverNow(time, browserAt)).toBe(expected);
  });
});

test.each([
  [null, { zone: 'utc', theme: 'system' }],
  ['{"zone":"local","theme":"dark"}', { zone: 'local', theme: 'dark' }],
  ['{"zone":"mars","theme":7}', { zone: 'utc', theme: 'system' }],
  ['{', { zone: 'utc', theme: 'system' }],
  ['null', { zone: 'utc', theme: 'system' }],
])('what was remembered as %s is read', (text, preferences) => {
  expect(readPreferences(text)).toEqual(preferences);
});

test('a store tells its listeners of changes, and of nothing else, until they leave', () => {
  const store = createStore(1);
  let heard = 0;
  const leave = store.subscribe(() => (heard += 1));
  store.set(1);
  store.set(2);
  leave();
  store.set(3);
  expect([store.get(), heard]).toEqual([3, 1]);
});

import { describe, expect, test } from 'vitest';
import type { DeletionAnswer } from '../../src/domain/weeder/pod-ledger.ts';
import type { WeederState } from '../../src/machines/weeder-language.ts';
import { WeederDriver, ready, readyAnew, unready } from '@dwd/testing/weeder-driver.ts';

/**
 * Each state as a plain history leads to it. It is in the second window, or after it: the deletion of `asked` is
 * under way, the deletion of `failed` must be tried again, `done` is deleted but not gone yet, and `well` no longer crash-loops.
 */
const reach: Record<WeederState, () => WeederDriver> = {
  recovering: () => {
    const driver = new WeederDriver();
    driver.up();
    driver.ringAtEnd();
    driver.down();
    driver.up();
    driver.pods(['asked', 'failed', 'done', 'well']);
    driver.answers('done');
    driver.fails('well');
    driver.pod('well', 'fine');
    driver.fails('failed');
    return driver;
  },
  relapsed: () => told(reach.recovering(), (driver) => driver.down()),
  settled: () => told(reach.recovering(), (driver) => driver.ringAtEnd()),
  down: () => told(reach.relapsed(), (driver) => driver.ringAtEnd()),
};

function told(driver: WeederDriver, ...happenings: readonly ((driver: WeederDriver) => unknown)[]): WeederDriver {
  for (const happen of happenings) happen(driver);
  return driver;
}

const answers: { readonly [Outcome in DeletionAnswer['outcome']]: Extract<DeletionAnswer, { outcome: Outcome }> } = {
  deleted: { outcome: 'deleted' },
  gone: { outcome: 'gone' },
  replaced: { outcome: 'replaced' },
  deletedBefore: { outcome: 'deletedBefore' },
  withdrawn: { outcome: 'withdrawn' },
  throttled: { outcome: 'throttled', retryAfter: 7_000 },
  failed: { outcome: 'failed', reason: '403', detail: 'no' },
};

const moved = { two: { ready: 1, endpoints: 1, readyHash: 1 } };
const half = { one: { ready: 0, endpoints: 1 }, two: { ready: 1, endpoints: 1, readyHash: 1 } };

type Way = (driver: WeederDriver) => readonly string[];

/** The deletion under way is answered. After every back-off the test sees whether the machine asks for it again. */
const answered =
  (answer: DeletionAnswer): Way =>
  (driver) => [...driver.answers('asked', answer), ...driver.wait(10_000)];

/** With the number of a deletion that was answered before: nobody waits for it any more. */
const answeredLate =
  (answer: DeletionAnswer): Way =>
  (driver) => [...driver.answers('asked', answer, driver.deletions.get('done')!.number), ...driver.wait(10_000)];

/** Ways from which nothing follows, whatever the state. */
const silent = {
  'slices: unchanged': (driver) => driver.slices(driver.context.slices),
  'woken early': (driver) => driver.wait(1),
  // S8: within the window, and not after it.
  'pod crash-loops at the end': (driver) => {
    driver.now = driver.context.window?.endsAt ?? driver.now;
    return driver.pod('new');
  },
  'pod is fine': (driver) => driver.pod('new', 'fine'),
  'pod ends': (driver) => driver.pod('new', 'ending'),
  'pod of an earlier window crash-loops': (driver) => driver.pod('new', 'waiting', { number: 1 }),
  'pod of an earlier window is gone': (driver) => driver.podGone('failed', 1),
  'pod asked for crash-loops': (driver) => driver.pod('asked'),
  // 7.3: news of the pod do not shorten the back-off.
  'pod not deleted crash-loops': (driver) => driver.pod('failed'),
  // 7.3: it is being deleted already.
  'pod not deleted ends': (driver) => [...driver.pod('failed', 'ending'), ...driver.wait(1_000)],
  'pod not deleted is gone': (driver) => [...driver.podGone('failed'), ...driver.wait(1_000)],
  // S8: once for each incarnation.
  'pod deleted crash-loops': (driver) => driver.pod('done'),
  'pod deleted is gone': (driver) => driver.podGone('done'),
} as const satisfies Record<string, Way>;

/** Each way in which the world can speak to a weeder's machine. */
const ways = {
  'slices: available': (driver) => driver.slices(ready),
  'slices: available in another slice': (driver) => driver.slices(moved),
  'slices: available in one of two': (driver) => driver.slices(half),
  'slices: available after every pause': (driver) => {
    driver.now += 10_000;
    return driver.up();
  },
  'slices: down': (driver) => driver.slices(unready),
  'slices: none': (driver) => driver.slices({}),
  'slices: empty': (driver) => driver.slices({ one: { ready: 0, endpoints: 0 } }),
  'slices: down and available': (driver) => [...driver.down(), ...driver.up()],
  'slices: listed after a short gap, as they were': (driver) => driver.listed(ready, 10_000),
  'slices: listed after a short gap, with other endpoints': (driver) => driver.listed(readyAnew, 1),
  'slices: listed after a long gap, as they were': (driver) => driver.listed(ready, 10_001),
  'slices: listed in a restored seed': (driver) => driver.slices(ready, { since: driver.now, rewound: true }),
  'slices: listed after a long gap, down': (driver) => driver.listed(unready, 60_000),
  'service gone': (driver) => driver.serviceGone(),
  'woken when a deletion is due again': (driver) => driver.wait(1_000),
  'woken at the end': (driver) => driver.ringAtEnd(),
  'woken long after the end': (driver) => driver.wait(3_600_000),

  'pod crash-loops': (driver) => driver.pod('new'),
  'pod asked for is fine': (driver) => driver.pod('asked', 'fine'),
  'pod asked for ends': (driver) => driver.pod('asked', 'ending'),
  'pod asked for ends, and is gone': (driver) => [...driver.pod('asked', 'ending'), ...driver.podGone('asked')],
  'pod asked for is gone': (driver) => driver.podGone('asked'),
  'pod asked for is replaced': (driver) => driver.pod('asked', 'waiting', { uid: 'another' }),
  'pod not deleted crash-loops when it is due again': (driver) => {
    driver.now += 1_000;
    return driver.pod('failed');
  },
  'pod not deleted crash-loops once more': (driver) => {
    driver.now += 1_000;
    return driver.pod('well');
  },

  'deletion: deleted': answered(answers.deleted),
  'deletion: gone': answered(answers.gone),
  'deletion: replaced': answered(answers.replaced),
  'deletion: deletedBefore': answered(answers.deletedBefore),
  'deletion: withdrawn': answered(answers.withdrawn),
  'deletion: throttled': answered(answers.throttled),
  'deletion: failed': answered(answers.failed),
  'late deletion: deleted': answeredLate(answers.deleted),
  'late deletion: gone': answeredLate(answers.gone),
  'late deletion: replaced': answeredLate(answers.replaced),
  'late deletion: deletedBefore': answeredLate(answers.deletedBefore),
  'late deletion: withdrawn': answeredLate(answers.withdrawn),
  'late deletion: throttled': answeredLate(answers.throttled),
  'late deletion: failed': answeredLate(answers.failed),
} as const satisfies Record<string, Way> & Record<`${'' | 'late '}deletion: ${DeletionAnswer['outcome']}`, Way>;

/** The next state, and the commands and notes on the way; the walk checks `wake`. */
type Cell = WeederState | `${WeederState}: ${string}`;

type Row = Record<keyof typeof ways, Cell>;

type Answered = Extract<keyof typeof ways, `${string}deletion: ${string}`>;

/** Outside of `recovering` the machine records the answer to a deletion that was under way, and nothing follows from it. */
function noDeletionFollows(state: WeederState): Record<Answered, Cell> {
  const answered = Object.keys(ways).filter((way) => way.includes('deletion: '));
  return Object.fromEntries(answered.map((way) => [way, state])) as Record<Answered, Cell>;
}

const table: Record<WeederState, Row> = {
  down: {
    // 7.2: it is back.
    'slices: available': 'recovering: watch, say opened',
    'slices: available in another slice': 'recovering: watch, say opened',
    'slices: available in one of two': 'recovering: watch, say opened',
    'slices: available after every pause': 'recovering: watch, say opened',
    'slices: down': 'down',
    'slices: none': 'down',
    'slices: empty': 'down',
    'slices: down and available': 'recovering: watch, say opened',
    'slices: listed after a short gap, as they were': 'recovering: watch, say opened',
    'slices: listed after a short gap, with other endpoints': 'recovering: watch, say opened',
    'slices: listed after a long gap, as they were': 'recovering: watch, say opened',
    'slices: listed in a restored seed': 'recovering: watch, say opened',
    'slices: listed after a long gap, down': 'down',
    'service gone': 'down',
    'woken when a deletion is due again': 'down',
    'woken at the end': 'down',
    'woken long after the end': 'down',
    'pod crash-loops': 'down',
    'pod asked for is fine': 'down',
    'pod asked for ends': 'down',
    'pod asked for ends, and is gone': 'down',
    'pod asked for is gone': 'down',
    'pod asked for is replaced': 'down',
    'pod not deleted crash-loops when it is due again': 'down',
    'pod not deleted crash-loops once more': 'down',
    ...noDeletionFollows('down'),
  },

  recovering: {
    // 7.2: it was available already, so the time does not start again.
    'slices: available': 'recovering',
    'slices: available in another slice': 'recovering',
    'slices: available in one of two': 'recovering',
    'slices: available after every pause': 'recovering',
    // 7.2: the weeder does nothing while the service is down; the watch stays open.
    'slices: down': 'relapsed: withdraw asked',
    'slices: none': 'relapsed: withdraw asked',
    'slices: empty': 'relapsed: withdraw asked',
    'slices: down and available': 'recovering: withdraw asked, say extended',
    // 7.2: it may have been down while nobody looked.
    'slices: listed after a short gap, as they were': 'recovering',
    'slices: listed after a short gap, with other endpoints': 'recovering: say extended',
    'slices: listed after a long gap, as they were': 'recovering: say extended',
    'slices: listed in a restored seed': 'recovering: say extended',
    'slices: listed after a long gap, down': 'relapsed: withdraw asked',
    'service gone': 'down: withdraw asked, leave, say closed (1 deleted, 2 left)',
    'woken when a deletion is due again': 'recovering: delete failed',
    'woken at the end': 'settled: withdraw asked, leave, say closed (1 deleted, 2 left)',
    'woken long after the end': 'settled: withdraw asked, leave, say closed (1 deleted, 2 left)',
    'pod crash-loops': 'recovering: delete new',
    // S8: it must not be deleted on old news.
    'pod asked for is fine': 'recovering: withdraw asked',
    'pod asked for ends': 'recovering: withdraw asked',
    'pod asked for ends, and is gone': 'recovering: withdraw asked',
    'pod asked for is gone': 'recovering: withdraw asked',
    // S8: another incarnation.
    'pod asked for is replaced': 'recovering: delete asked',
    'pod not deleted crash-loops when it is due again': 'recovering: delete failed',
    'pod not deleted crash-loops once more': 'recovering: delete failed, delete well',
    // S8 7.3: a pod that needs no further deletion is not asked for again; a failed deletion is.
    'deletion: deleted': 'recovering: delete failed',
    'deletion: gone': 'recovering: delete failed',
    'deletion: replaced': 'recovering: delete failed',
    'deletion: deletedBefore': 'recovering: delete failed',
    'deletion: withdrawn': 'recovering: delete asked, delete failed',
    'deletion: throttled': 'recovering: delete asked, delete failed',
    'deletion: failed': 'recovering: delete asked, delete failed',
    'late deletion: deleted': 'recovering: delete failed',
    'late deletion: gone': 'recovering: delete failed',
    'late deletion: replaced': 'recovering: delete failed',
    'late deletion: deletedBefore': 'recovering: delete failed',
    'late deletion: withdrawn': 'recovering: delete failed',
    'late deletion: throttled': 'recovering: delete failed',
    'late deletion: failed': 'recovering: delete failed',
  },

  relapsed: {
    // 7.2: the time starts again; the back-off after a failure is not over yet.
    'slices: available': 'recovering: say extended',
    'slices: available in another slice': 'recovering: say extended',
    'slices: available in one of two': 'recovering: say extended',
    'slices: available after every pause': 'recovering: delete failed, say extended',
    'slices: down': 'relapsed',
    'slices: none': 'relapsed',
    'slices: empty': 'relapsed',
    'slices: down and available': 'recovering: say extended',
    'slices: listed after a short gap, as they were': 'recovering: say extended',
    'slices: listed after a short gap, with other endpoints': 'recovering: say extended',
    'slices: listed after a long gap, as they were': 'recovering: say extended',
    'slices: listed in a restored seed': 'recovering: say extended',
    'slices: listed after a long gap, down': 'relapsed',
    'service gone': 'down: withdraw asked, leave, say closed (1 deleted, 2 left)',
    // 7.2: the weeder does nothing while the service is down.
    'woken when a deletion is due again': 'relapsed',
    'woken at the end': 'down: withdraw asked, leave, say closed (1 deleted, 2 left)',
    'woken long after the end': 'down: withdraw asked, leave, say closed (1 deleted, 2 left)',
    'pod crash-loops': 'relapsed',
    'pod asked for is fine': 'relapsed: withdraw asked',
    'pod asked for ends': 'relapsed: withdraw asked',
    'pod asked for ends, and is gone': 'relapsed: withdraw asked',
    'pod asked for is gone': 'relapsed: withdraw asked',
    'pod asked for is replaced': 'relapsed',
    'pod not deleted crash-loops when it is due again': 'relapsed',
    'pod not deleted crash-loops once more': 'relapsed',
    ...noDeletionFollows('relapsed'),
  },

  settled: {
    'slices: available': 'settled',
    'slices: available in another slice': 'settled',
    'slices: available in one of two': 'settled',
    'slices: available after every pause': 'settled',
    'slices: down': 'down',
    'slices: none': 'down',
    'slices: empty': 'down',
    // 7.2: a new window.
    'slices: down and available': 'recovering: watch, say opened',
    // 7.2: it may have been down while nobody looked.
    'slices: listed after a short gap, as they were': 'settled',
    'slices: listed after a short gap, with other endpoints': 'recovering: watch, say opened',
    'slices: listed after a long gap, as they were': 'recovering: watch, say opened',
    'slices: listed in a restored seed': 'recovering: watch, say opened',
    'slices: listed after a long gap, down': 'down',
    'service gone': 'down',
    'woken when a deletion is due again': 'settled',
    'woken at the end': 'settled',
    'woken long after the end': 'settled',
    // S8: never outside of a window.
    'pod crash-loops': 'settled',
    'pod asked for is fine': 'settled',
    'pod asked for ends': 'settled',
    'pod asked for ends, and is gone': 'settled',
    'pod asked for is gone': 'settled',
    'pod asked for is replaced': 'settled',
    'pod not deleted crash-loops when it is due again': 'settled',
    'pod not deleted crash-loops once more': 'settled',
    ...noDeletionFollows('settled'),
  },
};

describe.each(Object.keys(table) as WeederState[])('S8 7.1 7.2 7.3 when the service is %s', (state) => {
  const cells: Readonly<Record<string, Cell>> = table[state];
  test.each(Object.entries({ ...silent, ...ways }))('%s', (way, play) => {
    const driver = reach[state]();
    expect(driver.state, 'the history leads elsewhere').toBe(state);
    const words = play(driver);
    expect(words.length === 0 ? driver.state : `${driver.state}: ${words.join(', ')}`).toBe(cells[way] ?? state);
    // No path forgets to be woken: the pending wake comes at the instant that the new state waits for, or before it.
    expect(driver.alarm ?? Infinity).toBeLessThanOrEqual(driver.wakeAt ?? Infinity);
    // And no machine is woken again and again in one instant.
    if (driver.wakeAt !== undefined && driver.wakeAt <= driver.now) driver.ring();
    expect(driver.wakeAt ?? Infinity).toBeGreaterThan(driver.now);
  });
});

test('7.3 the pods that an owner makes again wait, until their pause is over or the service is back anew', () => {
  const driver = new WeederDriver();
  driver.up();
  expect(driver.pod('one', 'waiting', { owner: 'o', createdAt: driver.now - 60_000 })).toEqual(['delete one']);
  driver.answers('one');
  const createdAt = driver.now + 1_000;
  expect(driver.pod('two', 'waiting', { owner: 'o', createdAt })).toEqual(['say spared two (pause)']);
  expect(driver.wakeAt).toBe(driver.now + 30_000);
  expect(driver.listed(ready, 60_000)).toEqual(['delete two', 'say extended']);
  expect(driver.pod('still', 'waiting', { spared: 'mirror' })).toEqual(['say spared still (mirror)']);
});

import { expect, test } from 'vitest';
import {
  stepStream,
  streamStart,
  type StreamFact,
  type StreamState,
  type StreamTrouble,
} from '../../src/adapters/reflector/stream-state.ts';

const at = 1_000_000;
const chance = 0;
const listing: StreamState = { doing: 'listing', page: 'p', failures: 0, trust: 'live' };
const watching: StreamState = {
  doing: 'watching',
  resourceVersion: '5',
  fresh: false,
  openedAt: at - 60_000,
  failures: 0,
  trust: 'live',
};
const unopened: StreamState = { ...watching, openedAt: undefined };
const resting: StreamState = { doing: 'resting', until: at, resourceVersion: '5', failures: 2, trust: 'out' };

const failed = (why: StreamTrouble, retryAfter?: number): StreamFact => ({
  type: 'failed',
  at,
  why,
  problem: '',
  reason: '',
  retryAfter,
});
const ended: StreamFact = { type: 'ended', at };
const lastPage: StreamFact = { type: 'listed', at, page: '', resourceVersion: '7' };

type Row = readonly [string, StreamState, StreamFact, Partial<StreamState> | 'unchanged'];

const resumed = { doing: 'watching', resourceVersion: '5', openedAt: undefined, trust: 'live' } as const;
const relist = { doing: 'listing', page: '' } as const;

// Every state with every fact: no cell is left out, and a fact that does not belong there changes nothing.
const table: readonly Row[] = [
  [
    'listing, a page',
    listing,
    { type: 'listed', at, page: 'q', resourceVersion: '7' },
    { doing: 'listing', page: 'q' },
  ],
  [
    'listing, the last page',
    listing,
    lastPage,
    { doing: 'watching', resourceVersion: '7', fresh: true, trust: 'live' },
  ],
  ['listing, late', listing, { type: 'late', at }, { doing: 'listing', page: 'p', trust: 'out' }],
  ['listing, opened', listing, { type: 'opened', at }, 'unchanged'],
  ['listing, advanced', listing, { type: 'advanced', at, resourceVersion: '9' }, 'unchanged'],
  ['listing, ended', listing, ended, 'unchanged'],
  ['listing, rested', listing, { type: 'rested', at }, 'unchanged'],
  [
    'listing, failed',
    listing,
    failed('failed'),
    { doing: 'resting', resourceVersion: undefined, failures: 1, trust: 'out' },
  ],
  ['listing, refused', listing, failed('refused'), { doing: 'resting', resourceVersion: undefined, trust: 'refused' }],
  ['listing, its page expired', listing, failed('expired'), { ...relist, failures: 1, trust: 'live' }],
  [
    'listing, its page expired again',
    { ...listing, failures: 1 },
    failed('expired'),
    { doing: 'resting', trust: 'out' },
  ],

  ['watching, listed', watching, lastPage, 'unchanged'],
  ['watching, late though open', watching, { type: 'late', at }, 'unchanged'],
  ['watching, late to open', unopened, { type: 'late', at }, { doing: 'watching', resourceVersion: '5', trust: 'out' }],
  ['watching, late to open while refused', { ...unopened, trust: 'refused' }, { type: 'late', at }, 'unchanged'],
  ['watching, opened', { ...unopened, trust: 'out' }, { type: 'opened', at }, { openedAt: at, trust: 'live' }],
  ['watching, opened again', watching, { type: 'opened', at }, 'unchanged'],
  [
    'watching, advanced',
    watching,
    { type: 'advanced', at, resourceVersion: '9' },
    { ...watching, resourceVersion: '9' },
  ],
  ['watching, rested', watching, { type: 'rested', at }, 'unchanged'],
  ['watching, ended in good order', watching, ended, { ...resumed, failures: 0 }],
  ['watching, ended soon', { ...watching, openedAt: at - 9_000 }, ended, { ...resumed, failures: 1 }],
  [
    'watching, ended soon again',
    { ...watching, openedAt: at - 9_000, failures: 1 },
    ended,
    { doing: 'resting', trust: 'out' },
  ],
  ['watching, cut', watching, failed('failed'), { ...resumed, failures: 1 }],
  ['watching, silent', watching, failed('silent'), { ...relist, failures: 1, trust: 'live' }],
  [
    'watching, silent before it opened',
    unopened,
    failed('silent'),
    { doing: 'resting', resourceVersion: undefined, trust: 'out' },
  ],
  [
    'watching, cut soon again',
    { ...watching, openedAt: at - 1, failures: 1 },
    failed('failed'),
    { doing: 'resting', resourceVersion: '5', failures: 2, trust: 'out' },
  ],
  [
    'watching, not even opened',
    unopened,
    failed('failed'),
    { doing: 'resting', resourceVersion: undefined, failures: 1, trust: 'out' },
  ],
  [
    'watching, asked to wait before it opened',
    unopened,
    failed('failed', 1_000),
    { doing: 'resting', resourceVersion: '5', failures: 1, trust: 'out' },
  ],
  [
    'watching, refused',
    unopened,
    failed('refused'),
    { doing: 'resting', resourceVersion: undefined, trust: 'refused' },
  ],
  [
    'watching, not opened four times',
    { ...unopened, failures: 3 },
    failed('failed', 1_000),
    { doing: 'resting', resourceVersion: undefined, failures: 4 },
  ],
  ['watching, expired', watching, failed('expired'), { ...relist, failures: 1, trust: 'live' }],
  [
    'watching, expired after an outage',
    { ...unopened, failures: 5, trust: 'out' },
    failed('expired'),
    { ...relist, failures: 6, trust: 'out' },
  ],
  [
    'watching, expired right after a list',
    { ...unopened, fresh: true, failures: 1 },
    failed('expired'),
    { doing: 'resting', resourceVersion: undefined },
  ],
  ['watching, garbled', watching, failed('garbled'), { ...relist, failures: 1, trust: 'live' }],
  [
    'watching, garbled again',
    { ...watching, openedAt: at, failures: 1 },
    failed('garbled'),
    { doing: 'resting', resourceVersion: undefined, trust: 'out' },
  ],
  ['watching, a bug', watching, failed('bug'), { ...relist, failures: 1 }],

  ['resting, listed', resting, lastPage, 'unchanged'],
  ['resting, late', resting, { type: 'late', at }, 'unchanged'],
  ['resting, opened', resting, { type: 'opened', at }, 'unchanged'],
  ['resting, advanced', resting, { type: 'advanced', at, resourceVersion: '9' }, 'unchanged'],
  ['resting, ended', resting, ended, 'unchanged'],
  ['resting, failed', resting, failed('failed'), 'unchanged'],
  [
    'resting, rested',
    resting,
    { type: 'rested', at },
    { doing: 'watching', resourceVersion: '5', fresh: false, failures: 2, trust: 'out' },
  ],
  [
    'resting before a list, rested',
    { ...resting, resourceVersion: undefined },
    { type: 'rested', at },
    { ...relist, failures: 2, trust: 'out' },
  ],
];

test.each(table)('6.6 %s', (_, state, fact, expected) => {
  expect(stepStream(state, fact, chance)).toMatchObject(expected === 'unchanged' ? state : expected);
});

test('6.6 the first list is live at once, a list after an outage only when its watch has opened', () => {
  expect(stepStream(streamStart, lastPage, chance).trust).toBe('live');
  const relisted = stepStream({ ...streamStart, trust: 'out' }, lastPage, chance);
  expect(relisted.trust).toBe('out');
  expect(stepStream(relisted, { type: 'opened', at }, chance).trust).toBe('live');
});

/** How long a stream rests after so many failures in a row. */
function backoffAfter(failures: number, drawn: number, retryAfter?: number): number {
  const state = stepStream({ ...unopened, failures: failures - 1 }, failed('failed', retryAfter), drawn);
  return state.doing === 'resting' ? state.until - at : 0;
}

test('6.6 the pause after a failure doubles from less than a second to half a minute, and chance takes up to half of it', () => {
  const whole = [1, 2, 3, 4, 5, 6, 7, 20].map((failures) => backoffAfter(failures, 1));
  expect(whole).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
  expect(backoffAfter(3, 0)).toBe(1_600);
  expect(backoffAfter(1_000, 0.5)).toBe(22_500);
});

test.each([
  [undefined, 400],
  [3_000, 3_000],
  [3_600_000, 60_000],
])('6.6 a seed that asks for a pause of %s ms is left alone for %s ms', (retryAfter, pause) => {
  expect(stepStream(unopened, failed('failed', retryAfter), chance)).toMatchObject({ until: at + pause });
});

test('6.6 a seed that asks for a pause of a second is left alone for longer and longer all the same', () => {
  const failures = [2, 4, 6];
  const pauses = failures.map((count) => backoffAfter(count, chance, 1_000));
  expect(pauses).toEqual(failures.map((count) => Math.max(1_000, backoffAfter(count, chance))));
  expect(backoffAfter(2, chance)).toBeLessThan(1_000);
});

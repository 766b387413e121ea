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
const listing: StreamState = { doing: 'listing', page: 'p', whole: false, failures: 0, trust: 'live' };
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
const lastPage = { type: 'listed', at, page: '', resourceVersion: '7' } as const;

type Row = readonly [string, StreamState, StreamFact, Partial<StreamState> | 'unchanged'];

const resumed = { doing: 'watching', resourceVersion: '5', openedAt: undefined, trust: 'live' } as const;
const relist = { doing: 'listing', page: '', whole: false } as const;
const whole = { doing: 'listing', page: '', whole: true } as const;
/** It rests, and then lists, or watches from a version; nobody relies on it meanwhile. */
const rests = (failures: number, resourceVersion?: string) =>
  ({ doing: 'resting', resourceVersion, failures, trust: 'out' }) as const;
const refused = { ...rests(1), trust: 'refused' } as const;
const late: StreamFact = { type: 'late', at };
const opened: StreamFact = { type: 'opened', at };
const rested: StreamFact = { type: 'rested', at };
const advanced: StreamFact = { type: 'advanced', at, resourceVersion: '9' };
const openedAgo = (length: number, failures = 0): StreamState => ({ ...watching, openedAt: at - length, failures });
const unopenedAfter = (failures: number): StreamState => ({ ...unopened, failures });

// Every state with every fact: no cell is left out, and a fact that does not belong there changes nothing.
const table: readonly Row[] = [
  ['listing, a page', listing, { ...lastPage, page: 'q' }, { doing: 'listing', page: 'q', whole: false }],
  ['listing, the last page', listing, lastPage, { ...resumed, resourceVersion: '7', fresh: true }],
  ['listing, late', listing, late, { doing: 'listing', page: 'p', whole: false, trust: 'out' }],
  ['listing, opened', listing, opened, 'unchanged'],
  ['listing, advanced', listing, advanced, 'unchanged'],
  ['listing, ended', listing, ended, 'unchanged'],
  ['listing, rested', listing, rested, 'unchanged'],
  ['listing, failed', listing, failed('failed'), rests(1)],
  ['listing, refused', listing, failed('refused'), refused],
  ['listing, its page expired', listing, failed('expired'), { ...whole, failures: 1, trust: 'live' }],
  ['listing, its page expired again', { ...listing, failures: 1 }, failed('expired'), { ...whole, failures: 2 }],
  ['listing, its first page expired', { ...listing, page: '' }, failed('expired'), rests(1)],
  ['listing all in one, which expired', { ...listing, ...whole }, failed('expired'), rests(1)],

  ['watching, listed', watching, lastPage, 'unchanged'],
  ['watching, late though open', watching, late, 'unchanged'],
  ['watching, late to open', unopened, late, { doing: 'watching', resourceVersion: '5', trust: 'out' }],
  ['watching, late to open while refused', { ...unopened, trust: 'refused' }, late, 'unchanged'],
  ['watching, opened', { ...unopened, trust: 'out' }, opened, { openedAt: at, trust: 'live' }],
  ['watching, opened again', watching, opened, 'unchanged'],
  ['watching, advanced', watching, advanced, { ...watching, resourceVersion: '9' }],
  ['watching, rested', watching, rested, 'unchanged'],
  ['watching, ended in good order', watching, ended, { ...resumed, failures: 0 }],
  ['watching, ended soon', openedAgo(9_000), ended, { ...resumed, failures: 1 }],
  ['watching, ended soon again', openedAgo(9_000, 1), ended, { doing: 'resting', trust: 'out' }],
  ['watching, cut', watching, failed('failed'), { ...resumed, failures: 1 }],
  ['watching, silent', watching, failed('silent'), { ...relist, failures: 1, trust: 'live' }],
  ['watching, silent before it opened', unopened, failed('silent'), rests(1)],
  ['watching, cut soon again', openedAgo(1, 1), failed('failed'), rests(2, '5')],
  ['watching, not even opened', unopened, failed('failed'), rests(1)],
  ['watching, asked to wait before it opened', unopened, failed('failed', 1_000), rests(1, '5')],
  ['watching, refused', unopened, failed('refused'), refused],
  ['watching, not opened four times', unopenedAfter(3), failed('failed', 1_000), rests(4)],
  ['watching, expired', watching, failed('expired'), { ...relist, failures: 1, trust: 'live' }],
  [
    'watching, expired after an outage',
    { ...unopened, failures: 5, trust: 'out' },
    failed('expired'),
    { ...relist, failures: 6, trust: 'out' },
  ],
  ['watching, expired right after a list', { ...unopened, fresh: true, failures: 1 }, failed('expired'), rests(2)],
  ['watching, garbled', watching, failed('garbled'), { ...relist, failures: 1, trust: 'live' }],
  ['watching, garbled again', openedAgo(0, 1), failed('garbled'), rests(2)],
  ['watching, a bug', watching, failed('bug'), { ...relist, failures: 1 }],

  ['resting, listed', resting, lastPage, 'unchanged'],
  ['resting, late', resting, late, 'unchanged'],
  ['resting, opened', resting, opened, 'unchanged'],
  ['resting, advanced', resting, advanced, 'unchanged'],
  ['resting, ended', resting, ended, 'unchanged'],
  ['resting, failed', resting, failed('failed'), 'unchanged'],
  ['resting, rested', resting, rested, { ...resumed, fresh: false, failures: 2, trust: 'out' }],
  [
    'resting before a list, rested',
    { ...resting, resourceVersion: undefined },
    rested,
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
  expect(stepStream(relisted, opened, chance).trust).toBe('live');
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

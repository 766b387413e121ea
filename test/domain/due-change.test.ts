import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dueChange,
  hasArrived,
  isScaledDown,
  isUndone,
  readRecord,
  type Aim,
} from '../../src/domain/prober/due-change.ts';
import type { ResourceChange, PresentResource } from '../../src/domain/prober/resource-view.ts';
import { present, shielded } from '@dwd/testing/views.ts';

const missing = { found: false } as const;

describe('6.4 down', () => {
  test.each<[string, PresentResource, ResourceChange | undefined, ResourceChange | undefined]>([
    // What one write does, and what comes first where two are needed.
    ['running', present(), { replicas: 0, mark: true, record: 2 }, { mark: true, record: 2 }],
    ['at one replica', present({ replicas: 1 }), { replicas: 0, mark: true, record: 1 }, { mark: true, record: 1 }],
    ['marked, record valid', present({ marked: true, record: '2' }), { replicas: 0 }, { replicas: 0 }],
    ['marked, record of other replicas', present({ marked: true, record: '5' }), { replicas: 0 }, { replicas: 0 }],
    ['marked, no record', present({ marked: true }), { replicas: 0, mark: true, record: 2 }, { mark: true, record: 2 }],
    [
      'marked, record unreadable',
      present({ marked: true, record: '0' }),
      { replicas: 0, mark: true, record: 2 },
      { mark: true, record: 2 },
    ],
    [
      'not marked, an old record',
      present({ record: '5' }),
      { replicas: 0, mark: true, record: 2 },
      { mark: true, record: 2 },
    ],
    ['down by us', shielded(), undefined, undefined],
    ['at 0 by others', present({ replicas: 0 }), undefined, undefined],
    ['at 0, marked, no record', present({ replicas: 0, marked: true }), undefined, undefined],
  ])('6.4 6.6 %s', (_, view, atOnce, first) => {
    expect(dueChange(view, 'down', true)).toEqual(atOnce);
    expect(dueChange(view, 'down', false)).toEqual(first);
  });
});

describe('6.5 up', () => {
  const unmark = { mark: false, record: null };
  test.each<[string, PresentResource, ResourceChange | undefined, ResourceChange | undefined]>([
    ['down by us', shielded({ record: '1' }), { replicas: 1, ...unmark }, { replicas: 1 }],
    ['of seven', shielded({ record: '7' }), { replicas: 7 }, { replicas: 7 }],
    ['of seven, and three are there', shielded({ record: '7', replicas: 3 }), { replicas: 7 }, { replicas: 7 }],
    ['down by us, no record', present({ replicas: 0, marked: true }), { replicas: 1, mark: false }, { replicas: 1 }],
    ['record of 0', shielded({ record: '0' }), { replicas: 1, ...unmark }, { replicas: 1 }],
    ['record of text', shielded({ record: 'two' }), { replicas: 1, ...unmark }, { replicas: 1 }],
    ['raised already, still marked', present({ marked: true, record: '2' }), unmark, unmark],
    ['running, marked, no record', present({ marked: true }), { mark: false }, { mark: false }],
    ['running', present(), undefined, undefined],
    ['running, an old record without a mark', present({ record: '5' }), undefined, undefined],
  ])('6.5 6.6 %s, whether it may raise all or ours only', (_, view, atOnce, first) => {
    for (const aim of ['upAll', 'upOurs'] as const) {
      expect(dueChange(view, aim, true)).toEqual(atOnce);
      expect(dueChange(view, aim, false)).toEqual(first);
    }
  });

  // What is not there is not said to be removed.
  test.each<[string, PresentResource, number, ResourceChange]>([
    ['at 0 by others', present({ replicas: 0 }), 1, {}],
    ['at 0 by others, over a record that Go left', present({ replicas: 0, record: '3' }), 3, { mark: true, record: 3 }],
  ])('6.5 5.3 9.4 %s: raised by a connected shoot, not where too few can tell', (_, view, replicas, along) => {
    expect(dueChange(view, 'upAll', true)).toEqual({ replicas, ...along });
    expect(dueChange(view, 'upAll', false)).toEqual({ replicas });
    expect(dueChange(view, 'upOurs', true)).toBeUndefined();
    expect(dueChange(view, 'upOurs', false)).toBeUndefined();
  });
});

describe('6.8 what a write asked for and an answer does not show', () => {
  const bare = present({ replicas: 0, readyReplicas: 0 });
  test.each<[string, ResourceChange, PresentResource, boolean]>([
    ['0 wanted, 1 stands', { replicas: 0, mark: true, record: 1 }, shielded({ replicas: 1 }), true],
    ['0 wanted, 0 stands', { replicas: 0, mark: true, record: 2 }, shielded(), false],
    ['the mark is missing', { replicas: 0, mark: true, record: 2 }, bare, true],
    ['the record is missing', { mark: true, record: 2 }, present({ marked: true }), true],
    ['2 wanted, 1 stands', { replicas: 2 }, shielded({ replicas: 1 }), true],
    ['2 wanted, 5 stand', { replicas: 2 }, shielded({ replicas: 5 }), false],
    ['1 wanted, 0 stands', { replicas: 1, mark: false, record: null }, bare, true],
    ['the mark is back', { mark: false, record: null }, present({ marked: true, record: '2' }), true],
    ['a record is left', { mark: false, record: null }, present({ record: '2' }), false],
    ['it is to be ignored meanwhile', { replicas: 0, mark: true, record: 1 }, present({ ignored: true }), false],
    ['it is ignored, and marked again', { mark: false }, present({ ignored: true, marked: true }), true],
  ])('6.8 %s', (_, change, view, yes) => {
    expect(isUndone(change, view)).toBe(yes);
  });
});

const aims: readonly Aim[] = ['down', 'upAll', 'upOurs'];

test.each(aims)('6.7 hands off an ignored resource on the way %s, but for a mark that was left', (aim) => {
  for (const atOnce of [true, false])
    for (const replicas of [0, 2])
      for (const record of [{}, { record: '2' }]) {
        expect(dueChange(present({ ...record, replicas, ignored: true }), aim, atOnce)).toBeUndefined();
        const marked = present({ ...record, replicas, ignored: true, marked: true });
        expect(dueChange(marked, aim, atOnce)).toEqual({ mark: false });
      }
});

test.each(aims)('6.8 nothing is written where nothing is, on the way %s', (aim) => {
  expect(dueChange(missing, aim, true)).toBeUndefined();
  expect(dueChange(missing, aim, false)).toBeUndefined();
});

test.each<[string | undefined, number | undefined]>([
  ['1', 1],
  ['3', 3],
  ['03', 3],
  ['2147483647', 2_147_483_647],
  ['2147483648', undefined],
  ['99999999999999999999', undefined],
  ['0', undefined],
  ['00', undefined],
  ['-1', undefined],
  ['+3', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['0x3', undefined],
  [' 3', undefined],
  ['3\n', undefined],
  ['two', undefined],
  ['', undefined],
  [undefined, undefined],
])('6.5 a record of %j tells of %s replicas', (record, replicas) => {
  expect(readRecord(record)).toBe(replicas);
});

test.each<[string, Partial<PresentResource>, boolean, boolean]>([
  ['0 wanted, 0 ready', { replicas: 0, readyReplicas: 0 }, true, false],
  ['0 wanted, 1 ready', { replicas: 0, readyReplicas: 1 }, false, false],
  ['0 wanted, 0 ready, by an old status', { replicas: 0, readyReplicas: 0, observed: false }, false, false],
  ['2 wanted, 0 ready', { readyReplicas: 0 }, false, false],
  ['2 wanted, 1 ready', { readyReplicas: 1 }, false, true],
  ['2 wanted, 2 ready', {}, false, true],
  ['2 wanted, 2 ready, by an old status', { observed: false }, false, false],
])('6.1 %s has arrived down: %s', (_, change, down, up) => {
  expect(hasArrived(present(change), 'down')).toBe(down);
  expect(hasArrived(present(change), 'upAll')).toBe(up);
  expect(hasArrived(present(change), 'upOurs')).toBe(up);
});

test.each<[string, Parameters<typeof isScaledDown>[0], boolean]>([
  ['running', present(), false],
  ['down by us', shielded(), true],
  ['at 0 by others', present({ replicas: 0 }), true],
  ['running with our mark', present({ marked: true }), true],
  ['ignored at 0', present({ replicas: 0, ignored: true }), false],
  ['missing', missing, false],
])('5.4 %s counts as scaled down: %s', (_, view, yes) => {
  expect(isScaledDown(view)).toBe(yes);
});

describe('6.10 cut off anywhere on the way', () => {
  const anyView = fc
    .record({
      replicas: fc.constantFrom(0, 1, 2, 5),
      marked: fc.boolean(),
      record: fc.constantFrom(undefined, '0', '1', '3', 'two', ''),
      ignored: fc.constantFrom(false, false, false, true),
    })
    .map(({ record, ...rest }) => present({ ...rest, ...(record === undefined ? {} : { record }) }));
  const anyWays = fc.array(
    fc.record({ aim: fc.constantFrom<Aim>('down', 'upAll', 'upOurs'), writes: fc.constantFrom(0, 1, 2, 9) }),
    { maxLength: 8 },
  );

  test('6.4 6.5 6.6 6.10 L1 S2 S5 from any view, every way ends, no write leaves 0 without a mark, and the count comes back', () => {
    fc.assert(
      fc.property(anyView, anyWays, fc.boolean(), (start, ways, atOnce) => {
        const count = countsOf(start);
        let view = start;
        for (const { aim, writes } of [...ways, { aim: 'upAll' as const, writes: 9 }]) {
          const way = walk(view, aim, atOnce);
          expect(way.length, 'it ends').toBeLessThanOrEqual(2);
          for (const after of way.slice(0, writes)) {
            expect(lawsBroken(view, after)).toEqual([]);
            view = after;
          }
        }
        expect(count).toContain(view.replicas);
        expect(view.marked).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('L2 6.4 from any view, the way down ends at 0, with what it was in the record', () => {
    fc.assert(
      fc.property(
        anyView.filter(({ ignored, replicas }) => !ignored && replicas > 0),
        fc.boolean(),
        (start, atOnce) => {
          const end = walk(start, 'down', atOnce).at(-1);
          const kept = start.marked ? readRecord(start.record) : undefined;
          expect(end).toMatchObject({ replicas: 0, marked: true, record: String(kept ?? start.replicas) });
        },
      ),
    );
  });
});

/** Every view on the way, the last one being that at which nothing is due. */
function walk(start: PresentResource, aim: Aim, atOnce: boolean): PresentResource[] {
  const way: PresentResource[] = [];
  let view = start;
  for (let change = dueChange(view, aim, atOnce); change !== undefined; change = dueChange(view, aim, atOnce)) {
    const together = change.replicas !== undefined && Object.keys(change).length > 1;
    expect(together && !atOnce, 'annotations with the scale subresource').toBe(false);
    view = changed(view, change);
    if (way.push(view) > 9) return way;
  }
  return way;
}

function changed(
  { record: before, ...view }: PresentResource,
  { replicas, mark, record }: ResourceChange,
): PresentResource {
  const left = record === undefined ? before : record === null ? undefined : String(record);
  return {
    ...view,
    replicas: replicas ?? view.replicas,
    marked: mark ?? view.marked,
    ...(left === undefined ? {} : { record: left }),
  };
}

/** The replicas that the resource may come back to: what it has, or what a record tells that still counts. */
function countsOf({ replicas, marked, record, ignored }: PresentResource): readonly number[] {
  if (ignored) return [replicas];
  const recorded = readRecord(record);
  if (replicas === 0) return [recorded ?? 1];
  // Raised by someone while it was down: its record stands until the way up is gone to its end.
  return marked && recorded !== undefined ? [replicas, recorded] : [replicas];
}

function lawsBroken(before: PresentResource, after: PresentResource): readonly string[] {
  if (before.ignored) return after.replicas === before.replicas && after.record === before.record ? [] : ['S2'];
  if (after.replicas > 0 || (before.replicas === 0 && !before.marked)) return [];
  if (!after.marked) return ['S5: 0 without a mark'];
  return before.replicas === 0 || readRecord(after.record) !== undefined ? [] : ['S5: 0 without a record'];
}

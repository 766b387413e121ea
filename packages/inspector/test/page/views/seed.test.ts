import { describe, expect, test } from 'vitest';
import { wholeSeed } from '../../../page/client/address.ts';
import { allSeedRows, countStandings, seedRows } from '../../../page/views/seed/seed-rows.ts';
import { rankOf, serviceStanding, type SeedStanding } from '../../../page/views/seed/seed-standing.ts';
import { scrolledTo, shownRows } from '../../../page/format/use-sight.ts';
import type { ShootRow } from '../../../model/rows.ts';
import { serviceRow, shootRow } from '../stage.ts';

const paths = (change: Partial<NonNullable<ShootRow['paths']>>): NonNullable<ShootRow['paths']> => ({
  external: { count: 1, of: 1 },
  reason: null,
  carriedAt: 0,
  internalFailures: 0,
  leftAloneUntil: null,
  ...change,
});

const down = (name: string, byUs: boolean) => ({ key: `apps/v1/Deployment/${name}`, name, byUs, recorded: 1 });

describe('how a shoot stands, by its consequence', () => {
  test.each([
    ['down', 'serviceDown'],
    ['relapsed', 'relapsed'],
    ['recovering', 'recovering'],
    ['settled', 'available'],
  ] as const)('a service that is %s is %s', (state, standing) => {
    expect(serviceStanding(serviceRow({ state }))).toBe(standing);
  });

  test('what is cut off and unprotected is the most grave', () => {
    const order: SeedStanding[] = [
      'cutOff',
      'scalingDown',
      'scaledDown',
      'scalingUp',
      'serviceDown',
      'notAnswering',
      'watched',
    ];
    expect(order.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(order);
  });
});

describe('the lines of the seed', () => {
  const shoots = [
    shootRow({ shoot: 'b-calm', since: 3 }),
    shootRow({ shoot: 'a-calm', since: null }),
    shootRow({
      shoot: 'z-cut',
      state: 'scalingDown',
      standing: 'scalingDown',
      verdict: 'cutOff',
      expired: 3,
      since: 5,
      down: [down('kcm', true)],
    }),
  ];
  const services = [serviceRow({ service: 'a-calm/etcd', state: 'down', readyEndpoints: 0, since: 4 })];
  const names = (filter: Partial<typeof wholeSeed>) =>
    seedRows(shoots, services, { ...wholeSeed, ...filter }).map(({ subject }) => subject);

  test.each([
    [{}, ['z-cut', 'a-calm/etcd', 'a-calm', 'b-calm']],
    [{ order: 'name' }, ['a-calm', 'a-calm/etcd', 'b-calm', 'z-cut']],
    [{ order: 'since' }, ['z-cut', 'a-calm/etcd', 'b-calm', 'a-calm']],
    [{ text: 'CALM' }, ['a-calm/etcd', 'a-calm', 'b-calm']],
    [{ text: 'calm service' }, ['a-calm/etcd']],
    [{ text: 'kcm' }, ['z-cut']],
    [{ standings: ['watched'] }, ['a-calm', 'b-calm']],
    [{ standings: ['scalingDown', 'serviceDown'] }, ['z-cut', 'a-calm/etcd']],
    [{ standings: ['nonsense'] }, []],
    [{ standings: ['watched'], text: 'kcm' }, []],
  ] as const)('%j', (filter, expected) => {
    expect(names(filter)).toEqual(expected);
  });

  test('a mark in a shoot that is left alone comes first', () => {
    const asleep = { state: 'idle', standing: 'leftAlone', paused: 'the shoot is hibernated' } as const;
    const rows = [
      shootRow({ ...asleep, shoot: 'a', down: [down('kcm', false)] }),
      shootRow({ ...asleep, shoot: 'b', down: [down('kcm', true)] }),
    ];
    expect(seedRows([...shoots, ...rows], [], wholeSeed).map(({ subject }) => subject)).toEqual([
      'b',
      'z-cut',
      'a',
      'a-calm',
      'b-calm',
    ]);
  });

  test('are counted by how they stand, the most grave first', () => {
    expect(countStandings(allSeedRows(shoots, services))).toEqual([
      { standing: 'scalingDown', count: 1 },
      { standing: 'serviceDown', count: 1 },
      { standing: 'watched', count: 2 },
    ]);
  });

  test.each<[Partial<ShootRow>, string, string]>([
    [{ expired: 3 }, '3 of 5 expired', ''],
    [{ failuresInRow: 2 }, '2 probes failed; before that 0 of 5 expired', ''],
    [{ failuresInRow: 1, verdict: null }, '1 probe failed', ''],
    [{ verdict: null }, '', ''],
    [{ paused: 'it is hibernated' }, 'it is hibernated', ''],
    [
      { down: [down('kcm', true), down('ca', false)], refused: ['mcm'] },
      '0 of 5 expired',
      '1 at 0: kcm; 1 at 0 by others: ca; refused: mcm',
    ],
    [{ paths: paths({ external: { count: 7, of: 1 } }) }, 'external path answers', ''],
    [{ verdict: 'cutOff', paths: paths({ external: { count: 2, of: 3 } }) }, 'external path failed 2 of 3 times', ''],
    [{ verdict: 'cutOff', paths: paths({ external: { count: 4, of: 3 } }) }, 'external path fails', ''],
    [{ verdict: null, failuresInRow: 1, paths: paths({ internalFailures: 1 }) }, 'internal path failed once', ''],
    [
      { failuresInRow: 3, paths: paths({ internalFailures: 3 }) },
      'internal path failed 3 times; before that external path answers',
      '',
    ],
    [{ verdict: null, failuresInRow: 2, paths: paths({}) }, '2 probes failed', ''],
  ])('%j says: %s', (change, judged, odd) => {
    const [line] = allSeedRows([shootRow(change)], []);
    expect([line?.judged, line?.odd]).toEqual([judged, odd]);
  });

  test('a service says what its window brought', () => {
    const [line] = allSeedRows(
      [],
      [serviceRow({ state: 'recovering', endpoints: 1, readyEndpoints: 1, crashLooping: 1, deleted: 3 })],
    );
    expect([line?.judged, line?.odd]).toEqual(['1 of 1 endpoint ready', '1 crash-looping pod, 3 deleted']);
  });
});

describe('only the rows in sight are drawn', () => {
  test.each([
    ['at the top', { top: 0, height: 260, rowHeight: 26 }, 1_000, { first: 0, end: 22 }],
    ['in the middle', { top: 2_600, height: 260, rowHeight: 26 }, 1_000, { first: 88, end: 122 }],
    ['at the end', { top: 25_740, height: 260, rowHeight: 26 }, 1_000, { first: 978, end: 1_000 }],
    ['of few', { top: 0, height: 900, rowHeight: 26 }, 3, { first: 0, end: 3 }],
    ['of none', { top: 500, height: 900, rowHeight: 26 }, 0, { first: 0, end: 0 }],
    ['when a filter made the list short', { top: 26_000, height: 260, rowHeight: 26 }, 5, { first: 5, end: 5 }],
  ])('%s', (_, sight, count, shown) => {
    expect(shownRows(sight, count)).toEqual(shown);
  });

  test.each([
    ['a row in sight stays where it is', 5, 0],
    ['a row below comes in at the bottom', 12, 78],
    ['the first row', 0, 0],
  ])('%s', (_, row, top) => {
    expect(scrolledTo(row, { top: 0, height: 260, rowHeight: 26 })).toBe(top);
  });

  test('a row above comes in at the top', () => {
    expect(scrolledTo(3, { top: 500, height: 260, rowHeight: 26 })).toBe(78);
  });
});

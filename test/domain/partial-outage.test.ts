import { describe, expect, test } from 'vitest';
import {
  areFew,
  areMany,
  lateLeases,
  partialOutage,
  placesOf,
  type NodePlace,
} from '../../src/domain/prober/partial-outage.ts';
import { readNode, type NodeView } from '../../src/domain/prober/candidates.ts';

const now = 1_000_000;
const grace = 40_000;
/** `name: [age of its lease, zone, pool]`; an age of null is a lease that cannot be read. */
type Nodes = Readonly<Record<string, readonly [age: number | null, zone?: string, pool?: string]>>;

const leasesOf = (nodes: Nodes) =>
  Object.entries(nodes).map(([node, [age]]) => ({ node, renewedAt: age === null ? null : now - age }));
const placesIn = (nodes: Nodes): readonly NodePlace[] =>
  Object.entries(nodes).map(([name, [, zone, pool]]) => ({
    name,
    ...(zone === undefined ? {} : { zone }),
    ...(pool === undefined ? {} : { pool }),
  }));
const many = (zone: string, ages: readonly number[]): Nodes =>
  Object.fromEntries(ages.map((age, index) => [`${zone}${index}`, [age, zone]]));
const labelled = (zone: string) =>
  readNode({ metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': zone } } })?.zone;
const ages = (...all: readonly (number | null)[]) =>
  lateLeases(
    all.map((age, index) => ({ node: `n${index}`, renewedAt: age === null ? null : now - age })),
    { now, grace },
  );
const found = (nodes: Nodes) => partialOutage(leasesOf(nodes), placesIn(nodes), { now, grace });

const twoZones: Nodes = { a1: [31_000, 'a'], a2: [35_000, 'a'], b1: [2_000, 'b'], b2: [9_000, 'b'], c1: [1_000, 'c'] };

describe('5.6 a part of a shoot is cut off', () => {
  test('5.6 a zone whose leases have all expired, while the others renew; its first mark is a grace after the oldest renewal', () => {
    expect(found(twoZones)).toEqual({
      by: 'zone',
      groups: ['a'],
      expired: 2,
      nodes: 2,
      firstMarkAt: now - 35_000 + grace,
    });
  });

  test.each<readonly [string, Nodes]>([
    ['a zone of which one node renews', { ...twoZones, a3: [1_000, 'a'] }],
    ['a zone of one node', { a1: [31_000, 'a'], b1: [0, 'b'], b2: [0, 'b'] }],
    ['leases that are late, and have not expired', { ...twoZones, a1: [29_000, 'a'] }],
    [
      'a zone that expires first in an outage of all',
      { ...twoZones, b1: [20_000, 'b'], b2: [25_000, 'b'], c1: [29_000, 'c'] },
    ],
    [
      'others of which half outlive it',
      { ...twoZones, b1: [19_000, 'b'], b2: [0, 'b'], c1: [19_000, 'c'], c2: [0, 'c'] },
    ],
    ['a shoot of one zone', { a1: [31_000, 'a'], a2: [31_000, 'a'] }],
    [
      'others that are silent as well, each for itself',
      { ...twoZones, b1: [31_000, 'b'], d1: [31_000, 'd'], d2: [0, 'd'], d3: [0, 'd'] },
    ],
    ['nodes that say nothing of where they are', { a1: [31_000], a2: [31_000], b1: [0] }],
    ['leases that cannot be read', { a1: [null, 'a'], a2: [null, 'a'], b1: [0, 'b'], b2: [0, 'b'] }],
    ['nothing', {}],
  ])('5.6 it is none: %s', (_, nodes) => {
    expect(found(nodes)).toBeUndefined();
  });

  test('5.6 a kubelet that gets one renewal in ten through changes nothing, on either side', () => {
    const silent = [...Array.from({ length: 9 }, () => 32_000), 5_000];
    const fresh = [...Array.from({ length: 9 }, () => 5_000), 32_000];
    expect(found({ ...many('a', silent), ...many('b', fresh) })).toMatchObject({
      groups: ['a'],
      expired: 9,
      nodes: 10,
    });
    expect(found({ ...many('a', silent.slice(1)), ...many('b', fresh) })).toBeUndefined();
    expect(found({ ...many('a', silent), ...many('b', [...fresh.slice(1), 32_000]) })).toBeUndefined();
  });

  test('5.6 one node elsewhere that died hides no zone', () => {
    const dead: Nodes = { ...many('a', [31_000, 32_000, 33_000]), ...many('b', [90_000, 1_000, 2_000]) };
    expect(found({ ...dead, ...many('c', [3_000, 4_000, 5_000]) })).toMatchObject({ groups: ['a'], expired: 3 });
  });

  test('5.6 two zones of four, in the order in which people count', () => {
    const nodes: Nodes = {
      ...twoZones,
      d1: [31_000, 'a10'],
      d2: [31_000, 'a10'],
      e1: [31_000, 'a2'],
      e2: [31_000, 'a2'],
    };
    expect(found({ ...nodes, a1: [0, 'a'], a2: [0, 'a'] })?.groups).toEqual(['a2', 'a10']);
  });

  test('5.6 a pool, where the zones tell nothing; a zone before a pool that is the same', () => {
    const pools: Nodes = { a: [31_000, 'z', 'gpu'], b: [31_000, 'z', 'gpu'], c: [0, 'z', 'cpu'], d: [0, 'y', 'cpu'] };
    expect(found(pools)).toMatchObject({ by: 'pool', groups: ['gpu'] });
    expect(found({ ...pools, c: [0, 'y', 'cpu'] })).toMatchObject({ by: 'zone', groups: ['z'] });
  });

  test('4.7 a shoot of a thousand silent pools has ten of them named', () => {
    const pools = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`n${index}`, [31_000, 'z', `p${index % 1_000}`] as const]),
    );
    const outage = found({
      ...pools,
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`o${i}`, [0, 'z']] as const)),
    });
    expect(outage).toMatchObject({ by: 'pool', expired: 2_000, nodes: 2_000 });
    expect(outage?.groups).toHaveLength(10);
  });

  test('5.6 4.7 a node says its zone by its label; a text that is no label says nothing', () => {
    expect([labelled('eu-1a'), labelled(''), labelled('x'.repeat(64))]).toEqual(['eu-1a', undefined, undefined]);
    const view: NodeView = {
      name: 'n',
      zone: 'eu-1a',
      unmanaged: false,
      trueConditions: ['Ready'],
      inPlaceUpdate: false,
    };
    const others = [{ ...view, name: 'no candidate' }];
    expect(placesOf([view, ...others], [{ node: 'n', renewedAt: 0 }])).toEqual([{ name: 'n', zone: 'eu-1a' }]);
  });
});

describe('5.7 leases that are late', () => {
  test('5.7 late is what was not renewed for half of the grace; what cannot be read is not counted', () => {
    expect(ages(19_999, 20_000, 60_000, null)).toEqual({ late: 2, candidates: 3 });
  });

  test.each([
    [{ late: 2, candidates: 10 }, true, false],
    [{ late: 2, candidates: 11 }, false, false],
    [{ late: 1, candidates: 3 }, false, false],
    [{ late: 1, candidates: 10 }, false, false],
    [{ late: 1, candidates: 11 }, false, true],
    [{ late: 0, candidates: 0 }, false, true],
  ])('5.7 of %j: a warning begins %s, ends %s', (leases, begins, ends) => {
    expect([areMany(leases), areFew(leases)]).toEqual([begins, ends]);
  });
});

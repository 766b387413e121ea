import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Facts, StruckTrouble, Written } from '../night/facts.ts';
import { judge } from '../night/laws.ts';
import { drawTroubles } from '../night/trouble.ts';
import {
  ignoreAnnotation,
  markAnnotation,
  replicasAnnotation,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';

const chance = (seed: number) => (purpose: string) =>
  seededChance(createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE());

test('a night has the same troubles for the same number, and none that outlasts it', () => {
  const hour = 3_600_000;
  const troubles = drawTroubles(chance(1), hour, 3);
  expect(troubles).toEqual(drawTroubles(chance(1), hour, 3));
  expect(troubles).not.toEqual(drawTroubles(chance(2), hour, 3));
  expect(troubles.length).toBeGreaterThan(100);
  expect(troubles.every(({ at, length }) => at + length <= hour)).toBe(true);
});

test('every kind of trouble is drawn in the long run', () => {
  const kinds = drawTroubles(chance(1), 20 * 3_600_000, 3).map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(24);
});

test('what strikes one subject comes one after the other', () => {
  const ofShoot = drawTroubles(chance(1), 3_600_000, 2).filter((one) => one.of === 'shoot' && one.shoot === 1);
  for (const [index, { at }] of ofShoot.slice(1).entries()) {
    const before = ofShoot[index];
    expect(at).toBeGreaterThan((before?.at ?? 0) + (before?.length ?? 0));
  }
});

const judged = {
  graceMillis: 40_000,
  failureFraction: 0.6,
  dependants: gardenerConfig.dependants,
  nodes: 2,
};
const [namespace, main] = ['shoot--a', 'kube-controller-manager'];
const annotations = { [replicasAnnotation]: '1', [markAnnotation]: '' };
const by = 'prober-1';
const [down, up] = [1_000_000, 1_100_000];

const write = (one: Partial<Written>): Written => ({
  at: down,
  by,
  namespace,
  name: main,
  replicas: 0,
  annotations,
  ...one,
});

/** An outage as it should be: all three down in their order, and up again. */
const well: Facts = {
  struck: [{ kind: 'external path broken (cut)', of: 'shoot', namespace, from: down - 40_000, to: up - 20_000 }],
  led: [{ at: 900_000, by, holds: true }],
  renewed: ['a', 'b'].map((node) => ({ at: down - 31_000, namespace, node, renewTime: down - 31_000 })),
  written: [
    ...[main, 'machine-controller-manager', 'cluster-autoscaler'].map((name) =>
      write({ at: 100, by: undefined, name, replicas: 1, annotations: {} }),
    ),
    write({ at: down - 20, name: 'machine-controller-manager' }),
    write({ at: down - 20, name: 'cluster-autoscaler' }),
    write({}),
    write({ at: up, replicas: 1, annotations: {} }),
    write({ at: up + 1, name: 'machine-controller-manager', replicas: 1, annotations: {} }),
    write({ at: up + 2, name: 'cluster-autoscaler', replicas: 1, annotations: {} }),
  ],
  marked: [],
  away: [],
  fallen: [],
  notAsBefore: [],
};

const brokenIn = (facts: Partial<Facts>): readonly string[] =>
  judge({ ...well, ...facts }, judged).flatMap(({ law, broken }) => broken.map(() => law));
const without = (name: string) => well.written.filter((one) => !(one.name === name && one.replicas === 0));
const during = (kind: StruckTrouble['kind'], name?: string): readonly StruckTrouble[] => [
  { kind, of: 'shoot', namespace, ...(name === undefined ? {} : { name }), from: down - 10_000, to: down + 10_000 },
];

test('an outage as it should be breaks no law', () => {
  expect(brokenIn({})).toEqual([]);
});

describe('a law is broken', () => {
  test.each<[string, Partial<Facts>]>([
    [
      'S1 down only while enough leases had expired',
      { renewed: [...well.renewed, { at: down - 5_000, namespace, node: 'b', renewTime: down - 5_000 }].slice(1) },
    ],
    [
      'S2 what is ignored is not scaled',
      {
        struck: during('told to ignore', main),
        written: well.written.map((one) =>
          one.at === down ? { ...one, annotations: { ...annotations, [ignoreAnnotation]: 'true' } } : one,
        ),
      },
    ],
    [
      'S3 no write for a shoot that sleeps or is gone',
      { away: [{ namespace, from: down - 10_000, to: down + 10_000 }] },
    ],
    ['S4 levels in order, down and up', { written: without('cluster-autoscaler') }],
    [
      'S5 never 0 without record and mark',
      { written: well.written.map((one) => (one.at === down ? { ...one, annotations: {} } : one)) },
    ],
    ['S6 only the leader writes', { led: [{ at: 900_000, by: 'prober-2', holds: true }] }],
    ['S6 only the leader writes', { led: [{ at: 900_000, by, holds: false }] }],
    ['no healthy node is marked', { marked: [{ at: down + 9_000, namespace, node: 'a' }] }],
    ['a prober ends only where it cannot lead', { fallen: [{ at: down, pod: by, how: '1' }] }],
    ['all is as before at the end', { notAsBefore: ['shoot--a/kube-controller-manager has 1 replicas, not 2'] }],
  ])('%s', (law, facts) => {
    expect(new Set(brokenIn(facts))).toEqual(new Set([law]));
  });
});

const mark = (node: string) => ({ at: down + 5_000, namespace, node });

test('a node that was stopped may be marked, and another one may not', () => {
  const struck = during('node cut off', 'a');
  expect(brokenIn({ struck, marked: [mark('a')] })).toEqual([]);
  expect(brokenIn({ struck, marked: [mark('b')] })).toEqual(['no healthy node is marked']);
});

test('a node may be marked while too few leases have expired for a way down', () => {
  const renewed = [...well.renewed, { at: down - 5_000, namespace, node: 'b', renewTime: down - 5_000 }];
  expect(brokenIn({ written: [], renewed, marked: [{ at: down + 9_000, namespace, node: 'a' }] })).toEqual([]);
});

test('a renewal that was long on its way counts from when it came, as for a kube-controller-manager', () => {
  // Written 31 s before the way down had to begin, and taken 15 s later.
  const late = { at: down - 11_000, namespace, node: 'b', renewTime: down - 26_000 };
  const marked = [{ at: down + 9_000, namespace, node: 'a' }];
  expect(brokenIn({ written: [], renewed: [...well.renewed, late], marked })).toEqual([]);
  expect(brokenIn({ written: [], renewed: [...well.renewed, { ...late, at: late.renewTime }], marked })).toEqual([
    'no healthy node is marked',
  ]);
});

test('what was put back by a snapshot is not known, and so not judged', () => {
  const struck: readonly StruckTrouble[] = [
    { kind: 'etcd restored', of: 'seed', from: down - 15_000, to: down - 10_000 },
  ];
  const [, , , levels, , only] = judge({ ...well, struck, led: [{ at: 1, by: 'prober-2', holds: true }] }, judged);
  expect(levels).toMatchObject({ broken: [] });
  expect(levels?.open).toBeGreaterThan(0);
  expect(only).toMatchObject({ open: 3, broken: expect.arrayContaining([]) as unknown });
});

test('a snapshot of a way down is not held against the way up, however long ago it was restored', () => {
  const restored: StruckTrouble = { kind: 'etcd restored', of: 'seed', from: down + 45_000, to: down + 46_000 };
  const at = down + 100_000;
  const raised: Written = { ...well.written[0]!, at, by, name: 'machine-controller-manager', replicas: 1 };
  const levels = (struck: readonly StruckTrouble[]) =>
    brokenIn({ struck, written: [...well.written.filter((one) => one.at <= down), raised] });
  expect(levels([])).toEqual(['S4 levels in order, down and up']);
  expect(levels([restored])).toEqual([]);
});

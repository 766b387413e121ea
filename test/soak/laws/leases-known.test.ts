import { expect, test } from 'vitest';
import { claimed, judged, sent } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { LeasesKnown } from './leases-known.ts';
import type { Law } from '../law.ts';
import { leaseProtocol } from './lease-protocol.ts';
import { onlyLeadersWrite } from './only-leaders-write.ts';

const lease = '/apis/coordination.k8s.io/v1/namespaces/garden/leases/dwd-prober-leader-election';
const asks = (at: number): Observation => sent(at, 'prober-1#1', 'GET', lease);
const struck: Observation = { at: 2_500, kind: 'fault', name: 'seed: lost', process: 'prober-1' };
const led = claimed(1_000, 'prober-0#1');
const electing = { plan: { election: true, replicas: { prober: 2, weeder: 0 }, clocks: { ahead: 0, drift: 0 } } };

function changeOf(claim: Observation): Extract<Observation, { kind: 'change' }> {
  if (claim.kind !== 'change') throw new Error('a claim is a change');
  return claim;
}

/** A backup of a Lease that nobody held, of version 500, is restored. */
function freed(at = 5_000): Observation {
  const free = changeOf(claimed(500, 'prober-0#1', ''));
  return { ...free, at, change: { ...free.change, writer: undefined } };
}

/** prober-1 takes the Lease that a backup shows as free, so long after that. */
const takenAfter = (wait: number, ...before: readonly Observation[]): string | undefined =>
  judged(onlyLeadersWrite, [led, ...before, freed(), claimed(5_000 + wait, 'prober-1#1')], electing);

/** Who knows a newer Lease than the backup's. */
const shown = (...history: readonly Observation[]): readonly string[] => {
  const known = new LeasesKnown();
  for (const one of [led, ...history]) known.hear(one);
  return [...known.newerThan(500, 'prober')];
};

test('S6 8 who asks a second time was answered the first time, unless there was a fault', () => {
  expect(shown(asks(2_000), asks(4_000))).toEqual(['prober-1#1']);
  expect(shown(asks(2_000))).toEqual([]);
  expect(shown(asks(2_000), struck, asks(4_000))).toEqual([]);
  expect(shown(asks(2_000), struck, asks(4_000), asks(4_500))).toEqual(['prober-1#1']);
});

test('S6 8 a Lease that a backup shows as free is taken at once only by who has not seen it held', () => {
  const seen = [asks(2_000), asks(4_000)];
  expect(takenAfter(1_000)).toBe(undefined);
  expect(takenAfter(1_000, ...seen)).toContain('1000 ms after it went back');
  expect(takenAfter(15_000, ...seen)).toBe(undefined);
});

/** prober-0 leads, and a backup of its Lease in a version is restored; prober-1, which was shown version 1,000 at 1,500, takes that Lease. */
const takenBack = (law: Law, at: number, version: number): string | undefined => {
  const back = changeOf(claimed(version, 'prober-0#1'));
  const restored = { ...back, at: 15_000, change: { ...back.change, writer: undefined } };
  const taken = changeOf(claimed(at, 'prober-1#1', 'prober-1#1', 1));
  const { revision } = back.change;
  return judged(
    law,
    [
      led,
      asks(1_500),
      asks(3_000),
      claimed(14_000, 'prober-0#1'),
      restored,
      { ...taken, change: { ...taken.change, previous: revision } },
    ],
    electing,
  );
};

test('S6 8 a Lease that a backup shows just as it was shown to a candidate 15 s before has run out for it', () => {
  expect(takenBack(onlyLeadersWrite, 16_500, 1_000)).toBe(undefined);
  expect(takenBack(onlyLeadersWrite, 16_000, 1_000)).toContain('1000 ms after it went back');
  expect(takenBack(onlyLeadersWrite, 16_500, 900)).toContain('1500 ms after it went back');
  expect(takenBack(leaseProtocol, 16_500, 1_000)).toBe(undefined);
  expect(takenBack(leaseProtocol, 16_000, 1_000)).toContain('2000 ms after prober-0#1 had renewed it');
  expect(takenBack(leaseProtocol, 16_500, 900)).toContain('2500 ms after prober-0#1 had renewed it');
});

test('S6 8 a second restore, before anybody took the Lease, makes nobody wait anew, and frees nobody from waiting', () => {
  const twice = [asks(2_000), asks(2_500), freed(2_900), asks(4_000), asks(4_500)];
  expect(takenAfter(10_000, ...twice)).toContain('12100 ms after it went back');
  expect(takenAfter(13_000, ...twice)).toBe(undefined);
});

test('S6 who led when another took what it could not know to be held may write until its next renewal is due', () => {
  const dependant = '/apis/apps/v1/namespaces/shoot--demo--01/deployments/kube-controller-manager';
  const writing = (at: number, taker: string): string | undefined =>
    judged(
      onlyLeadersWrite,
      [led, freed(), claimed(5_500, taker), sent(at, 'prober-0#1', 'PATCH', dependant)],
      electing,
    );
  expect(writing(6_000, 'prober-0#1')).toBe(undefined);
  expect(writing(6_000, 'prober-1#1')).toBe(undefined);
  expect(writing(12_000, 'prober-1#1')).toContain('prober-1#1 held the Lease');
});

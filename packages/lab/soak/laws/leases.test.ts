import { describe, expect, test } from 'vitest';
import type { Law } from '../law.ts';
import { live } from '../life.ts';
import { byController, claimed, electing, hearing, judged, path, prober, sent } from '../made-up.ts';
import { tellTo, type Observation } from '../observation.ts';
import { quietPlan } from '../seed-plan.ts';
import { leaseProtocol, LeasesKnown, leasesLetGo, onlyLeadersWrite } from './leases.ts';

const lease = '/apis/coordination.k8s.io/v1/namespaces/garden/leases/dwd-prober-leader-election';
const asks = (at: number): Observation => sent(at, 'prober-1#1', 'GET', lease);
const struck: Observation = { at: 2_500, kind: 'fault', name: 'seed: lost', process: 'prober-1' };
const led = claimed(1_000, 'prober-0#1');

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
  for (const one of [led, ...history]) tellTo(known, one);
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

const writingBeside = (at: number, taker: string): string | undefined =>
  judged(onlyLeadersWrite, [led, freed(), claimed(5_500, taker), sent(at, 'prober-0#1', 'PATCH', path)], electing);

test('S6 who led when another took what it could not know to be held may write until its next renewal is due', () => {
  expect(writingBeside(6_000, 'prober-0#1')).toBe(undefined);
  expect(writingBeside(6_000, 'prober-1#1')).toBe(undefined);
  expect(writingBeside(12_000, 'prober-1#1')).toContain('prober-1#1 held the Lease');
});

const leading = (...history: Parameters<typeof judged>[1]) => judged(onlyLeadersWrite, history, electing);
const writingAt = (at: number) => leading(claimed(1_000, prober), sent(at, prober, 'PATCH', path));

describe('S6 only who holds the Lease writes', () => {
  test('S6 a leader may write until its renew deadline, and not at it', () => {
    expect(writingAt(10_999)).toBe(undefined);
    expect(writingAt(11_001)).toContain('after its last renewal');
  });

  test('S6 a standby, and a former leader, may read and stand for election, and not write', () => {
    const second = [claimed(1_000, prober), claimed(2_000, 'prober-1#1')];
    expect(leading(...second, sent(2_001, prober, 'PATCH', path))).toContain('prober-1#1 held the Lease');
    expect(leading(...second, sent(2_001, prober, 'GET', path))).toBe(undefined);
    expect(leading(...second, sent(2_001, prober, 'PUT', '/apis/a/v1/namespaces/garden/leases/b'))).toBe(undefined);
  });

  test('S6 nobody writes before a Lease was taken, or after it was given up', () => {
    expect(leading(sent(1, prober, 'PATCH', path))).toContain('nobody held the Lease');
    const released = [claimed(1, prober), claimed(2, prober, '')];
    expect(leading(...released, sent(3, prober, 'PATCH', path))).toContain('nobody held the Lease');
  });
});

/** prober-0 leads, the Lease goes back a second later, and prober-1 takes it after some time. */
function takenBySecond(wait: number): string | undefined {
  const first = changeOf(claimed(1_000, prober));
  const taken = changeOf(claimed(2_000 + wait, 'prober-1#1'));
  const wentBack = byController(claimed(2_000, prober));
  const over = { ...taken, change: { ...taken.change, previous: first.change.revision } };
  return judged(onlyLeadersWrite, [first, wentBack, over], electing);
}

test('S6 8 a Lease that went back is taken by another no sooner than a lease duration later', () => {
  expect(takenBySecond(14_000)).toContain('14000 ms after it went back');
  expect(takenBySecond(15_001)).toBe(undefined);
});

/** Where the one before it is what the Lease showed. */
function leases(...history: readonly Observation[]): readonly Observation[] {
  return history.map((one, index) => {
    const before = history[index - 1];
    if (one.kind !== 'change' || before?.kind !== 'change') return one;
    return { ...one, change: { ...one.change, previous: before.change.revision } };
  });
}

describe('S6 8 a Lease is let go by its holder, and taken when it has run out', () => {
  test('S6 8 a Lease of another is taken after 15 s, or once it was let go', () => {
    const first = claimed(0, prober);
    expect(judged(leaseProtocol, leases(first, claimed(15_000, 'prober-1#1')))).toBe(undefined);
    expect(judged(leaseProtocol, leases(first, claimed(14_000, 'prober-1#1')))).toContain('14000 ms after');
    expect(judged(leaseProtocol, leases(first, claimed(5_000, prober, ''), claimed(6_000, 'prober-1#1')))).toBe(
      undefined,
    );
  });

  test('S6 8 a backup that shows the name of one who held the Lease before does not give it back at once', () => {
    const history = [claimed(0, prober), claimed(20_000, 'prober-1#1'), claimed(21_000, prober)];
    const [first, second, third] = leases(...history) as [Observation, Observation, Observation];
    const shown = third.kind === 'change' && first.kind === 'change' ? first.change.revision : undefined;
    const again = { ...third, change: { ...(third as { change: object }).change, previous: shown } } as Observation;
    expect(judged(leaseProtocol, [first, second, again])).toContain('1000 ms after prober-1#1');
  });

  test('8 a renewal is no transition', () => {
    const counted = claimed(2_000, prober, prober, 1);
    expect(judged(leaseProtocol, leases(claimed(0, prober), claimed(2_000, prober)))).toBe(undefined);
    expect(judged(leaseProtocol, leases(claimed(0, prober), counted))).toContain('counted a transition');
  });

  test('S6 8 who does not hold a Lease does not let it go', () => {
    expect(judged(leaseProtocol, leases(claimed(0, prober), claimed(5_000, 'prober-1#1', '')))).toContain(
      'let the Lease',
    );
  });
});

/** What the law says of a leader that is told to end 30 s after its start, where it hears these in the place of each observation. */
async function endedAs(heardOf: (seen: Observation) => readonly Observation[]): Promise<string | undefined> {
  const happenings = [{ at: 30_000, kind: 'process told to end', of: { slot: 'prober-0' } }];
  const { broken, judged: counts } = await live(
    { ...quietPlan, election: true, weather: 60_000, happenings },
    { laws: [hearing(leasesLetGo, heardOf)], endsWithWeather: true },
  );
  expect(counts['processes that ended as they were told']).toBeLessThanOrEqual(1);
  return broken?.why;
}

/** It seems to have ended in the moment in which it was told to. */
const atOnce = (seen: Observation): readonly Observation[] =>
  seen.kind === 'process' && seen.did === 'told to end' ? [seen, { ...seen, did: 'ended', why: 'SIGTERM' }] : [seen];

const struckAtOnce = (seen: Observation): readonly Observation[] =>
  atOnce(seen).flatMap((one) =>
    one.kind === 'process' && one.did === 'ended'
      ? [{ at: one.at, kind: 'fault', name: 'seed: lost', process: 'prober-0' }, one]
      : [one],
  );

test('1.4 who ends lets its Lease go: it did, and one that has not is seen, unless it met a fault', async () => {
  expect(await endedAs((seen) => [seen])).toBe(undefined);
  expect(await endedAs(atOnce)).toBe(
    'prober-0#1 has ended, and garden/dwd-prober-leader-election still bears its name',
  );
  expect(await endedAs(struckAtOnce)).toBe(undefined);
});

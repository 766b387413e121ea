import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { LeaseClient } from '../../src/adapters/election/lease-client.ts';
import { microTime } from '../../src/adapters/election/lease-record.ts';
import { LeaseContest } from '../../src/adapters/election/lease-contest.ts';
import { GoCandidate } from '@dwd/testing/go-candidate.ts';
import { type LeaseServer, OwnClock, type Lease, type Line } from '@dwd/testing/lease-server.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';
import { candidate, lateLine, name, stage, start } from './election-stage.ts';

test('8 the first candidate makes the Lease, as client-go writes it', async () => {
  const { clock, server } = stage();
  const { election, told } = candidate(server, clock, 'pod-1_uuid');
  expect(election.granted()).toBe(false);
  await clock.advanceBy(0);
  expect(told).toEqual(['standby', 'leading']);
  expect(election.granted()).toBe(true);
  expect(server.lease).toMatchObject({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: {
      holderIdentity: 'pod-1_uuid',
      leaseDurationSeconds: 15,
      acquireTime: '2026-11-21T20:07:57.000000Z',
      renewTime: '2026-11-21T20:07:57.000000Z',
      leaseTransitions: 0,
    },
  });
});

test('8 a leader renews every two seconds, by one update', async () => {
  const { clock, server } = stage();
  const { told } = candidate(server, clock, 'a');
  await clock.advanceBy(0);
  server.asked.length = 0;
  await clock.advanceBy(20_000);
  expect(server.asked.map(({ at, method }) => `${method} ${at - start}`)).toEqual(
    Array.from({ length: 10 }, (_, index) => `PUT ${2_000 * (index + 1)}`),
  );
  expect(server.lease?.spec).toMatchObject({
    acquireTime: '2026-11-21T20:07:57.000000Z',
    renewTime: '2026-11-21T20:08:17.000000Z',
    leaseTransitions: 0,
  });
  expect(told).toEqual(['standby', 'leading']);
});

test('8 only create, get, update and watch are used, on the one Lease', async () => {
  const { clock, server } = stage();
  const first = candidate(server, clock, 'a');
  candidate(server, clock, 'bb');
  await clock.advanceBy(10_000);
  await clock.until(first.election.release(1_000));
  await clock.advanceBy(10_000);
  const collection = '/apis/coordination.k8s.io/v1/namespaces/garden/leases';
  const used = new Set(
    server.asked.filter(({ method }) => method !== 'WATCH').map(({ method, path }) => `${method} ${path}`),
  );
  expect(used).toEqual(new Set([`GET ${collection}/${name}`, `POST ${collection}`, `PUT ${collection}/${name}`]));
});

test('8 a second candidate waits, and takes over no sooner than 15 s and no later than 20 s after a crash', async () => {
  for (const watchable of [true, false]) {
    const { clock, server } = stage();
    server.watchable = watchable;
    const first = candidate(server, clock, 'a');
    const second = candidate(server, clock, 'bb');
    await clock.advanceBy(61_000);
    expect([first.told.at(-1), second.told.at(-1)]).toEqual(['leading', 'standby']);
    // Its last renewal was at 60 s.
    server.lines.set('a', 'hangs');
    await clock.advanceTo(start + 60_000 + 14_999);
    expect(second.told).toEqual(['standby']);
    await clock.advanceTo(start + 60_000 + 20_000);
    expect(second.told).toEqual(['standby', 'leading']);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'bb', leaseTransitions: 1 });
    expect([first.election.taken, second.election.taken]).toEqual([{ how: 'free' }, { how: 'ranOut', from: 'a' }]);
  }
});

test.each<Line>(['hangs', 'refused', 'deaf'])(
  '8 a leader whose line is %s may not write from the renew deadline on',
  async (line) => {
    const { clock, server } = stage();
    const { election, told, troubles } = candidate(server, clock, 'a');
    await clock.advanceBy(21_000);
    // Its last good renewal was sent at 20 s.
    server.lines.set('a', line);
    await clock.advanceTo(start + 29_999);
    expect(told).toEqual(['standby', 'leading']);
    expect([election.granted(), election.ended.aborted]).toEqual([true, false]);
    await clock.advanceTo(start + 30_000);
    expect([election.granted(), election.ended.aborted]).toEqual([false, true]);
    expect(told).toEqual(['standby', 'leading', 'lost']);
    expect(troubles.length).toBeGreaterThan(0);
    server.lines.set('a', 'up');
    server.asked.length = 0;
    await clock.advanceBy(60_000);
    expect(election.granted()).toBe(false);
    expect(server.asked).toEqual([]);
    expect(clock.sleeping).toBe(0);
  },
);

test('8 a short break of the line costs nothing', async () => {
  const { clock, server } = stage();
  const { election, told } = candidate(server, clock, 'a');
  await clock.advanceBy(21_000);
  server.lines.set('a', 'deaf');
  await clock.advanceBy(5_900);
  server.lines.set('a', 'up');
  await clock.advanceBy(60_000);
  expect(told).toEqual(['standby', 'leading']);
  expect(election.granted()).toBe(true);
});

test('8 a process that stood still beyond its deadline leads no more, though no timer fired', async () => {
  const { clock, server } = stage();
  const own = new OwnClock(clock);
  const { election, told } = candidate(server, own, 'a');
  await clock.advanceBy(21_000);
  own.stillUntil = start + 60_000;
  await clock.advanceTo(start + 29_999);
  expect(election.granted()).toBe(true);
  await clock.advanceTo(start + 30_000);
  expect(election.granted()).toBe(false);
  expect(election.ended.aborted).toBe(false);
  await clock.advanceTo(start + 60_000);
  expect(told).toEqual(['standby', 'leading', 'lost']);
  expect(election.ended.aborted).toBe(true);
});

test('8 a Lease that shows another holder ends leadership at once', async () => {
  const { clock, server } = stage();
  const { election, told } = candidate(server, clock, 'a');
  await clock.advanceBy(3_000);
  server.serve({ method: 'PUT', body: { ...server.lease, spec: { ...server.lease!.spec, holderIdentity: 'thief' } } });
  await clock.advanceTo(start + 4_000);
  expect(told).toEqual(['standby', 'leading', 'lost']);
  expect(election.granted()).toBe(false);
});

test('8 a Lease that was deleted is made again, and one without a holder is taken', async () => {
  const { clock, server } = stage();
  const { told } = candidate(server, clock, 'a');
  await clock.advanceBy(3_000);
  server.delete();
  await clock.advanceBy(2_000);
  expect(server.holder).toBe('a');
  expect(told).toEqual(['standby', 'leading']);
  const bare = stage();
  bare.server.serve({ method: 'POST', body: { metadata: { name, labels: { kept: 'yes' } }, spec: {} } });
  const taken = candidate(bare.server, bare.clock, 'a');
  await bare.clock.advanceBy(0);
  expect(taken.told).toEqual(['standby', 'leading']);
  expect(bare.server.lease).toMatchObject({ metadata: { labels: { kept: 'yes' } }, spec: { leaseTransitions: 1 } });
});

test('8 a Lease whose count of holders is at its greatest is taken, and the count stays', async () => {
  const { clock, server } = stage();
  server.serve({ method: 'POST', body: { metadata: { name }, spec: { leaseTransitions: 2_147_483_647 } } });
  const { told } = candidate(server, clock, 'a');
  await clock.advanceBy(0);
  expect(told).toEqual(['standby', 'leading']);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 2_147_483_647 });
});

test('1.4 a graceful end releases the Lease, and the next one takes it at once', async () => {
  const { clock, server } = stage();
  const first = candidate(server, clock, 'a');
  const second = candidate(server, clock, 'bb');
  await clock.advanceBy(30_500);
  const released = first.election.release(2_000);
  expect([first.election.granted(), first.election.ended.aborted]).toEqual([false, true]);
  await clock.until(released);
  expect(first.told).toEqual(['standby', 'leading']);
  await clock.advanceBy(100);
  expect(second.told).toEqual(['standby', 'leading']);
  expect(second.election.taken).toEqual({ how: 'released', from: 'a' });
  expect(server.lease?.spec).toMatchObject({ holderIdentity: 'bb', leaseTransitions: 1 });
});

test('1.4 a renewal that was under way at the end, and arrives after the Lease was read, does not keep it held', async () => {
  const { clock, server } = stage();
  let isLate = true;
  const client = lateLine(server.clientOf('a'), async ({ method }) => {
    if (method !== 'GET' || !isLate || server.lease === undefined) return;
    isLate = false;
    const { lease } = server;
    server.serve({ method: 'PUT', body: { ...lease, spec: { ...lease.spec, renewTime: 'later' } } });
  });
  const first = candidate(server, clock, 'a', { client });
  await clock.advanceBy(30_000);
  expect(isLate).toBe(true);
  await clock.until(first.election.release(2_000));
  expect([isLate, server.holder]).toEqual([false, '']);
});

test('1.4 what is released is an empty holder for one second; without a watch it is found by polling', async () => {
  const { clock, server } = stage();
  server.watchable = false;
  const first = candidate(server, clock, 'a');
  const second = candidate(server, clock, 'bb');
  await clock.advanceBy(30_500);
  await clock.until(first.election.release(2_000));
  const now = microTime(start + 30_500);
  expect(server.lease?.spec).toEqual({
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: 0,
  });
  await clock.advanceBy(4_400);
  expect(second.told.at(-1)).toBe('leading');
});

test('1.4 a standby that ends, and an end without a server, leave the Lease to whom it belongs', async () => {
  const { clock, server } = stage();
  const first = candidate(server, clock, 'a');
  const second = candidate(server, clock, 'bb');
  await clock.advanceBy(5_000);
  await clock.until(second.election.release(2_000));
  expect(server.holder).toBe('a');
  server.lines.set('a', 'hangs');
  await clock.until(first.election.release(2_000));
  expect(clock.now()).toBe(start + 7_000);
  expect(server.holder).toBe('a');
  expect(clock.sleeping).toBe(0);
});

test('8 a Go leader is respected as long as it renews, whatever its clock says', async () => {
  for (const offset of [-3_600_000, 0, 3_600_000]) {
    const { clock, server } = stage();
    const go = new GoCandidate(server.clientOf('go'), new OwnClock(clock, offset), seededChance(1), 'go');
    void go.run();
    await clock.advanceBy(500);
    const { told } = candidate(server, clock, 'a');
    await clock.advanceBy(300_000);
    expect([go.leads, told]).toEqual([true, ['standby']]);
    const renewed = clock.now() - ((clock.now() - start) % 2_000);
    go.crash();
    await clock.advanceTo(renewed + 14_999);
    expect(told).toEqual(['standby']);
    await clock.advanceTo(renewed + 20_000);
    expect(told).toEqual(['standby', 'leading']);
  }
});

test('8 a Go candidate waits for ours, and takes what ours releases', async () => {
  const { clock, server } = stage();
  const { election } = candidate(server, clock, 'a');
  await clock.advanceBy(500);
  const go = new GoCandidate(server.clientOf('go'), clock, seededChance(1), 'go');
  void go.run();
  await clock.advanceBy(300_000);
  expect([go.leads, election.granted()]).toEqual([false, true]);
  await clock.until(election.release(1_000));
  await clock.advanceBy(4_400);
  expect([go.leads, server.holder]).toEqual([true, 'go']);
});

const version = (resourceVersion: string, holderIdentity: string): object => ({
  metadata: { name, resourceVersion },
  spec: { holderIdentity, leaseDurationSeconds: 15 },
});

test('8 a watch that lags behind an answer changes nothing', async () => {
  const { clock, server } = stage();
  const contest = new LeaseContest(new LeaseClient(server.clientOf('a'), 'garden', name), clock, 'a', 15_000);
  contest.see(version('10', ''));
  contest.see(version('9', 'other'));
  expect(contest.holder).toBe('');
  contest.see(version('11', 'other'));
  expect([contest.holder, contest.heldUntil]).toEqual(['other', start + 15_000]);
});

test('8 a standby wins after a backup was put back: what a GET answers counts, however old it looks', async () => {
  for (const watchable of [true, false]) {
    const { clock, server } = stage();
    server.watchable = watchable;
    candidate(server, clock, 'a');
    await clock.advanceBy(11_000);
    const backup = server.lease;
    let rewound = 0;
    const second = candidate(server, clock, 'bb', { onRewound: () => (rewound += 1) });
    await clock.advanceBy(61_000);
    // The leader goes with the old history, and so does what it has written.
    server.lines.set('a', 'hangs');
    const ahead = server.lease?.metadata.resourceVersion;
    expect(rewound).toBe(0);
    server.restore(backup);
    server.asked.length = 0;
    await clock.advanceBy(14_999);
    expect(rewound, '6.6 it is told once').toBe(1);
    expect(second.told, 'whoever led in the other history may lead still').toEqual(['standby']);
    await clock.advanceBy(5_001);
    expect(second.told).toEqual(['standby', 'leading']);
    const written = server.asked.filter(({ who, method }) => who === 'bb' && method === 'PUT');
    expect(written.length, 'no write met a conflict').toBe(
      Number(server.lease?.metadata.resourceVersion) - Number(ahead),
    );
  }
});

test('8 a leader leads on over a backup that was put back, where it held the Lease then', async () => {
  const { clock, server } = stage();
  const { told } = candidate(server, clock, 'a');
  await clock.advanceBy(11_000);
  const backup = server.lease;
  await clock.advanceBy(60_000);
  server.restore(backup);
  await clock.advanceBy(60_000);
  expect(told).toEqual(['standby', 'leading']);
});

test('S6 a backup in which nobody held the Lease does not make two lead', async () => {
  for (const [what, backup] of [
    ['free', { metadata: { name, resourceVersion: '1' }, spec: { holderIdentity: '', leaseDurationSeconds: 1 } }],
    ['none', undefined],
  ] as const) {
    const { clock, server } = stage();
    server.watchable = false;
    const first = candidate(server, clock, 'a');
    const second = candidate(server, clock, 'bb');
    await clock.advanceBy(21_000);
    server.lines.set('a', 'hangs');
    server.restore(backup);
    for (let step = 0; step < 30; step++) {
      await clock.advanceBy(1_000);
      expect([first, second].filter(({ election }) => election.granted()).length, `from ${what}`).toBeLessThan(2);
    }
    expect(second.told.at(-1)).toBe('leading');
  }
});

test('8 the GET’s answer does not replace what a watch sent while it was under way', async () => {
  const { clock, server } = stage();
  server.serve({
    method: 'POST',
    body: { metadata: { name }, spec: { holderIdentity: 'other', leaseDurationSeconds: 15 } },
  });
  const answers: (() => void)[] = [];
  const slow = lateLine(server.clientOf('a'), ({ method }) =>
    method === 'GET' ? new Promise<void>((resolve) => answers.push(resolve)) : undefined,
  );
  const contest = new LeaseContest(new LeaseClient(slow, 'garden', name), clock, 'a', 15_000);
  const tried = contest.tryHold(new AbortController().signal);
  await settled();
  server.serve({ method: 'PUT', body: { ...server.lease, spec: { holderIdentity: '', leaseDurationSeconds: 1 } } });
  contest.see(server.lease);
  answers[0]?.();
  expect(await tried).toMatchObject({ ours: true });
});

test('8 each try that fails is reported with its reason', async () => {
  const { clock, server } = stage();
  server.lines.set('a', 'refused');
  const { troubles, told } = candidate(server, clock, 'a');
  await clock.advanceBy(60_000);
  expect(troubles.length).toBeGreaterThan(10);
  expect(new Set(troubles)).toEqual(new Set(['nobody there']));
  const before = troubles.length;
  server.lines.set('a', 'up');
  await clock.advanceBy(5_000);
  expect(told.at(-1)).toBe('leading');
  expect(troubles).toHaveLength(before);
  server.lines.set('a', 'refused');
  await clock.advanceBy(5_000);
  expect(troubles.length).toBeGreaterThan(before);
});

test('8 9.4 a candidate names who holds the Lease, once for each holder, and never itself', async () => {
  const { clock, server } = stage();
  const first = candidate(server, clock, 'a');
  await clock.advanceBy(5_000);
  const second = candidate(server, clock, 'b');
  const third = candidate(server, clock, 'c');
  await clock.advanceBy(60_000);
  expect([first.holders, second.holders, third.holders]).toEqual([[], ['a'], ['a']]);
  await first.election.release(1_000);
  await clock.advanceBy(30_000);
  const [leader, other] = second.told.at(-1) === 'leading' ? ['b', third] : ['c', second];
  expect(other.holders).toEqual(['a', leader]);
});

test('8 9.4 that the Lease may not be watched is reported once, and the election goes on', async () => {
  const { clock, server } = stage();
  server.watchable = false;
  const { unwatchable, told } = candidate(server, clock, 'a');
  const standby = candidate(server, clock, 'b');
  await clock.advanceBy(120_000);
  expect(told.at(-1)).toBe('leading');
  expect(unwatchable.length).toBeLessThanOrEqual(1);
  expect(standby.unwatchable).toHaveLength(1);
});

test('8 1.4 a Lease that is ours and cannot be released is reported, with the reason', async () => {
  const { clock, server } = stage();
  const leader = candidate(server, clock, 'a');
  await clock.advanceBy(5_000);
  const standby = candidate(server, clock, 'b');
  await clock.advanceBy(5_000);
  for (const name of ['a', 'b']) server.lines.set(name, 'refused');
  expect(await leader.election.release(1_000)).toMatchObject({ why: 'nobody there' });
  expect(await standby.election.release(1_000)).toBeUndefined();
});

/**
 * A candidate that could not ask for some time, and then finds the very Lease that it saw last, cannot tell that it was renewed and
 * put back meanwhile from that nobody renewed it. So it takes the Lease as if its holder had crashed, though the holder, cut off in its turn, may
 * lead on for up to a whole deadline. That is so with client-go, and with ours. It could be helped only by waiting for a whole lease duration
 * after every interruption, also where nothing was put back, and meanwhile nobody would lead.
 */
function looksUntouched({ lease, heard }: LeaseServer, backup: Lease | undefined): boolean {
  const { resourceVersion } = backup?.metadata ?? {};
  if (resourceVersion === lease?.metadata.resourceVersion) return false;
  return [...heard].some(([who, version]) => who !== backup?.spec['holderIdentity'] && version === resourceVersion);
}

test('S6 whatever breaks, never do two lead at once; once all is well, somebody leads', async () => {
  const fault = fc.record({
    who: fc.constantFrom('a', 'bb', 'go'),
    what: fc.constantFrom<Line | 'still' | 'deleted' | 'restored'>(
      'hangs',
      'refused',
      'deaf',
      'still',
      'deleted',
      'restored',
    ),
    at: fc.nat(120_000),
    length: fc.integer({ min: 1_000, max: 40_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 12 }), fc.nat(), async (faults, seed) => {
      const { clock, server } = stage();
      const chance = seededChance(seed);
      const clocks = { a: new OwnClock(clock, 500_000), bb: new OwnClock(clock, -500_000), go: new OwnClock(clock) };
      let ours = [candidate(server, clocks.a, 'a', { chance }), candidate(server, clocks.bb, 'bb', { chance })];
      const go = new GoCandidate(server.clientOf('go'), clocks.go, chance, 'go');
      void go.run();
      let isDeleted = faults.some(({ what }) => what === 'deleted');
      let wentBackUnseen = false;
      for (const { who, what, at, length } of faults) {
        clock.wakeAt(start + at).subscribe(() => {
          if (what === 'deleted') server.delete();
          else if (what === 'restored') {
            const backup = server.lease;
            clock.wakeAt(start + at + length).subscribe(() => {
              // A candidate that never got an answer cannot know that somebody held the Lease before it was gone.
              isDeleted ||= backup === undefined;
              wentBackUnseen ||= looksUntouched(server, backup);
              server.restore(backup);
            });
          }
          // client-go takes a candidate that stood still for a leader until a whole deadline later; we do not.
          else if (what === 'still') clocks[who === 'go' ? 'a' : who].stillUntil = clock.now() + length;
          else server.lines.set(who, what);
        });
        clock.wakeAt(start + at + length).subscribe(() => server.lines.set(who, 'up'));
      }
      // client-go takes the time of a renewal before its first request. Where that one arrived and its answer did not, the next request writes
      // the same again: nobody sees that, yet client-go counts it as a renewal, and may lead beyond the lease. Ours takes the time anew.
      const goLeads = (): boolean => go.leads && clock.now() < (server.changedAt.get('go') ?? -Infinity) + 15_000;
      const leaders = (): number => ours.filter(({ election }) => election.granted()).length + (goLeads() ? 1 : 0);
      while (clock.now() < start + 170_000) {
        await clock.advanceBy(250);
        // A Lease that somebody deletes excludes nobody; that is so with client-go too.
        expect(isDeleted || wentBackUnseen || leaders() <= 1, `${leaders()} lead at ${clock.now() - start}`).toBe(true);
      }
      // A process that has lost has ended, and its Deployment starts another one.
      ours = [...ours.filter(({ told }) => told.at(-1) !== 'lost'), candidate(server, clock, 'next', { chance })];
      await clock.advanceBy(40_000);
      expect(leaders()).toBe(1);
    }),
    { numRuns: 60 },
  );
});

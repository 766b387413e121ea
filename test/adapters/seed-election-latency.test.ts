import { expect, test } from 'vitest';
import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import { OwnClock } from '@dwd/testing/lease-server.ts';
import { after, candidate, lateLine, stage, start } from './election-stage.ts';

test('8 the lead counts from when a renewal was sent: one that is answered late gives no more time', async () => {
  const { clock, server } = stage();
  let delay = 0;
  const client = lateLine(server.clientOf('a'), ({ method }) =>
    method === 'PUT' && delay > 0 ? after(clock, delay) : undefined,
  );
  const { election } = candidate(server, clock, 'a', { client });
  await clock.advanceBy(1_000);
  // Sent at 2 s, answered at 6; nothing is heard after it.
  delay = 4_000;
  await clock.advanceBy(4_500);
  server.lines.set('a', 'hangs');
  await clock.advanceTo(start + 11_999);
  expect(election.granted()).toBe(true);
  await clock.advanceTo(start + 12_000);
  expect(election.granted()).toBe(false);
});

test('8 a Lease that was taken so slowly that its deadline is over already is no lead; the next try is one', async () => {
  const { clock, server } = stage();
  const own = new OwnClock(clock);
  // Its process stands still as the answer comes.
  const client = lateLine(server.clientOf('a'), ({ method }) => (method === 'POST' ? after(clock, 11_000) : undefined));
  own.stillUntil = start + 10_999;
  const { told, election } = candidate(server, own, 'a', { client });
  await clock.advanceBy(11_000);
  expect(told).toEqual(['standby']);
  expect(election.granted()).toBe(false);
  await clock.advanceBy(10_000);
  expect(told).toEqual(['standby', 'leading']);
  expect(election.granted()).toBe(true);
});

test('8 in the Lease stand whole seconds, and the lead lasts no longer than these', async () => {
  const { clock, server } = stage();
  const { election } = candidate(server, clock, 'a', {
    leaseDuration: 2_900,
    renewDeadline: 2_600,
    retryPeriod: 1_000,
  });
  await clock.advanceBy(0);
  expect(server.lease?.spec).toMatchObject({ leaseDurationSeconds: 2 });
  server.lines.set('a', 'hangs');
  await clock.advanceBy(1_999);
  expect(election.granted()).toBe(true);
  await clock.advanceBy(1);
  expect(election.granted()).toBe(false);
});

test('8 a Lease whose holder is silent is taken as soon as it has run out, however late the next look would be', async () => {
  const { clock, server } = stage();
  server.watchable = false;
  server.serve({ method: 'POST', body: { metadata: {}, spec: { holderIdentity: 'gone', leaseDurationSeconds: 15 } } });
  const { told } = candidate(server, clock, 'a', { retryPeriod: 4_000, chance: () => 0.99 });
  await clock.advanceBy(14_999);
  expect(told).toEqual(['standby']);
  await clock.advanceBy(1);
  expect(told).toEqual(['standby', 'leading']);
});

test('8 a candidate watches the Lease until it leads, and no longer', async () => {
  const { clock, server } = stage();
  let watches = 0;
  const plain = server.clientOf('a');
  const client: KubeClient = {
    ...plain,
    async *lines(request) {
      watches += 1;
      try {
        yield* plain.lines(request);
      } finally {
        watches -= 1;
      }
    },
  };
  server.serve({ method: 'POST', body: { metadata: {}, spec: { holderIdentity: 'gone', leaseDurationSeconds: 15 } } });
  const { told } = candidate(server, clock, 'a', { client });
  await clock.advanceBy(10_000);
  expect(watches).toBe(1);
  await clock.advanceBy(20_000);
  expect(told.at(-1)).toBe('leading');
  expect(watches).toBe(0);
});

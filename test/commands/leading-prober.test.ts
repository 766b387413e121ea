import { expect, test } from 'vitest';
import { leaderWords, leadingProber, type Leading } from '../../src/commands/leading-prober.ts';
import { FakeKubeClient, refusal } from '@dwd/testing/fake-kube-client.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const renewedAt = Date.UTC(2026, 10, 21, 20, 0, 0);

function leader(passed: number, spec: Readonly<Record<string, unknown>> = {}): Promise<Leading> {
  const renewTime = new Date(renewedAt).toISOString().replace('Z', '000Z');
  const lease = { spec: { holderIdentity: 'prober-1', leaseDurationSeconds: 15, renewTime, ...spec } };
  return leadingProber(new FakeKubeClient(() => lease), new VirtualClock(renewedAt + passed), 'garden');
}

test('1.1 8 a Lease that was renewed lately has a leader, also by a clock that is somewhat ahead', async () => {
  for (const passed of [2_000, -30_000, 2_000 + 60_000])
    expect(await leader(passed)).toMatchObject({ is: 'led', holder: 'prober-1' });
});

test('1.1 8 nobody leads by a Lease that has run out, was let go, or is not there', async () => {
  expect(await leader(15_000 + 60_000)).toEqual({ is: 'nobody' });
  expect(await leader(2_000, { holderIdentity: '' })).toEqual({ is: 'nobody' });
  const none = new FakeKubeClient(() => {
    throw refusal(404);
  });
  expect(await leadingProber(none, new VirtualClock(), 'garden')).toEqual({ is: 'noLease' });
});

test.each([
  [-30_000, 'leads: it renewed its Lease garden/dwd-prober-leader-election just now.', 'End it first, or say --force.'],
  [2_000, 'leads: it renewed its Lease garden/dwd-prober-leader-election 2.0 s ago.', 'End it first, or say --force.'],
  [
    52_000,
    'has not renewed its Lease garden/dwd-prober-leader-election for 52.0 s, but may still lead.',
    'If it is dead, wait 23 s, or say --force.',
  ],
])('1.1 8 %d ms after the last renewal it is said who leads, and what to do', async (passed, says, remedy) => {
  const leading = await leader(passed);
  if (leading.is !== 'led') throw new Error(leading.is);
  expect(leaderWords(leading, 'garden', renewedAt + passed)).toEqual({ leads: `the prober prober-1 ${says}`, remedy });
});

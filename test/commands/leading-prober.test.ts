import { expect, test } from 'vitest';
import { leadingProber } from '../../src/commands/release.ts';
import { FakeKubeClient, refusal } from '../support/fake-kube-client.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const renewedAt = Date.UTC(2026, 10, 21, 20, 0, 0);

function leader(passed: number, spec: Readonly<Record<string, unknown>> = {}): Promise<string | undefined> {
  const renewTime = new Date(renewedAt).toISOString().replace('Z', '000Z');
  const lease = { spec: { holderIdentity: 'prober-1', leaseDurationSeconds: 15, renewTime, ...spec } };
  return leadingProber(new FakeKubeClient(() => lease), new VirtualClock(renewedAt + passed), 'garden');
}

test('1.1 8 a Lease that was renewed lately has a leader, also by a clock that is somewhat ahead', async () => {
  expect(await leader(2_000)).toBe('prober-1');
  expect(await leader(-30_000)).toBe('prober-1');
  expect(await leader(2_000 + 60_000)).toBe('prober-1');
});

test('1.1 8 nobody leads by a Lease that has run out, was let go, or is not there', async () => {
  expect(await leader(15_000 + 60_000)).toBeUndefined();
  expect(await leader(2_000, { holderIdentity: '' })).toBeUndefined();
  const none = new FakeKubeClient(() => {
    throw refusal(404);
  });
  expect(await leadingProber(none, new VirtualClock(), 'garden')).toBeUndefined();
});

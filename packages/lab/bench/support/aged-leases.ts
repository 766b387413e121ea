import type { Chance } from 'dependency-watchdog/effects/ports.ts';
import { type LeasePolicy, judgeLeases } from 'dependency-watchdog/domain/prober/verdict.ts';
import { readLease, type NodeLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { asObject, microTime } from '@dwd/simulator/store/kube-object.ts';

/** Gardener's. */
export const leasePolicy: LeasePolicy = { grace: 40_000, failureFraction: 0.6 };

/** Cuts a shoot off as if it had been for a while: its leases are so old. Gives when the threshold is crossed, and when the first node would be marked. */
export function cutOffWithAges(
  shoot: EmbeddedShoot,
  [youngest, oldest]: readonly [Millis, Millis],
  now: Instant,
  chance: Chance,
): Readonly<{ crossedAt: Instant; firstMarkAt: Instant }> {
  shoot.cutOff();
  const leases = leasesOf(shoot);
  for (const { object } of leases.list('kube-node-lease')) {
    const renewedAt = now - youngest - chance() * (oldest - youngest);
    leases.put({ ...object, spec: { ...asObject(object['spec']), renewTime: microTime(renewedAt) } });
  }
  return crossingOf(shoot);
}

/** When the shoot's threshold is crossed if no lease is renewed any more, and when the first node would be marked. */
export function crossingOf(shoot: EmbeddedShoot): Readonly<{ crossedAt: Instant; firstMarkAt: Instant }> {
  const verdict = judgeLeases(readLeases(shoot), Infinity, leasePolicy);
  if (verdict.kind !== 'cutOff') throw new Error(`${shoot.name} has too few nodes`);
  return { crossedAt: verdict.crossedAt, firstMarkAt: verdict.firstMarkAt };
}

export function readLeases(shoot: EmbeddedShoot): readonly NodeLease[] {
  const leases = leasesOf(shoot).list('kube-node-lease');
  return leases.map(({ object }) => readLease(object)).filter((lease) => lease !== undefined);
}

function leasesOf({ api }: EmbeddedShoot) {
  return api.storage.store.of(kinds.lease);
}

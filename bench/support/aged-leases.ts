import type { Chance } from '../../src/effects/ports.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { judgeLeases } from '../../src/domain/prober/verdict.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import type { EmbeddedShoot } from '../../src/simulator/shoot/embedded-shoot.ts';
import { asObject, microTime } from '../../src/simulator/store/kube-object.ts';

/** Cuts a shoot off as if it had been for a while: its leases are so old. Gives when the threshold is crossed, and when the first node would be marked. */
export function cutOffWithAges(
  shoot: EmbeddedShoot,
  [youngest, oldest]: readonly [Millis, Millis],
  now: Instant,
  chance: Chance,
): Readonly<{ crossedAt: Instant; firstMarkAt: Instant }> {
  shoot.cutOff();
  const leases = shoot.api.storage.store.of(kinds.lease);
  const renewals = leases.list('kube-node-lease').map(({ object }) => {
    const renewedAt = now - youngest - chance() * (oldest - youngest);
    const { name } = object.metadata;
    leases.put({ ...object, spec: { ...asObject(object['spec']), renewTime: microTime(renewedAt) } });
    return { node: name, renewedAt };
  });
  const verdict = judgeLeases(renewals, Infinity, { grace: 40_000, failureFraction: 0.6 });
  if (verdict.kind !== 'cutOff') throw new Error(`${shoot.name} has too few nodes`);
  return { crossedAt: verdict.crossedAt, firstMarkAt: verdict.firstMarkAt };
}

import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/adapters/record/metrics/metrics.ts';
import { zonedShoot } from '../support/guarded-shoots.ts';
import { ofShoots } from '@dwd/testing/recorded-nights.ts';

test('5.6 5.7 9.2 shoots of which a part is cut off, or leases are late, are counted over the seed, until it is over, all is cut off, or they pause or go', async () => {
  const guarded = await zonedShoot();
  onTestFinished(() => guarded.stop());
  const metrics = createMetrics('prober');
  let told = 0;
  const counts = async () => {
    for (const turn of ofShoots(guarded.turns.slice(told), 3)) metrics.observe(turn);
    told = guarded.turns.length;
    const text = await metrics.text();
    return ['dwd_shoots_partly_cut_off', 'dwd_shoots_with_late_leases'].map((name) =>
      Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]),
    );
  };
  expect(await counts()).toEqual([0, 0]);
  guarded.world.cutOff(3);
  await guarded.pass(180_000);
  // Those of the part are told with it; others are not.
  expect(await counts()).toEqual([3, 0]);
  for (const node of guarded.world.nodes.slice(3, 5)) node.cutOffAt = guarded.clock.now();
  await guarded.pass(60_000);
  expect(await counts()).toEqual([3, 3]);
  const last = ofShoots(guarded.turns.slice(-1), 3);
  metrics.observe({ ...last[0]!, event: { type: 'ended', at: last[0]!.at, because: 'gone' } });
  expect(await counts()).toEqual([2, 2]);
  metrics.observe({ ...last[1]!, from: 'probing', to: 'idle', notes: [] });
  expect(await counts()).toEqual([1, 1]);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  expect(await counts()).toEqual([0, 0]);
  guarded.world.heal();
  await guarded.pass(300_000);
  guarded.world.cutOff(3);
  await guarded.pass(180_000);
  expect(await counts()).toEqual([3, 0]);
  guarded.world.heal();
  await guarded.pass(120_000);
  expect(await counts()).toEqual([0, 0]);
});

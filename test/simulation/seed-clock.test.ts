import { expect, test } from 'vitest';
import { watchedSeed } from '../support/watched-seed.ts';

// Of the prober's machine: kubelets, API servers and controller-managers go by the true time.
test.each([20_000, 30_000, -30_000])(
  '5.1 the prober’s clock is wrong by %i ms: no shoot is cut off for it, and an outage is decided in time',
  async (proberAhead) => {
    await using stage = await watchedSeed({ shoots: 3, proberAhead });
    await stage.pass(200_000);
    expect(stage.areAll('probing')).toBe(true);
    expect(stage.changes.scalings()).toEqual([]);
    expect(stage.notesOf('clockDiffers')).toHaveLength(3);

    stage.shoot(1).cutOff();
    await stage.untilState('scaledDown', 45_000, 1);
    stage.shoot(1).heal();
    await stage.untilState('probing', 120_000, 1);
    expect(stage.marks).toBe(0);
    expect(stage.changes.scalings()).toHaveLength(6);
  },
);

test('5.1 4.7 a shoot whose API server tells a wrong time is judged by what was seen of its leases, and harms nobody', async () => {
  await using stage = await watchedSeed({ shoots: 2 });
  stage.shoot(0).api.clockAhead = 3_600_000;
  await stage.pass(200_000);
  expect(stage.areAll('probing')).toBe(true);
  stage.shoot(0).cutOff();
  await stage.untilState('scaledDown', 45_000, 0);
  expect(stage.state(1)).toBe('probing');
  expect(stage.marks).toBe(0);
});

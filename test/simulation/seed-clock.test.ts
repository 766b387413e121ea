import { expect, test } from 'vitest';
import { watchedSeed } from '../support/watched-seed.ts';

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

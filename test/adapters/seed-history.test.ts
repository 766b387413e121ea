import { expect, test } from 'vitest';
import { listedLater, SeedHistory } from '../../src/adapters/reflector/seed-history.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('6.6 a history that went back does so again a minute later and four minutes after that, and no more; then a restore counts anew', async () => {
  const clock = new VirtualClock();
  const history = new SeedHistory();
  const seen: number[] = [];
  history.wentBack$.subscribe(() => void seen.push(clock.now()));
  const listing = listedLater(history, clock).subscribe();
  await clock.advanceTo(1_000);
  history.goBack();
  await clock.advanceTo(2_000);
  history.goBack();
  await clock.advanceTo(3_600_000);
  expect(seen).toEqual([1_000, 2_000, 61_000, 301_000]);
  history.goBack();
  await clock.advanceTo(7_200_000);
  expect(seen.slice(4)).toEqual([3_600_000, 3_660_000, 3_900_000]);
  history.goBack();
  listing.unsubscribe();
  await clock.advanceTo(9_000_000);
  expect(seen).toHaveLength(8);
  expect(clock.sleeping).toBe(0);
});

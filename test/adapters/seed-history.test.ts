import { expect, test } from 'vitest';
import { listedLater, SeedHistory } from '../../src/adapters/reflector/seed-history.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('6.6 a minute after its begin, and four minutes after that, a history goes back, and so it does after a restore', async () => {
  const clock = new VirtualClock();
  const history = new SeedHistory();
  const seen: number[] = [];
  history.wentBack$.subscribe(() => void seen.push(clock.now()));
  const listing = listedLater(history, clock).subscribe();
  await clock.advanceTo(290_000);
  expect(seen).toEqual([60_000]);
  history.goBack();
  await clock.advanceTo(299_000);
  history.goBack();
  await clock.advanceTo(3_600_000);
  expect(seen.slice(1)).toEqual([290_000, 299_000, 359_000, 599_000]);
  history.goBack();
  listing.unsubscribe();
  await clock.advanceTo(9_000_000);
  expect(seen).toHaveLength(6);
  expect(clock.sleeping).toBe(0);
});

import { EMPTY, Subject, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { listedLater, SeedHistory } from '../../src/adapters/reflector/seed-history.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

/** A history, and what it tells from now on: `doubted 60000`, `back 290000`. */
function historyWith(occasionsOf: (history: SeedHistory) => Observable<unknown> = () => EMPTY) {
  const clock = new VirtualClock();
  const history = new SeedHistory();
  const told: string[] = [];
  history.wentBack$.subscribe(() => void told.push(`back ${clock.now()}`));
  history.doubted$.subscribe(() => void told.push(`doubted ${clock.now()}`));
  return { clock, history, told, listing: listedLater(history, clock, occasionsOf(history)).subscribe() };
}

test('6.6 a minute after its begin, and four minutes after that, a history is doubted; after a restore it goes back so late once more', async () => {
  const { clock, history, told, listing } = historyWith();
  await clock.advanceTo(290_000);
  history.goBack();
  await clock.advanceTo(299_000);
  history.goBack();
  await clock.advanceTo(3_600_000);
  expect(told).toEqual(['doubted 60000', 'back 290000', 'back 299000', 'back 359000', 'back 599000']);
  history.goBack();
  listing.unsubscribe();
  await clock.advanceTo(9_000_000);
  expect(told).toHaveLength(6);
  expect(clock.sleeping).toBe(0);
});

test('6.6 a history that nobody restores is doubted twice, and no more unless there is an occasion', async () => {
  const { clock, history, told, listing } = historyWith();
  await clock.advanceTo(400_000);
  history.suspect();
  await clock.advanceTo(9_000_000);
  expect(told).toEqual(['doubted 60000', 'doubted 300000']);
  expect(history.timesBack).toBe(0);
  listing.unsubscribe();
});

test('6.6 where no Lease shows a restore, a history is doubted after the last watch that was cut as well, once a minute at most', async () => {
  const { clock, history, told, listing } = historyWith(({ suspected$ }) => suspected$);
  const suspectAt = async (at: number): Promise<void> => {
    await clock.advanceTo(at);
    history.suspect();
  };
  for (let at = 310_000; at <= 400_000; at += 10_000) await suspectAt(at);
  await suspectAt(470_000);
  await clock.advanceTo(900_000);
  expect(told).toEqual(['doubted 60000', 'doubted 300000', 'doubted 460000', 'doubted 530000', 'doubted 770000']);
  // A restore that is noticed is a better reason.
  history.suspect();
  history.goBack();
  await clock.advanceTo(9_000_000);
  expect(told.slice(5)).toEqual(['back 900000', 'back 960000', 'back 1200000']);
  history.suspect();
  listing.unsubscribe();
  expect(clock.sleeping).toBe(0);
});

test('6.6 who takes the lead may have missed a restore of which its Lease shows nothing: a history is doubted after that, too', async () => {
  const taken$ = new Subject<boolean>();
  const { clock, told, listing } = historyWith(() => taken$);
  await clock.advanceTo(1_000_000);
  taken$.next(true);
  await clock.advanceTo(9_000_000);
  expect(told).toEqual(['doubted 60000', 'doubted 300000', 'doubted 1060000', 'doubted 1300000']);
  listing.unsubscribe();
});

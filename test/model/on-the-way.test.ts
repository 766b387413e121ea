import { expect, test } from 'vitest';
import { delayedBy, kcm, mcm, newShoot } from '../support/lease-shoots.ts';
import type { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { present } from '@dwd/testing/views.ts';

const config = delayedBy(3_000);

/** The first level is down, and the second was written. */
function halfDown(): ShootDriver {
  const driver = newShoot(config);
  driver.wholeProbe('cutOff');
  driver.written(mcm);
  driver.follows(mcm);
  driver.written(kcm);
  expect(driver.state).toBe('scalingDown');
  return driver;
}

test('6.9 6.3 what somebody raises while the rest is still on its way down goes down with the next verdict', () => {
  const driver = halfDown();
  driver.sees(mcm, present({ resourceVersion: '90' }));
  expect(driver.wholeProbe('cutOff')).toContain('down mcm');
});

test('6.1 4.6 a delay that ends before the next probe is due wakes the machine by itself', () => {
  const driver = halfDown();
  driver.follows(kcm);
  expect(driver.state).toBe('scaledDown');
  driver.wholeProbe('connected');
  driver.written(kcm);
  const reachedAt = driver.now;
  driver.follows(kcm);
  expect(driver.nextProbeAt).toBeGreaterThan(reachedAt + 3_000);
  expect(driver.alarm).toBe(reachedAt + 3_000);
  expect(driver.wake(driver.alarm)).toContain('up mcm');
});

test('9.1 4.6 the one timer is set again where it moves, and not with each turn', () => {
  const driver = newShoot(config);
  const wakes = () => driver.outcome.commands.filter(({ type }) => type === 'wake').length;
  expect(wakes()).toBe(1);
  driver.sees(kcm, present({ resourceVersion: '91' }));
  expect(wakes()).toBe(0);
  driver.wakeProbe();
  expect(wakes()).toBe(1);
});

test('6.6 1.2 a dependant that is believed to be down is looked at before all scale-ups, and one that is known to run not at all', () => {
  const driver = halfDown();
  driver.follows(kcm);
  expect(driver.state).toBe('scaledDown');
  driver.sees(mcm, present({ resourceVersion: '92' }));
  driver.wake(driver.now + 60_000);
  const reads = driver.outcome.commands.filter(({ type }) => type === 'read');
  expect(reads).toMatchObject([{ params: { key: kcm.key, urgent: true } }]);
});

import { expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { deployment, gardenerConfig } from '../support/prober-configs.ts';
import { ShootDesk } from '../support/shoot-desk.ts';
import { present } from '../support/views.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 3_000 });
const config: ProberConfig = { ...gardenerConfig, dependants: [kcm, mcm], backoffJitterFactor: 0 };

/** The first level is down, and the second was written. */
function halfDown(): ShootDesk {
  const desk = new ShootDesk(config).allWell();
  desk.cluster();
  desk.wholeProbe('cutOff');
  desk.written(mcm);
  desk.follows(mcm);
  desk.written(kcm);
  expect(desk.state).toBe('scalingDown');
  return desk;
}

test('6.9 6.3 what somebody raises while the rest is still on its way down goes down with the next verdict', () => {
  const desk = halfDown();
  desk.sees(mcm, present({ resourceVersion: '90' }));
  expect(desk.wholeProbe('cutOff')).toContain('down mcm');
});

test('6.1 4.6 a delay that ends before the next probe is due wakes the machine by itself', () => {
  const desk = halfDown();
  desk.follows(kcm);
  expect(desk.state).toBe('scaledDown');
  desk.wholeProbe('connected');
  desk.written(kcm);
  const reachedAt = desk.now;
  desk.follows(kcm);
  expect(desk.nextProbeAt).toBeGreaterThan(reachedAt + 3_000);
  expect(desk.alarm).toBe(reachedAt + 3_000);
  expect(desk.wake(desk.alarm)).toContain('up mcm');
});

test('9.1 4.6 the one timer is set again where it moves, and not with each turn', () => {
  const desk = new ShootDesk(config).allWell();
  desk.cluster();
  const wakes = () => desk.outcome.commands.filter(({ type }) => type === 'wake').length;
  expect(wakes()).toBe(1);
  desk.sees(kcm, present({ resourceVersion: '91' }));
  expect(wakes()).toBe(0);
  desk.wakeProbe();
  expect(wakes()).toBe(1);
});

test('6.6 1.2 what is believed to be down is looked at before all scale-ups, and what is known to run not at all', () => {
  const desk = halfDown();
  desk.follows(kcm);
  expect(desk.state).toBe('scaledDown');
  desk.sees(mcm, present({ resourceVersion: '92' }));
  desk.wake(desk.now + 60_000);
  const reads = desk.outcome.commands.filter(({ type }) => type === 'read');
  expect(reads).toMatchObject([{ params: { key: kcm.key, urgent: true } }]);
});

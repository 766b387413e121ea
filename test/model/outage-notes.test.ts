import { expect, test } from 'vitest';
import { kcm, leaseConfig as config, mcm, newShoot as probing, takeDown } from '../support/lease-shoots.ts';
import { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { present, shielded } from '@dwd/testing/views.ts';

/** All notes, except a connected verdict. */
const said = (told: readonly string[]) => told.filter((one) => one.startsWith('say ') && one !== 'say connected');

test('9.1 decided with the first scale-down, shielded when all is down, restored when all is back, each once', () => {
  const driver = probing();
  expect(said(driver.wholeProbe('cutOff'))).toEqual(['say cutOff', 'say decided']);
  driver.written(mcm);
  expect(said(driver.follows(mcm)), 'the next level decides nothing').toEqual([]);
  driver.written(kcm);
  expect(said(driver.follows(kcm))).toEqual(['say shielded']);

  expect(said(driver.wholeProbe('connected'))).toEqual([]);
  const begunAt = driver.now;
  driver.written(kcm);
  driver.follows(kcm);
  driver.wait(300_000);
  driver.written(mcm);
  expect(said(driver.follows(mcm))).toEqual(['say restored']);
  expect(driver.outcome.notes).toEqual([{ kind: 'restored', begunAt }]);
});

test('9.1 a scale-down names the leases that it answers to; a scale-up has none', () => {
  const driver = probing();
  driver.wholeProbe('cutOff');
  expect(driver.writes.get(mcm.key)?.leases).toEqual({ expired: 2, candidates: 2 });
  takeDown(driver);
  driver.wholeProbe('connected');
  expect(driver.writes.get(kcm.key)?.change).toMatchObject({ replicas: 1 });
  expect(driver.writes.get(kcm.key)).not.toHaveProperty('leases');
});

test.each([
  ['was down already', false],
  ['was down already, when the leases crossed anew', true],
])('9.2 where all %s, what is taken down later in the outage decides nothing', (_, anew) => {
  const driver = probing({ ...config, successThreshold: 2 });
  for (const one of [kcm, mcm]) driver.sees(one, shielded());
  expect(said(driver.wholeProbe('cutOff'))).toEqual(['say cutOff']);
  if (anew) {
    driver.wholeProbe('connected');
    driver.wholeProbe('cutOff');
  }
  expect(driver.state).toBe('scaledDown');
  driver.sees(kcm, present({ resourceVersion: '900' }));
  expect(said(driver.wholeProbe('cutOff'))).toEqual(['say cutOff']);
  expect(driver.writes.get(kcm.key)?.change).toMatchObject({ replicas: 0 });
});

test('6.5 9.1 a way up that only raises what somebody else had scaled to 0 has restored nothing', () => {
  const driver = probing();
  driver.wholeProbe('connected');
  driver.sees(kcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '20' }));
  driver.wholeProbe('connected');
  expect(driver.writes.get(kcm.key)?.change).toEqual({ replicas: 1 });
  driver.written(kcm);
  expect(said(driver.follows(kcm))).toEqual([]);
  expect(driver.state).toBe('probing');
});

test('9.1 a way up that had nothing to write has restored nothing', () => {
  const driver = new ShootDriver(config);
  for (const one of [kcm, mcm]) driver.watches(one, true);
  driver.sees(mcm, present());
  driver.cluster();
  // A first look is not sure that the leases are fresh (5.1).
  driver.wholeProbe('connected');
  expect(driver.wholeProbe('connected')).toContain('read kcm');
  expect(driver.state).toBe('scalingUp');
  expect(said(driver.readsAgain(kcm))).toEqual([]);
  expect(driver.state).toBe('probing');
});

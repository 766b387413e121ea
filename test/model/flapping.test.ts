import { describe, expect, test } from 'vitest';
import { shootTurnLog } from '../../src/adapters/record/log/shoot-turn-log.ts';
import type { Log } from '../../src/adapters/record/log/log.ts';
import type { Millis } from '../../src/domain/time.ts';
import { auditedWorld } from '../support/audited-life.ts';
import { kcm, leaseConfig, mcm, probedShoot, takeDown } from '../support/lease-shoots.ts';
import { deployment, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import type { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { present, shielded } from '@dwd/testing/views.ts';
import { zonedShoot } from '../support/guarded-shoots.ts';

/** With this grace a shoot that is cut off for 20 s crosses the threshold each time. */
const config = { ...gardenerConfig, kcmNodeMonitorGraceDuration: 30_000 };
const hour: Millis = 3_600_000;
const ca = deployment('ca', { down: 0, up: 2 });

/** A log that keeps how often each kind of line was told, and what was told last; debug is not counted. */
function countingLog() {
  const told = new Map<string, number>();
  const last = { message: '' };
  const say: Log['info'] = (message, fields) => {
    const line = String(fields?.['line']);
    told.set(line, (told.get(line) ?? 0) + 1);
    last.message = message;
  };
  const log: Log = { debug: () => undefined, info: say, warn: say, error: say, writes: () => true };
  return { log, told, last };
}

test.each([10_000, 30_000])(
  'S1 S3 S4 S7 6.3 6.5 9.4 a shoot that flaps every 20 s for an hour breaks no law, is scaled to and fro three times in ten minutes at most, and is said to flap once; probeInterval %i',
  async (probeInterval) => {
    const { guarded, broken } = auditedWorld({ ...config, probeInterval });
    // With one replica one write raises it (6.5).
    for (const { key } of config.dependants) guarded.world.edit(key, { replicas: 1 });
    await guarded.pass(100_000);
    let flaps = 0;
    for (let passed = 0; passed < hour; passed += 40_000) {
      flaps += 1;
      guarded.world.cutOff();
      await guarded.pass(20_000);
      guarded.world.heal();
      await guarded.pass(20_000);
    }
    expect(broken).toEqual([]);
    // Ninety times.
    expect(guarded.world.writes.length).toBeGreaterThan(2 * config.dependants.length * 6);
    expect(guarded.world.writes.length).toBeLessThanOrEqual(2 * config.dependants.length * 3 * 6);
    expect(guarded.world.asked.leases, 'probes of an hour').toBeLessThan(800);
    expect(guarded.world.asked.machines, 'one look for each time').toBeLessThanOrEqual(flaps + 1);

    await guarded.pass(15 * 60_000);
    expect([guarded.state, broken]).toEqual(['probing', []]);
    for (const { key } of config.dependants)
      expect(guarded.world.state(key)).toMatchObject({ replicas: 1, ready: 1, mark: false, record: undefined });

    const { log, told } = countingLog();
    const observe = shootTurnLog(log);
    for (const turn of guarded.turns) observe(turn);
    expect([told.get('flapping'), told.get('no longer flapping')]).toEqual([1, 1]);
    expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(40);
  },
);

test('9.4 three outages in half an hour are outages, each with its lines', async () => {
  const { guarded } = auditedWorld(config);
  await guarded.pass(100_000);
  for (let outage = 0; outage < 3; outage++) {
    guarded.world.cutOff();
    await guarded.pass(60_000);
    guarded.world.heal();
    await guarded.pass(9 * 60_000);
  }
  const { log, told } = countingLog();
  const observe = shootTurnLog(log);
  for (const turn of guarded.turns) observe(turn);
  expect([told.get('flapping'), told.get('shielded'), told.get('restored')]).toEqual([undefined, 3, 3]);
});

test('9.4 5.6 5.7 a zone that comes and goes each minute for an hour is said to flap once, and how it is when that is over', async () => {
  const guarded = await zonedShoot();
  for (let passed = 0; passed < hour; passed += 120_000) {
    guarded.world.cutOff(3);
    await guarded.pass(60_000);
    guarded.world.heal();
    await guarded.pass(60_000);
  }
  guarded.world.cutOff(3);
  await guarded.pass(15 * 60_000);
  const { log, told, last } = countingLog();
  const observe = shootTurnLog(log);
  for (const turn of guarded.turns) observe(turn);
  expect([told.get('flapping'), told.get('no longer flapping')]).toEqual([1, 1]);
  expect(last.message).toBe('shoot--sim--one: its early warnings do not come and go any more; zone a is cut off');
  expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(20);
});

/** Down, and all of it followed. */
const goesDown = (driver: ShootDriver) => {
  const words = driver.wholeProbe('cutOff');
  if (words.includes('down mcm')) takeDown(driver);
  expect(driver.state).toBe('scaledDown');
};
const comesBack = (driver: ShootDriver) => {
  const words = driver.wholeProbe('connected');
  expect(driver.state).toBe('scalingUp');
  const said = driver.outcome.notes.find((note) => note.kind === 'returnWaits');
  driver.reserves();
  return { isRaised: words.includes('up kcm'), wait: said === undefined ? 0 : said.until - driver.now };
};
/** The kube-controller-manager is raised, and the next outage comes before the rest. */
const isRaised = (driver: ShootDriver) => {
  driver.written(kcm);
  driver.follows(kcm);
};

describe('6.5 a shoot that comes and goes', () => {
  test('6.5 each return within ten minutes of a scale-down waits longer, from nothing to two minutes', () => {
    const driver = probedShoot();
    const waits: (readonly [wait: Millis, isAtOnce: boolean, before: boolean, then: boolean])[] = [];
    for (let time = 0; time < 7; time++) {
      driver.wholeProbe('cutOff');
      if (time === 0) takeDown(driver);
      else {
        driver.written(kcm);
        driver.follows(kcm);
      }
      expect(driver.state).toBe('scaledDown');
      const { isRaised: isAtOnce, wait } = comesBack(driver);
      const before = wait > 0 && driver.wait(wait - 1).includes('up kcm');
      const then = wait > 0 && driver.wait(1).includes('up kcm');
      waits.push([wait, isAtOnce, before, then]);
      isRaised(driver);
    }
    const later = [15_000, 30_000, 60_000, 120_000, 120_000, 120_000];
    expect(waits).toEqual([[0, true, false, false], ...later.map((wait) => [wait, false, false, true])]);
  });

  test('6.3 6.5 4.6 the wait holds back neither a way down nor a probe, and a return that comes to nothing waits as long the next time', () => {
    const driver = probedShoot();
    goesDown(driver);
    comesBack(driver);
    isRaised(driver);
    driver.wholeProbe('cutOff');
    driver.written(kcm);
    driver.follows(kcm);
    for (let time = 0; time < 5; time++) {
      expect(comesBack(driver)).toEqual({ isRaised: false, wait: 15_000 });
      expect(driver.asked?.wanted).toBe(driver.now + 5_000);
      const writes = driver.writes.get(kcm.key);
      driver.wholeProbe('cutOff');
      expect([driver.state, driver.writes.get(kcm.key)]).toEqual(['scaledDown', writes]);
    }
  });

  test('6.5 6.6 what is seen to run during the wait, and stands at 0 by our mark again, waits on: a seed that was restored tells its history once more (soak number 770522)', () => {
    const driver = probedShoot();
    goesDown(driver);
    comesBack(driver);
    isRaised(driver);
    driver.wholeProbe('cutOff');
    driver.written(kcm);
    driver.follows(kcm);
    expect(comesBack(driver)).toEqual({ isRaised: false, wait: 15_000 });
    driver.sees(kcm, present({ resourceVersion: '900' }));
    driver.sees(kcm, shielded({ resourceVersion: '901' }));
    expect(driver.wholeProbe('connected')).not.toContain('up kcm');
  });

  test('6.5 6.6 where all of it is seen to run during the wait, that return is over, and the next one waits from its own beginning', () => {
    const driver = probedShoot();
    goesDown(driver);
    comesBack(driver);
    isRaised(driver);
    driver.wholeProbe('cutOff');
    driver.written(kcm);
    driver.follows(kcm);
    comesBack(driver);
    // What was believed for a minute is being read.
    driver.readsAgain(mcm);
    for (const one of [kcm, mcm]) driver.sees(one, present({ resourceVersion: '900' }));
    expect(driver.state).toBe('probing');
    for (const one of [kcm, mcm]) driver.sees(one, shielded({ resourceVersion: '901' }));
    expect(comesBack(driver)).toEqual({ isRaised: false, wait: 15_000 });
  });

  test('6.2 6.6 what is seen to run during its initialDelay, and is at 0 by our mark again, is raised when the delay is over', () => {
    const driver = probedShoot({ ...leaseConfig, dependants: [kcm, mcm, ca] });
    driver.wholeProbe('cutOff');
    for (const one of [mcm, ca, kcm]) {
      driver.written(one);
      driver.follows(one);
    }
    comesBack(driver);
    isRaised(driver);
    const end = driver.now + 30_000;
    driver.wait(1_000);
    expect(driver.sees(mcm, present({ resourceVersion: '900' }))).toEqual(['up ca']);
    driver.sees(mcm, shielded({ resourceVersion: '901' }));
    driver.wholeProbe('connected');
    expect(driver.context.flow?.steps[mcm.key]).toEqual({ is: 'delayed', until: end, write: 'none' });
    expect([driver.wake(end - 1), driver.wake(end)]).toEqual([[], ['up mcm']]);
  });

  test('6.5 L1 ten minutes after the last scale-down a return waits no more, and counts from the beginning', () => {
    const driver = probedShoot();
    goesDown(driver);
    comesBack(driver);
    isRaised(driver);
    driver.wholeProbe('cutOff');
    const at = driver.now;
    driver.written(kcm);
    driver.follows(kcm);
    while (driver.now < at + 540_000) driver.wholeProbe('cutOff');
    expect(comesBack(driver).wait).toBe(15_000);
    driver.wholeProbe('cutOff');
    driver.now = at + 600_000;
    expect(comesBack(driver).wait).toBe(0);
    // What was believed for minutes is being read.
    expect(driver.readsAgain(kcm)).toContain('up kcm');
    isRaised(driver);
    driver.wholeProbe('cutOff');
    driver.written(kcm);
    driver.follows(kcm);
    expect(comesBack(driver).wait, 'it is the first again').toBe(0);
  });

  test('3.1 6.5 6.9 what was refused, what somebody else raised, and what was before a pause or a take-over, does not count', () => {
    const refused = probedShoot();
    for (let time = 0; time < 3; time++) {
      refused.wholeProbe('cutOff');
      refused.answersWrite(mcm, { outcome: 'failed', detail: 'no' });
      refused.readsAgain(mcm);
      refused.wholeProbe('connected');
    }
    expect(refused.context.descents).toBeNull();

    const raised = probedShoot();
    goesDown(raised);
    for (let time = 0; time < 3; time++) {
      raised.sees(kcm, shielded({ replicas: 1, readyReplicas: 1, resourceVersion: String(100 + 10 * time) }));
      raised.wholeProbe('cutOff');
      raised.written(kcm);
      raised.follows(kcm);
    }
    expect(raised.context.descents?.count).toBe(1);
    expect(comesBack(raised).wait).toBe(0);

    raised.cluster({ hibernationEnabled: true });
    expect(raised.context.descents).toBeNull();

    const taken = probedShoot();
    for (const one of [kcm, mcm]) taken.sees(one, shielded({ resourceVersion: '50' }));
    expect(comesBack(taken).wait).toBe(0);
  });

  test('2 6.3 6.5 with a failureThreshold the wait ends once it is met, and a return after fewer waits on', () => {
    const driver = probedShoot({ ...leaseConfig, failureThreshold: 2 });
    const isCutOffOnce = () => {
      driver.wholeProbe('cutOff');
      driver.reserves();
    };
    isCutOffOnce();
    goesDown(driver);
    comesBack(driver);
    isRaised(driver);
    isCutOffOnce();
    isCutOffOnce();
    driver.written(kcm);
    driver.follows(kcm);
    comesBack(driver);
    const end = driver.now + 15_000;
    isCutOffOnce();
    expect([driver.state, driver.context.flow?.notBefore]).toEqual(['scalingUp', end]);
    isCutOffOnce();
    expect(driver.state).toBe('scaledDown');
    expect(comesBack(driver)).toEqual({ isRaised: false, wait: 15_000 });
  });

  test('2 6.5 with a successThreshold the wait begins once it is met', () => {
    const driver = probedShoot({ ...leaseConfig, successThreshold: 2 });
    goesDown(driver);
    driver.wholeProbe('connected');
    expect(driver.state).toBe('scaledDown');
    comesBack(driver);
    isRaised(driver);
    driver.wholeProbe('cutOff');
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.wholeProbe('connected')).not.toContain('say returnWaits');
    expect(driver.wholeProbe('connected')).toContain('say returnWaits');
  });
});

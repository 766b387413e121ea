import { describe, expect, test } from 'vitest';
import type { Millis } from '../../src/domain/time.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { delayedBy, kcm, mcm, probedShoot, takeDown } from '../support/lease-shoots.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { oneLeft, type ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { present } from '@dwd/testing/views.ts';

const config = delayedBy(300_000);

const probing = (under = config) => probedShoot(under);

const down = (under = config) => {
  const driver = probing(under);
  driver.wholeProbe('cutOff');
  takeDown(driver);
  expect(driver.state).toBe('scaledDown');
  return driver;
};

/** Wakes the machine when the place comes that it reserved. */
const atPlace = (driver: ShootDriver) => {
  driver.reserves();
  return driver.wakeProbe();
};
const untilProbe = (driver: ShootDriver) => driver.nextProbeAt - driver.now;

describe('4.6 probes while something is down by our hand', () => {
  test('4.6 from the verdict that takes something down, the next one is wanted 5 s after the last one was asked', () => {
    const driver = probing();
    expect(driver.asked).toBeUndefined();
    driver.wakeProbe();
    driver.leases([40_000, 40_000]);
    driver.now += 700;
    driver.candidates();
    const askedAt = driver.now - 700;
    expect(driver.asked).toEqual({ wanted: askedAt + 5_000, latest: askedAt + 30_000 });
    driver.reserves();
    expect(driver.nextProbeAt).toBe(askedAt + 5_000);
    expect(driver.wakeAt, 'the end of the first level').toBe(driver.now + 1_000);
  });

  test('4.6 so it is with every verdict until all is restored, the delays of the way up included', () => {
    const driver = down();
    for (let probe = 0; probe < 4; probe++) {
      atPlace(driver);
      driver.leases([40_000, 40_000]);
    }
    atPlace(driver);
    driver.leases([1_000, 1_000]);
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.state).toBe('scalingUp');
    for (let probe = 0; probe < 60; probe++) {
      expect(driver.asked?.wanted).toBe(driver.now + 5_000);
      atPlace(driver);
      driver.leases([1_000, 1_000]);
    }
    driver.written(mcm);
    driver.follows(mcm);
    expect(driver.state).toBe('probing');
    const before = driver.asked;
    driver.wakeProbe();
    driver.leases([1_000, 1_000]);
    expect(driver.asked, 'nothing is down any more').toBe(before);
    expect(untilProbe(driver)).toBeGreaterThan(20_000);
  });

  test('4.6 neither a verdict that is only counted nor one that finds nothing to take down hurries anything', () => {
    const counting = probing({ ...config, failureThreshold: 2 });
    counting.wholeProbe('cutOff');
    expect([counting.state, counting.asked]).toEqual(['leaseFailed', undefined]);
    counting.wholeProbe('cutOff');
    expect(counting.asked).toBeDefined();

    const others = probing();
    for (const one of [kcm, mcm]) others.sees(one, present({ replicas: 0, readyReplicas: 0, resourceVersion: '20' }));
    others.wholeProbe('cutOff');
    expect([others.state, others.asked]).toEqual(['scaledDown', undefined]);
  });

  test('4.6 after failures too: the back-off grows to 5 s, and a probe that hung is followed after a second', () => {
    const driver = down();
    const waits: Millis[] = [];
    for (let failure = 0; failure < 6; failure++) {
      driver.reserves();
      driver.wakeProbe();
      const askedAt = driver.now;
      driver.probeFails();
      driver.reserves();
      waits.push(driver.nextProbeAt - askedAt);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
    driver.wakeProbe();
    driver.now += 30_000;
    driver.probeFails({ reason: 'timeout' });
    expect(driver.asked?.wanted).toBe(driver.now + 1_000);
  });

  test('4.5 4.6 a pause that the shoot asked for outranks it', () => {
    const driver = down();
    driver.wakeProbe();
    driver.probeFails({ reason: 'throttled', retryAfter: 60_000 });
    driver.reserves();
    expect(driver.wait(59_999)).not.toContain('probe');
    expect(driver.wait(1)).toContain('probe');
  });

  test('4.6 where the interval is shorter nothing is reserved', () => {
    const driver = down({ ...config, probeInterval: 5_000 });
    driver.wholeProbe('cutOff');
    expect(driver.asked).toBeUndefined();
    expect(untilProbe(driver)).toBe(5_000);
  });

  test('4.6 without a place the regular probe stands, and so it does where the plan has changed meanwhile', () => {
    const driver = down();
    driver.wholeProbe('cutOff');
    const { nextProbeAt, asked } = driver;
    driver.reserves(null);
    expect(driver.nextProbeAt).toBe(nextProbeAt);
    driver.wakeProbe();
    driver.probeFails();
    const planned = driver.nextProbeAt;
    driver.take({ type: 'probe.reserved', at: driver.now, asked: asked!, probeAt: driver.now });
    expect(driver.nextProbeAt).toBe(planned);
  });

  test('2 4.6 successThreshold counts as before, at the quicker pace', () => {
    const driver = down({ ...config, successThreshold: 3 });
    driver.wholeProbe('cutOff');
    for (const state of ['scaledDown', 'scaledDown', 'scalingUp']) {
      atPlace(driver);
      driver.leases([1_000, 1_000]);
      expect(driver.state).toBe(state);
    }
  });
});

describe('5.4 no look that changes nothing', () => {
  test('5.4 where no lease is expired and all that is down carries our mark, the leases alone raise it', () => {
    const driver = down();
    expect(driver.wholeProbe('connected')).toEqual(['probe', 'up kcm', 'say connected']);
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.wait(300_000)).toContain('up mcm');
  });

  test('5.3 5.4 what others take down in that time is raised only after a look', () => {
    const driver = down();
    driver.wholeProbe('connected');
    driver.written(kcm);
    driver.follows(kcm);
    driver.sees(mcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '50' }));
    expect(driver.wait(300_000)).not.toContain('up mcm');
    expect(driver.wholeProbe('connected')).toContain('listCandidates and the Cluster');
    driver.wait(300_000);
    expect(driver.wholeProbe('connected')).toContain('up mcm');
  });

  test('5.4 where one node cannot tell, what others took down costs one look a minute', () => {
    const driver = down();
    driver.wholeProbe('connected');
    driver.written(kcm);
    driver.follows(kcm);
    driver.sees(mcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '50' }));
    let looks = 0;
    for (let probe = 0; probe < 12; probe++) {
      driver.wakeProbe();
      if (!driver.leases([1_000]).includes('listCandidates and the Cluster')) continue;
      looks += 1;
      driver.candidates(oneLeft);
    }
    // A probe comes each half a minute.
    expect(looks).toBe(6);
  });

  test('3.5 5.4 while the stream of Clusters is out, the Cluster is read first', () => {
    const driver = down();
    driver.clustersWatched(false);
    driver.wakeProbe();
    expect(driver.leases([1_000, 1_000])).toEqual(['listCandidates and the Cluster']);
  });

  test('5.4 cut off, with all down: one look a minute, whatever the pace of the probes', () => {
    const driver = down();
    let looks = 0;
    for (let probe = 0; probe < 24; probe++) {
      atPlace(driver);
      if (!driver.leases([40_000, 40_000]).includes('listCandidates')) continue;
      looks += 1;
      driver.candidates();
    }
    expect(looks).toBe(2);
  });

  test.each<[string, (driver: ShootDriver) => unknown]>([
    ['a lease came', (driver) => driver.leases([40_000, 40_000, 1_000])],
    ['some are fresh again, and not enough are expired', (driver) => driver.leases([40_000, 1_000])],
  ])('5.4 cut off, with all down: a look where %s', (_, answer) => {
    const driver = down();
    atPlace(driver);
    driver.leases([40_000, 40_000]);
    driver.now += 6_000;
    driver.wakeProbe();
    expect(answer(driver)).toContain('listCandidates');
  });

  test('5.4 6.9 cut off, and somebody raised it: nothing goes down by nodes and Machines that are older than 10 s', () => {
    for (const [wait, words] of [
      [4_000, ['down mcm', 'say cutOff']],
      [11_000, ['listCandidates']],
    ] as const) {
      const driver = down();
      driver.sees(mcm, present({ marked: true, record: '1', resourceVersion: '50' }));
      driver.reserves(driver.now + wait);
      driver.wakeProbe();
      expect(driver.leases([40_000, 40_000])).toEqual(words);
    }
  });
});

/** The leases of a probe that is asked so long after the last renewals. */
const probeAt = (driver: ShootDriver, ...ages: readonly [Millis, Millis]) => [
  ...driver.wakeProbe(),
  ...driver.leases(ages),
];

describe('5.4 the look before the crossing', () => {
  test('5.4 a probe that comes within 9 s before the leases could cross looks already, and at the crossing they decide alone', () => {
    const driver = probing({ ...config, probeInterval: 10_000 });
    expect(probeAt(driver, 20_999, 20_000)).toEqual(['probe', 'say connected']);
    const late = probing({ ...config, probeInterval: 10_000 });
    expect(probeAt(late, 22_000, 21_000)).toEqual(['probe', 'listCandidates']);
    expect(late.candidates()).toEqual(['say connected']);
    expect(untilProbe(late)).toBe(9_000);
    expect(probeAt(late, 31_000, 30_000)).toEqual(['probe', 'down mcm', 'say cutOff', 'say decided']);
  });

  test('5.2 5.4 by that look, too, a node that leaves does not count', () => {
    const driver = probing({ ...config, probeInterval: 10_000 });
    probeAt(driver, 22_000, 21_000);
    driver.candidates([{ node: 'a', phase: 'Running' }]);
    expect(probeAt(driver, 31_000, 30_000)).toEqual(['probe', 'say tooFew']);
  });

  test('5.4 a look that is older than 10 s at the crossing is made again', () => {
    const driver = probing({ ...config, probeInterval: 10_000 });
    probeAt(driver, 22_000, 21_000);
    driver.candidates();
    driver.now = driver.nextProbeAt + 1_001;
    expect(probeAt(driver, 32_001, 31_001)).toEqual(['probe', 'listCandidates']);
  });

  test('5.4 where leases are late, and no probe would come in those 9 s, one is planned 4 s before the crossing', () => {
    const driver = probing({ ...config, probeInterval: 30_000 });
    probeAt(driver, 19_000, 16_000);
    expect(untilProbe(driver)).toBe(10_000);
    expect(probeAt(driver, 29_000, 26_000)).toEqual(['probe', 'listCandidates']);
    const calm = probing({ ...config, probeInterval: 30_000 });
    probeAt(calm, 10_000, 9_000);
    expect(untilProbe(calm), 'leases that are not late cost no probe more').toBe(21_000);
  });

  test('5.4 5.8 6.2 in calm it costs one look an hour, and no probe', async () => {
    for (const [probeInterval, most] of [
      [10_000, 330],
      [30_000, 140],
    ] as const) {
      const guarded = new GuardedWorld({ ...gardenerConfig, probeInterval });
      await guarded.pass(100_000);
      const before = { ...guarded.world.asked };
      await guarded.pass(3_600_000);
      expect(guarded.world.asked.nodes - before.nodes).toBe(1);
      expect(guarded.world.asked.leases - before.leases).toBeLessThan(most);
    }
  });

  test('4.6 5.4 with an interval of 10 s every outage is decided by the leases of one probe and a look that was before it', async () => {
    for (let phase = 0; phase < 10_000; phase += 1_300) {
      const guarded = new GuardedWorld({ ...gardenerConfig, probeInterval: 10_000 });
      await guarded.pass(100_000 + phase);
      guarded.world.cutOff();
      await guarded.pass(45_000);
      const decided = guarded.turns.find(({ notes }) => notes.some(({ kind }) => kind === 'decided'));
      expect(decided?.event.type, `cut off ${phase} ms later`).toBe('probe.answered');
    }
  });
});

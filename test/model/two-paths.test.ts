import { describe, expect, test } from 'vitest';
import type { ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import { judgePath } from '../../src/domain/prober/shoot-path.ts';
import { kcm, mcm, newShoot } from '../support/lease-shoots.ts';
import { downShoot, goingDown, pathConfig, pathShoot, verdictOf } from '../support/path-shoots.ts';
import type { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { shielded } from '@dwd/testing/views.ts';

const dueIn = (driver: ShootDriver) => driver.wakeAt! - driver.now;
const both = ['ask internal path', 'ask external path'];
/** How often in a row the external path failed or answered. */
const streakOf = ({ context }: ShootDriver) => `${context.streak.of} ${context.streak.count}`;

const reasons: readonly ProbeFailureReason[] = [
  'kubeconfig',
  'unreachable',
  'certificate',
  'timeout',
  'unauthorized',
  'throttled',
  'refused',
  'garbled',
  'tooLarge',
  'local',
];

type Told = ReturnType<typeof judgePath>;
const toldBy = (reason: ProbeFailureReason): Told => judgePath({ stage: 'internal', reason, detail: '' });

describe('4.9 what is asked, and when', () => {
  test('4.9 the first probe asks the external path once the internal one has answered; the next asks both at once', () => {
    const driver = newShoot(pathConfig);
    expect(driver.wakeProbe()).toEqual(['ask internal path']);
    expect(driver.path('internal')).toEqual(['ask external path']);
    expect(driver.path('external')).toEqual(['say connected']);
    expect(driver.wakeProbe()).toEqual(both);
  });

  test.each(reasons.filter((reason) => toldBy(reason) !== 'answered'))(
    '4.9 so does each probe after one whose internal path gave no answer: %s',
    (reason) => {
      const driver = pathShoot();
      driver.wakeProbe();
      driver.path('internal', { reason });
      expect(driver.wakeProbe()).toEqual(['ask internal path']);
      driver.path('internal');
      driver.path('external');
      expect(driver.wakeProbe()).toEqual(both);
    },
  );

  test('4.9 so does the probe after one that was never answered', () => {
    const driver = pathShoot();
    driver.wakeProbe();
    driver.path('external');
    expect(driver.wait(6_000)).toEqual(['say probeLost']);
    expect(driver.wakeProbe()).toEqual(['ask internal path']);
  });

  test('4.9 both have one deadline, and the external one does not get more where it is asked later', () => {
    const driver = newShoot(pathConfig);
    driver.wakeProbe();
    const deadlines = () =>
      driver.outcome.commands.flatMap((one) => (one.type === 'askPath' ? [one.params.deadlineAt] : []));
    const deadlineAt = driver.now + 5_000;
    expect(deadlines()).toEqual([deadlineAt]);
    driver.now += 1_000;
    driver.path('internal');
    expect(deadlines()).toEqual([deadlineAt]);
    driver.path('external');
    driver.wakeProbe();
    expect(deadlines()).toEqual([driver.now + 5_000, driver.now + 5_000]);
  });

  test('4.9 in calm a probe comes after the interval; after a failure after a third of it, until they are enough', () => {
    const driver = newShoot(pathConfig);
    driver.wholePaths('connected');
    driver.wholePaths('connected');
    expect(dueIn(driver)).toBe(10_000);
    driver.wholePaths('cutOff');
    expect(dueIn(driver)).toBe(3_333);
    driver.wholePaths('cutOff');
    expect(dueIn(driver)).toBe(3_333);
    driver.wholePaths('cutOff');
    expect(driver.nextProbeAt - driver.now).toBe(10_000);
  });

  test('4.9 one success among the failures brings the usual pace back', () => {
    const driver = pathShoot();
    driver.wholePaths('cutOff');
    driver.wholePaths('connected');
    expect([dueIn(driver), streakOf(driver)]).toEqual([10_000, 'connected 1']);
  });

  test('4.9 the chance share of the interval after a first verdict brings no failure of the first one nearer', () => {
    for (let chance = 0; chance < 50; chance++) {
      const driver = newShoot(pathConfig, { chance });
      driver.wholePaths('cutOff');
      expect(dueIn(driver)).toBe(3_333);
    }
  });

  test('3.3 4.9 a change of what leases are judged by hurries no question; another grace counts from the next one on', () => {
    const driver = pathShoot();
    driver.wholePaths('cutOff');
    const { nextProbeAt } = driver;
    driver.wait(1_000);
    driver.cluster({ nodeMonitorGrace: 20_000, workers: [{ name: 'pool', nodeConditions: ['Broken'] }] });
    expect(driver.nextProbeAt).toBe(nextProbeAt);
    driver.wakeProbe();
    expect(driver.context.probe.asked?.deadlineAt).toBe(driver.now + 2_500);
  });

  test('4.6 4.9 while something is down by our hand a probe comes 5 s after the last one was asked', () => {
    const driver = downShoot();
    driver.wholePaths('cutOff');
    expect(driver.asked?.wanted).toBe(driver.now + 5_000);
  });

  test('S7 4.9 neither leases nor nodes are ever asked for', () => {
    const driver = newShoot(pathConfig);
    const words = ['connected', 'cutOff', 'cutOff', 'internalFails', 'cutOff', 'cutOff', 'connected'].flatMap((one) =>
      driver.wholePaths(one as 'connected'),
    );
    expect(words.filter((word) => word === 'probe' || word.startsWith('listCandidates'))).toEqual([]);
    expect(driver.context.seen).toBeNull();
  });
});

describe('4.9 the internal path', () => {
  const follows: Record<Told, readonly unknown[]> = {
    answered: [[], 'askingPaths', 0],
    failed: [['say internalFailed'], 'resting', 1],
    untold: [[], 'resting', 0],
  };

  test.each(reasons)('4.9 S1 fails as %s: what follows, and that nothing is scaled', (reason) => {
    const driver = pathShoot({ ...pathConfig, failureThreshold: 1 });
    driver.wakeProbe();
    const words = driver.path('internal', { reason });
    expect([words, driver.probe, driver.context.paths?.internalFailures]).toEqual(follows[toldBy(reason)]);
    expect([streakOf(driver), driver.state]).toEqual(['connected 1', 'probing']);
  });

  test('4.9 4.4 its failures are tried again after 1 s and 2 s; after the third the shoot is left alone, which is said once', () => {
    const driver = pathShoot();
    const pauses: (readonly [string, number])[] = [];
    for (let count = 0; count < 5; count++) {
      const words = driver.wholePaths('internalFails').filter((word) => word.startsWith('say'));
      pauses.push([words.join(), dueIn(driver)]);
    }
    expect(pauses).toEqual([
      ['', 1_000],
      ['', 2_000],
      ['say internalFailed', 30_000],
      ['', 30_000],
      ['', 30_000],
    ]);
    driver.wholePaths('connected');
    expect(dueIn(driver)).toBe(10_000);
    for (let count = 0; count < 2; count++)
      expect(driver.wholePaths('internalFails')).not.toContain('say internalFailed');
    expect(driver.wholePaths('internalFails'), 'said anew').toContain('say internalFailed');
    expect(driver.outcome.notes).toEqual([
      { kind: 'internalFailed', failures: 3, leftAloneUntil: driver.now + 30_000 },
    ]);
  });

  test('4.9 what could not even be tried here is no failure of it', () => {
    const driver = pathShoot();
    for (const reason of ['unreachable', 'unreachable', 'local', 'kubeconfig', 'local'] as const) {
      driver.wakeProbe();
      expect(driver.path('internal', { reason })).toEqual([]);
    }
    driver.wakeProbe();
    expect(driver.path('internal', { reason: 'unreachable' })).toEqual(['say internalFailed']);
  });

  test.each(['before', 'after'] as const)(
    '4.9 S1 it fails: what the external one tells %s it counts for nothing',
    (when) => {
      for (const failure of [undefined, {}]) {
        const driver = pathShoot();
        driver.wholePaths('cutOff');
        driver.wholePaths('cutOff');
        driver.wakeProbe();
        const number = driver.probeNumber;
        const tell = () => driver.path('external', failure, number);
        const words =
          when === 'before' ? [...tell(), ...driver.path('internal', {})] : [...driver.path('internal', {}), ...tell()];
        expect(words).toEqual([]);
        driver.wakeProbe();
        expect(driver.path('external', failure, number), 'in the next probe').toEqual([]);
        expect([streakOf(driver), driver.state]).toEqual(['cutOff 2', 'leaseFailed']);
      }
    },
  );

  test('4.9 once it answers, the external counts go on where they were', () => {
    const driver = pathShoot();
    driver.wholePaths('cutOff');
    driver.wholePaths('cutOff');
    for (let count = 0; count < 4; count++) driver.wholePaths('internalFails');
    expect(driver.wholePaths('cutOff')).toEqual([
      'ask internal path',
      'ask external path',
      'down mcm',
      'say cutOff',
      'say decided',
    ]);
  });

  test('4.9 it fails while the shoot goes down: what runs goes on, and nothing goes up', () => {
    const driver = goingDown();
    const words: string[] = [];
    for (let count = 0; count < 4; count++) words.push(...driver.wholePaths('internalFails'));
    expect(words.filter((word) => /^(down|up|withdraw) /.test(word))).toEqual(['down kcm']);
    driver.written(mcm);
    driver.follows(mcm);
    expect(driver.state).toBe('scalingDown');
  });
});

describe('4.9 the external path', () => {
  const follows: Record<Told, readonly unknown[]> = {
    answered: [['say connected'], 'connected 2', 'probing', 10_000],
    failed: [['down mcm', 'say cutOff', 'say decided'], 'cutOff 1', 'scalingDown', 10_000],
    untold: [[], 'connected 1', 'probing', 1_000],
  };

  test.each(reasons)('4.9 fails as %s where the internal one answers', (reason) => {
    const driver = pathShoot({ ...pathConfig, failureThreshold: 1 });
    driver.wakeProbe();
    driver.path('internal');
    const words = driver.path('external', { reason });
    const next = driver.nextProbeAt - driver.now;
    const held = (driver.context.probe.heldUntil ?? 0) > driver.now;
    // The first pause is a chance share of the interval, and nearly all of it here.
    expect([words, streakOf(driver), driver.state, Math.round(next / 1_000) * 1_000]).toEqual(follows[toldBy(reason)]);
    expect([verdictOf(driver)?.reason, held]).toEqual([
      toldBy(reason) === 'failed' ? reason : undefined,
      reason === 'throttled',
    ]);
  });

  test('4.9 fails `failureThreshold` times in a row: down; each verdict says how often, of how many, and since when', () => {
    const driver = pathShoot();
    const crossedAt = driver.nextProbeAt;
    const told = [1, 2, 3, 4].map(() => {
      driver.wholePaths('cutOff');
      return [verdictOf(driver)?.external, verdictOf(driver)?.crossedAt, driver.state];
    });
    expect(told).toEqual([
      [{ count: 1, of: 3 }, crossedAt, 'leaseFailed'],
      [{ count: 2, of: 3 }, crossedAt, 'leaseFailed'],
      [{ count: 3, of: 3 }, crossedAt, 'scalingDown'],
      [{ count: 4, of: 3 }, crossedAt, 'scalingDown'],
    ]);
  });

  test('4.9 an outcome in the other direction starts the count anew', () => {
    const driver = pathShoot();
    for (const outcome of ['cutOff', 'cutOff', 'connected', 'cutOff', 'cutOff'] as const) driver.wholePaths(outcome);
    expect([streakOf(driver), driver.state]).toEqual(['cutOff 2', 'leaseFailed']);
  });

  test('4.9 it answers `successThreshold` times in a row: all goes up, and not before', () => {
    const driver = downShoot({ ...pathConfig, successThreshold: 2 });
    driver.wholePaths('connected');
    expect([verdictOf(driver)?.external, driver.state]).toEqual([{ count: 1, of: 2 }, 'scaledDown']);
    driver.wholePaths('cutOff');
    driver.wholePaths('connected');
    expect(driver.state).toBe('scaledDown');
    expect(driver.wholePaths('connected')).toEqual([...both, 'up kcm', 'say connected']);
  });

  test('4.9 5.3 what somebody else has set to 0 goes up as well', () => {
    const driver = pathShoot();
    driver.sees(kcm, shielded({ marked: false, record: '1' }));
    expect(driver.wholePaths('connected')).toEqual([...both, 'readCluster', 'up kcm', 'say connected']);
  });

  test('4.9 6.10 a restart in an outage leaves down what is down, and counts from the beginning', () => {
    const driver = newShoot(pathConfig);
    for (const one of [kcm, mcm]) driver.sees(one, shielded());
    driver.cluster({ hibernationEnabled: true });
    driver.cluster();
    expect(dueIn(driver), 'it carries our mark').toBe(0);
    for (const count of [1, 2, 3, 4]) {
      expect(driver.wholePaths('cutOff').filter((word) => !word.startsWith('ask') && word !== 'say cutOff')).toEqual(
        [],
      );
      expect(streakOf(driver)).toBe(`cutOff ${count}`);
    }
    expect(driver.state).toBe('scaledDown');
    expect(driver.wholePaths('connected')).toContain('up kcm');
  });

  test('3.1 4.9 a pause starts every count anew, and the next probe asks the internal path first', () => {
    const driver = pathShoot();
    driver.wholePaths('cutOff');
    driver.wholePaths('cutOff');
    driver.wholePaths('internalFails');
    driver.cluster({ hibernationEnabled: true });
    driver.cluster();
    expect(driver.context).toMatchObject({ streak: { count: 0 }, paths: { internalFailures: 0, carriedAt: null } });
    expect(driver.wakeProbe()).toEqual(['ask internal path']);
  });
});

/** Plays a probe in which the internal path answers and the external one fails so long after it was asked. */
function probed(driver: ShootDriver, internalAfter: number, externalAfter: number, reason: ProbeFailureReason) {
  driver.wakeProbe();
  const askedAt = driver.now;
  const answers = [
    [internalAfter, () => driver.path('internal')],
    [externalAfter, () => driver.path('external', { reason })],
  ] as const;
  return answers
    .toSorted(([one], [other]) => one - other)
    .flatMap(([after, play]) => {
      driver.now = askedAt + after;
      return play();
    });
}

describe('4.9 an API server that is slow, not out of reach', () => {
  test.each([
    [
      'an external time-out counts where the internal path answered in half of the time',
      2_500,
      5_000,
      'timeout',
      'say cutOff',
    ],
    ['not where the internal one took longer', 2_501, 5_000, 'timeout', ''],
    ['nor where it answered after that', 5_000, 4_999, 'timeout', ''],
    ['any other failure counts all the same', 4_900, 5_000, 'unreachable', 'say cutOff'],
  ] as const)('4.9 %s', (_, internalAfter, externalAfter, reason, said) => {
    expect(probed(pathShoot(), internalAfter, externalAfter, reason).join()).toBe(said);
  });

  test.each([
    [2_500, 'say cutOff'],
    [2_501, ''],
  ] as const)('4.9 the same where the external one is asked only then, after %i ms', (internalAfter, said) => {
    const words = probed(newShoot(pathConfig), internalAfter, 5_000, 'timeout');
    expect(words.filter((word) => word.startsWith('say')).join()).toBe(said);
  });

  test('4.9 that it was slow is forgotten with the next probe', () => {
    const driver = pathShoot();
    probed(driver, 4_000, 5_000, 'timeout');
    expect(probed(driver, 8, 5_000, 'timeout')).toEqual(['say cutOff']);
  });
});

describe('4.5 4.9 a path that is throttled', () => {
  test.each(['internal', 'external'] as const)('4.5 the %s one holds the shoot back, and is an answer', (path) => {
    const driver = pathShoot();
    driver.wakeProbe();
    const throttled = { reason: 'throttled', retryAfter: 45_000 } as const;
    driver.path('internal', path === 'internal' ? throttled : undefined);
    expect(driver.path('external', path === 'external' ? throttled : undefined)).toEqual(['say connected']);
    expect(dueIn(driver)).toBe(45_000);
  });

  test('4.5 of two pauses the longer one stands, the back-off of 4.9 included', () => {
    const driver = pathShoot();
    driver.wakeProbe();
    driver.path('external', { reason: 'throttled', retryAfter: 45_000 });
    driver.path('internal', { reason: 'throttled', retryAfter: 12_000 });
    expect(dueIn(driver)).toBe(45_000);

    const failing = pathShoot({ ...pathConfig, failureThreshold: 1 });
    failing.wakeProbe();
    failing.path('external', { reason: 'throttled', retryAfter: 45_000 });
    expect(failing.path('internal', {})).toEqual(['say internalFailed']);
    expect(dueIn(failing)).toBe(45_000);
  });

  test('4.5 it outranks the hurry while failures are counted', () => {
    const driver = pathShoot();
    driver.wakeProbe();
    driver.path('internal', { reason: 'throttled', retryAfter: 10_000 });
    expect(driver.path('external', {})).toEqual(['say cutOff']);
    expect(dueIn(driver)).toBe(10_000);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { ProbeFailure } from '../../src/domain/prober/probe-failure.ts';
import type { ShootEvent } from '../../src/machines/shoot-language.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { delayedBy, kcm, mcm, newShoot, probedShoot } from '../support/lease-shoots.ts';
import { gardenerConfig, widget } from '@dwd/testing/prober-configs.ts';
import { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { renewEvery } from '@dwd/testing/sim-world.ts';
import { present, shielded } from '@dwd/testing/views.ts';

const config = delayedBy(300_000);
const jittery: ProberConfig = { ...config, backoffJitterFactor: 0.2 };

const dueIn = (driver: ShootDriver) => driver.wakeAt! - driver.now;
const started = (under = config) => newShoot(under);
const probed = (under = config) => probedShoot(under);

// What the probe's region does with each kind of event, in every state of the shield.

/** Where leases are asked for; two paths have a table of their own. */
type Region = Exclude<ShootDriver['probe'], 'askingPaths' | 'readingCluster'>;

const regions: Record<Region, () => ShootDriver> = {
  off: () => {
    const driver = probed();
    driver.wakeProbe();
    driver.cluster({ hibernationEnabled: true });
    return driver;
  },
  resting: () => probed(),
  asking: () => {
    const driver = probed();
    driver.wakeProbe();
    return driver;
  },
  looking: () => {
    const driver = regions.asking();
    driver.leases([40_000, 40_000]);
    return driver;
  },
};

/** Events from which nothing follows in any region. */
const silent = {
  'dependant.changed': (driver) => driver.sees(mcm, present({ replicas: 0, readyReplicas: 0 })),
  'dependant.watched': (driver) => driver.watches(mcm, false),
  'cluster.watched': (driver) => driver.clustersWatched(false),
  'woken, early': (driver) => driver.wait(1),
  'probe.answered, late': (driver) => driver.leases([40_000, 40_000], 1),
  'probe.failed, late': (driver) => driver.probeFails({}, 1),
  'probe.reserved': (driver) => driver.reserves(driver.now + 1_000),
  'candidates.answered, late': (driver) => driver.candidates([], 1),
  'candidates.failed, late': (driver) => driver.candidatesFail({}, 1),
  'path.answered': (driver) => driver.path('external', {}),
  'cluster.answered': (driver) => driver.answersCluster({ outcome: 'gone' }),
  'scale.answered': (driver) => driver.answersWrite(mcm, { outcome: 'conflict' }),
  'read.answered': (driver) => driver.answersRead(mcm, { outcome: 'failed', detail: 'no' }),
} as const satisfies Record<string, (driver: ShootDriver) => readonly string[]>;

const events = {
  'cluster.changed, start': (driver) => driver.cluster(),
  'cluster.changed, keep': (driver) => driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } }),
  'cluster.changed, stop': (driver) => driver.cluster({ workers: [] }),
  'cluster.changed, unreadable': (driver) => driver.unreadableCluster(),
  'cluster.gone': (driver) => driver.gone(),
  'woken, due': (driver) => driver.wakeProbe(),
  'woken, after the deadline': (driver) => driver.wait(30_999),
  'woken, and an answer will never come': (driver) => driver.wait(31_000),
  'probe.answered, nothing expired': (driver) => driver.leases([1_000, 1_000]),
  'probe.answered, some expired': (driver) => driver.leases([40_000, 1_000]),
  'probe.failed': (driver) => driver.probeFails(),
  'candidates.answered': (driver) => driver.candidates(),
  'candidates.failed': (driver) => driver.candidatesFail(),
} as const satisfies Record<string, (driver: ShootDriver) => readonly string[]>;

type Spoken<Type extends string> = Type extends `${infer Name}, ${string}` ? Name : Type;
/** If the machine's language has an event that is not in this table, it does not compile. */
const spoken: Record<ShootEvent['type'], true> = {} as Record<Spoken<keyof typeof events | keyof typeof silent>, true>;

type Cell = Region | `${Region}: ${string}`;

const table: Record<Region, Record<keyof typeof events, Cell>> = {
  off: {
    'cluster.changed, start': 'resting',
    'cluster.changed, keep': 'off: say paused',
    'cluster.changed, stop': 'off: say paused',
    'cluster.changed, unreadable': 'off: say paused',
    'cluster.gone': 'off: say paused',
    'woken, due': 'off',
    'woken, after the deadline': 'off',
    'woken, and an answer will never come': 'off',
    // The answer to the probe that the stop cut short.
    'probe.answered, nothing expired': 'off',
    'probe.answered, some expired': 'off',
    'probe.failed': 'off',
    'candidates.answered': 'off',
    'candidates.failed': 'off',
  },

  resting: {
    'cluster.changed, start': 'resting',
    'cluster.changed, keep': 'resting',
    'cluster.changed, stop': 'off: say paused',
    'cluster.changed, unreadable': 'off: say paused',
    'cluster.gone': 'off: say paused',
    'woken, due': 'asking: probe',
    'woken, after the deadline': 'asking: probe',
    'woken, and an answer will never come': 'asking: probe',
    // The answer to the probe before, which is in already.
    'probe.answered, nothing expired': 'resting',
    'probe.answered, some expired': 'resting',
    'probe.failed': 'resting',
    'candidates.answered': 'resting',
    'candidates.failed': 'resting',
  },

  asking: {
    'cluster.changed, start': 'asking',
    'cluster.changed, keep': 'asking',
    'cluster.changed, stop': 'off: say paused',
    'cluster.changed, unreadable': 'off: say paused',
    'cluster.gone': 'off: say paused',
    'woken, due': 'asking',
    'woken, after the deadline': 'asking',
    'woken, and an answer will never come': 'resting: say probeLost',
    'probe.answered, nothing expired': 'resting: say connected',
    'probe.answered, some expired': 'looking: listCandidates',
    'probe.failed': 'resting',
    // Nobody has asked for them yet.
    'candidates.answered': 'asking',
    'candidates.failed': 'asking',
  },

  looking: {
    'cluster.changed, start': 'looking',
    'cluster.changed, keep': 'looking',
    'cluster.changed, stop': 'off: say paused',
    'cluster.changed, unreadable': 'off: say paused',
    'cluster.gone': 'off: say paused',
    'woken, due': 'looking',
    'woken, after the deadline': 'looking',
    'woken, and an answer will never come': 'resting: say probeLost',
    'probe.answered, nothing expired': 'looking',
    'probe.answered, some expired': 'looking',
    'probe.failed': 'looking',
    'candidates.answered': 'resting: down mcm, say cutOff, say decided',
    'candidates.failed': 'resting',
  },
};

describe.each(Object.keys(table) as Region[])('S1 3.1 4.4 4.6 5.4 while the probe is %s', (region) => {
  const cells: Readonly<Record<string, Cell>> = table[region];
  test.each(Object.entries({ ...silent, ...events }))('%s', (event, play) => {
    const driver = regions[region]();
    expect([driver.probe, spoken]).toEqual([region, {}]);
    const words = play(driver);
    expect(words.length === 0 ? driver.probe : `${driver.probe}: ${words.join(', ')}`).toBe(cells[event] ?? region);
  });
});

describe('2 3.4 the first probe', () => {
  test('2 waits the initial delay, which jitter lengthens by another chance for each shoot', () => {
    expect(dueIn(started())).toBe(30_000);
    const waits = [1, 2, 3, 4].map((chance) => {
      return dueIn(newShoot(jittery, { chance }));
    });
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(36_000);
    expect(new Set(waits).size).toBe(4);
  });

  test('2 comes at once where something carries our mark', () => {
    const driver = new ShootDriver(config).allWell();
    driver.sees(kcm, shielded());
    driver.cluster();
    expect(dueIn(driver)).toBe(0);
  });

  test('2 comes within a second for a shoot that a standby followed, the first time; by another chance for each shoot', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((chance) => {
      return dueIn(newShoot(config, { followed: true, chance }));
    });
    expect(Math.max(...waits)).toBeLessThan(1_000);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(500);
    const driver = newShoot(config, { followed: true });
    driver.wholeProbe('connected');
    driver.cluster({ hibernationEnabled: true });
    driver.cluster();
    expect(dueIn(driver)).toBe(30_000);
  });

  test('2 the pause after it is a chance share of the interval, so that shoots that start together do not stay together', () => {
    const pauses = Array.from({ length: 100 }, (_, chance) => {
      const driver = newShoot({ ...config, probeInterval: 10_000 }, { chance });
      driver.wholeProbe('connected');
      const pause = dueIn(driver);
      driver.wholeProbe('connected');
      expect(dueIn(driver), 'only the first one').toBe(10_000);
      return pause;
    });
    for (let from = 0; from < 10_000; from += 2_500)
      expect(pauses.filter((pause) => pause >= from && pause < from + 2_500).length).toBeGreaterThan(12);
  });

  test('3.4 comes at once where an unreadable Cluster cut probing short, even one that would not start it', () => {
    for (const readable of [{}, { lastOperation: { type: 'Create', state: 'Processing' } }]) {
      const driver = probed();
      expect(driver.unreadableCluster()).toEqual(['say paused']);
      expect(driver.unreadableCluster(), 'said once').toEqual([]);
      driver.cluster(readable);
      expect([driver.state, dueIn(driver)]).toEqual(['probing', 0]);
    }
  });

  test('3.4 3.2 a Cluster that never was readable cuts nothing short: what would not start the probe does not', () => {
    const driver = new ShootDriver(config).allWell();
    driver.unreadableCluster();
    driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } });
    expect(driver.state).toBe('idle');
    driver.cluster();
    expect([driver.state, dueIn(driver)]).toEqual(['probing', 30_000]);
  });

  test('3.4 3.2 what hibernated, or was kept back, before its Cluster was unreadable is not resumed', () => {
    for (const before of [{ hibernationEnabled: true }, { lastOperation: { type: 'Create', state: 'Error' } }]) {
      const driver = new ShootDriver(config).allWell();
      driver.cluster(before);
      driver.unreadableCluster();
      driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } });
      expect(driver.state).toBe('idle');
    }
  });

  test('3.4 a stop that is read while probing is cut short ends the interruption', () => {
    const driver = probed();
    driver.unreadableCluster();
    driver.cluster({ hibernationEnabled: true });
    driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } });
    expect(driver.state).toBe('idle');
  });
});

describe('4.6 when the next probe is due', () => {
  test('4.6 2 after the interval, lengthened by jitter, from the instant at which it was asked', () => {
    const driver = probed({ ...config, probeInterval: 7_000 });
    driver.wakeProbe();
    driver.now += 2_000;
    driver.leases([1_000, 1_000]);
    expect(dueIn(driver)).toBe(7_000);
    const spread = probed({ ...jittery, probeInterval: 7_000 });
    spread.wholeProbe('connected');
    expect(dueIn(spread)).toBeGreaterThanOrEqual(7_000);
    expect(dueIn(spread)).toBeLessThanOrEqual(8_400);
  });

  test('4.6 by jitter at an instant that all shoots share, and neither sooner nor later than jitter may put it', () => {
    // Between 1,001 and 1,202 ms no such instant need lie.
    for (const [probeInterval, shared] of [
      [20_000, true],
      [3_001, true],
      [1_001, false],
    ] as const)
      for (let chance = 0; chance < 40; chance++) {
        const driver = newShoot({ ...jittery, probeInterval }, { chance: 7_919 * chance });
        for (const [least, most] of [
          [0, probeInterval],
          [probeInterval, 1.2 * probeInterval],
        ] as const) {
          driver.now += 137;
          driver.wholeProbe('connected');
          expect(dueIn(driver)).toBeGreaterThanOrEqual(least);
          expect(dueIn(driver)).toBeLessThanOrEqual(most);
          expect(shared && driver.wakeAt! % 500).toBe(shared && 0);
        }
      }
  });

  test('4.6 at the instant at which the leases cross, where that comes first', () => {
    const driver = started();
    driver.wakeProbe();
    driver.leases([12_000, 7_000]);
    expect(dueIn(driver)).toBe(23_000);
  });

  test('4.6 250 ms after the last probe at the earliest', () => {
    const driver = started();
    driver.wakeProbe();
    driver.leases([29_990, 29_900]);
    driver.candidates();
    expect(dueIn(driver)).toBe(250);
  });

  test('4.6 by the clock where the threshold is met already', () => {
    const driver = probed();
    driver.wholeProbe('cutOff');
    expect(driver.nextProbeAt - driver.now).toBe(30_000);
  });

  test('4.6 the crossing counts after a failure too, over the leases that were known before', () => {
    const driver = started();
    driver.wakeProbe();
    driver.leases([12_000, 12_000]);
    driver.wakeProbe();
    driver.probeFails();
    expect(dueIn(driver)).toBe(1_000);
    const other = started();
    other.wakeProbe();
    other.leases([5_000, 5_000]);
    other.wake(other.now + 24_900);
    expect(other.probe, 'not due').toBe('resting');
    other.wakeProbe();
    other.probeFails();
    expect(dueIn(other)).toBe(1_000);
  });

  test('4.6 one that took long is followed at once, where the instant is past by then', () => {
    const driver = started();
    driver.wakeProbe();
    driver.now += 29_000;
    driver.leases([5_000, 5_000], driver.probeNumber, driver.now - 29_000);
    expect(dueIn(driver)).toBe(0);
  });

  test('4.6 neither a flow nor its delay holds it back', () => {
    const driver = probed();
    driver.wholeProbe('cutOff');
    driver.written(mcm);
    for (let count = 0; count < 3; count++) {
      const nextAt = driver.nextProbeAt;
      expect(driver.wake(nextAt)).toContain('probe');
      expect(driver.now, 'a whole interval, no more').toBe(nextAt);
      driver.leases([40_000, 40_000]);
      driver.candidates();
      expect(driver.nextProbeAt).toBe(nextAt + 30_000);
    }
    // It was believed to be at 0 for more than a minute (6.6).
    driver.readsAgain(mcm);
    driver.follows(mcm);
    driver.wholeProbe('connected');
    expect(driver.state).toBe('scalingUp');
    driver.answersWrite(kcm, { outcome: 'withdrawn' });
    expect(driver.context.flow?.steps[mcm.key], 'the delay of 5 min').toMatchObject({ is: 'delayed' });
    expect(driver.alarm! - driver.now).toBeLessThanOrEqual(30_000);
    expect(driver.wakeProbe()).toEqual(['probe']);
  });
});

/** How long it waits after each of so many refusals in a row. */
const waits = (driver: ShootDriver, times: number, refusal: Partial<ProbeFailure>): readonly number[] =>
  Array.from({ length: times }, () => {
    driver.wakeProbe();
    driver.probeFails({ reason: 'throttled', ...refusal });
    return dueIn(driver);
  });

describe('4.4 4.5 after a failure', () => {
  test.each([
    ['the interval', 'certificate', [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
    ['10 s while its API server is silent', 'timeout', [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
  ] as const)('4.4 1 s, doubling up to %s, and from the start after an answer', (_, reason, expected) => {
    const driver = probed();
    const waits = expected.map(() => {
      driver.wakeProbe();
      driver.probeFails({ reason });
      return driver.nextProbeAt - driver.now;
    });
    expect(waits).toEqual(expected);
    driver.wholeProbe('connected');
    driver.wakeProbe();
    driver.probeFails();
    expect(driver.nextProbeAt - driver.now).toBe(1_000);
  });

  test('4.4 a failure of nodes or Machines counts as one of the probe', () => {
    const driver = probed();
    const waits = (['nodes', 'machines'] as const).map((stage) => {
      driver.wakeProbe();
      driver.leases([40_000, 40_000]);
      driver.candidatesFail({ stage });
      return driver.nextProbeAt - driver.now;
    });
    expect(waits).toEqual([1_000, 2_000]);
  });

  test('4.4 counts towards the thresholds are kept', () => {
    const driver = probed({ ...config, failureThreshold: 2, successThreshold: 2 });
    driver.wholeProbe('cutOff');
    driver.wakeProbe();
    driver.probeFails({ reason: 'unauthorized' });
    driver.wholeProbe('cutOff');
    expect(driver.state).toBe('scalingDown');
    driver.wholeProbe('connected');
    expect(driver.state).toBe('scalingDown');
    driver.wakeProbe();
    driver.probeFails({ reason: 'throttled' });
    driver.wholeProbe('connected');
    expect(driver.state).toBe('scalingUp');
  });

  test.each([
    [undefined, 1_000],
    [0, 1_000],
    [1_000, 1_000],
    [3_000, 3_000],
    [25_000, 25_000],
    [600_000, 60_000],
  ])(
    '4.5 Retry-After %s leaves the shoot alone for %d ms, which outranks crossing, interval and grace',
    (retryAfter, length) => {
      const driver = probed({ ...config, probeInterval: 5_000 });
      driver.wakeProbe();
      driver.probeFails({ reason: 'throttled', ...(retryAfter === undefined ? {} : { retryAfter }) });
      expect(dueIn(driver)).toBe(length);
      if (length > 1_000) driver.cluster({ nodeMonitorGrace: 20_000 });
      expect(dueIn(driver)).toBe(length);
      expect(driver.wait(length - 1)).toEqual([]);
      expect(driver.wait(1)).toEqual(['probe']);
    },
  );

  test('4.5 a server that goes on to say 429 is asked ever less often, where no instant of a mark is known', () => {
    expect(waits(newShoot(config), 6, { retryAfter: 1_000 })).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  });

  test('4.5 one that closes the connection is asked again at once, where another may answer; if all do, it takes ever longer, up to what was asked', () => {
    const closing = { retryAfter: 5_000, closes: true } as const;
    expect(waits(probed(), 7, closing)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(waits(probed(), 4, { closes: true })).toEqual([250, 500, 1_000, 1_000]);
  });

  test('4.5 what was asked for lets it ask again in time: a shoot that is throttled as its leases expire goes down before the first mark', () => {
    const driver = probed();
    driver.wakeProbe();
    driver.leases([8_000, 8_000, 8_000]);
    const oldestAt = driver.now - 8_000;
    driver.wait(22_000);
    // The server is throttled until a second before the mark.
    for (let tries = 0; driver.now < oldestAt + 39_000; tries++) {
      expect(tries).toBeLessThan(8);
      driver.probeFails({ reason: 'throttled', retryAfter: 1_000 });
      driver.wakeProbe();
    }
    expect(driver.now - oldestAt).toBeLessThan(40_000);
  });

  test('4.5 a 429 to the list of nodes holds us back, and so does one of the seed to the list of Machines', () => {
    for (const stage of ['machines', 'nodes'] as const) {
      const driver = probed();
      driver.wakeProbe();
      driver.leases([40_000, 40_000]);
      driver.candidatesFail({ stage, reason: 'throttled', retryAfter: 30_000 });
      expect(dueIn(driver)).toBe(30_000);
    }
  });

  test('4.5 a clock that is set back meanwhile makes no pause longer', () => {
    const driver = probed();
    driver.wakeProbe();
    driver.probeFails({ reason: 'throttled', retryAfter: 30_000 });
    driver.wakeProbe();
    const number = driver.probeNumber;
    const at = driver.now - 3_600_000;
    const failure = { stage: 'version', reason: 'throttled', detail: 'HTTP 429', retryAfter: 20_000 } as const;
    driver.take({ type: 'probe.failed', at, number, askedAt: driver.now, failure });
    expect(driver.context.probe.heldUntil).toBe(at + 20_000);
  });

  test('4.5 3.1 it is left alone through a stop and a start as well', () => {
    const driver = newShoot(config, { followed: true });
    driver.wakeProbe();
    driver.probeFails({ reason: 'throttled', retryAfter: 50_000 });
    driver.unreadableCluster();
    driver.cluster();
    expect(dueIn(driver)).toBe(50_000);
  });

  test('4.4 one that is never answered is given up a second after its deadline; its answer is late then', () => {
    const driver = probed();
    driver.wakeProbe();
    const number = driver.probeNumber;
    expect(dueIn(driver)).toBe(31_000);
    expect(driver.wait(31_000)).toEqual(['say probeLost']);
    expect(driver.context.probe.asked, 'what comes late belongs to no probe').toBeNull();
    expect(dueIn(driver)).toBe(1_000);
    expect(driver.leases([40_000, 40_000], number)).toEqual([]);
    driver.wakeProbe();
    expect(driver.leases([40_000, 40_000], number)).toEqual([]);
    expect(driver.probe).toBe('asking');
  });
});

test('4.4 a process that stood still finds answers before its timers fire: what comes after the time-out tells how it was, and is none', () => {
  const inTime = probed();
  inTime.wakeProbe();
  inTime.now += 30_999;
  expect(inTime.leases([40_000, 40_000], undefined, inTime.now - 30_999)).not.toEqual([]);
  const late = probed();
  late.wakeProbe();
  late.now += 31_000;
  expect(late.leases([40_000, 40_000]), 'these leases had expired when they were asked for').toEqual([]);
  expect(late.probe).toBe('asking');
  expect(late.wake()).toEqual(['say probeLost']);
});

describe('3.3 the shoot’s own grace and conditions', () => {
  test.each([
    ['a grace of its own', { nodeMonitorGrace: 60_000 }],
    ['other conditions of a pool', { workers: [{ name: 'pool', nodeConditions: ['Odd'] }] }],
    ['another pool', { workers: [{ name: 'pool' }, { name: 'other' }] }],
  ])('3.3 %s: it is asked again at once', (_, change) => {
    const driver = probed();
    driver.now += 10_000;
    driver.cluster(change);
    expect(dueIn(driver)).toBe(0);
    const soon = probed();
    soon.now += 10;
    soon.cluster(change);
    expect(dueIn(soon), 'no hail of probes').toBe(240);
  });

  test('3.3 a change that does not affect the verdict hurries nothing', () => {
    const driver = probed();
    driver.now += 10_000;
    driver.cluster({ lastOperation: { type: 'Reconcile', state: 'Error' }, hibernated: true });
    expect(dueIn(driver)).toBe(19_000);
  });

  test('3.3 a probe under way is judged by the new grace', () => {
    const driver = probed();
    driver.wakeProbe();
    driver.cluster({ nodeMonitorGrace: 20_000 });
    expect(driver.leases([16_000, 16_000])).toEqual(['listCandidates']);
    driver.cluster({ nodeMonitorGrace: 60_000 });
    expect(driver.candidates()).toEqual(['say connected', 'say renewalsLate']);
  });

  test('3.3 without one, that of the configuration counts again', () => {
    const driver = probed();
    driver.cluster({ nodeMonitorGrace: 20_000 });
    driver.cluster();
    driver.wakeProbe();
    driver.leases([16_000, 16_000]);
    expect(driver.probe).toBe('resting');
  });
});

describe('5.4 6.6 what a probe asks besides', () => {
  test('5.1 leases are as old as the question for them, however long the look takes', () => {
    const driver = probed();
    driver.wakeProbe();
    driver.now += 5_000;
    driver.leases([29_999, 29_999], driver.probeNumber, driver.now - 5_000);
    expect(driver.candidates(), 'nothing is expired as of the question').toEqual(['say connected', 'say renewalsLate']);
    const looked = probed();
    looked.wakeProbe();
    looked.leases([29_999, 30_000]);
    looked.now += 5_000;
    expect(looked.candidates()).toEqual(['say connected', 'say renewalsLate']);
  });

  test('5.4 nodes and Machines only where some lease is expired, or others took something down, or nobody knows', () => {
    expect(probed().wholeProbe('connected')).toEqual(['probe', 'say connected']);
    const others = probed();
    others.sees(mcm, present({ replicas: 0, resourceVersion: '11' }));
    expect(others.wholeProbe('connected')).toContain('listCandidates and the Cluster');
    // Leases may be missing, and nobody has seen the nodes yet (SPEC 5.9).
    const down = probed();
    down.sees(mcm, shielded());
    expect(down.wholeProbe('connected')).toContain('listCandidates');
    // Nor where somebody has raised it: only our mark is taken off, and that ends our watch over an outage.
    const raised = probed();
    raised.sees(mcm, present({ marked: true }));
    expect(raised.wholeProbe('connected')).toContain('listCandidates');
    for (const view of [{ found: false } as const, present({ ignored: true, replicas: 0 })]) {
      const driver = probed();
      driver.sees(mcm, view);
      expect(driver.wholeProbe('connected')).not.toContain('listCandidates');
    }
    const untold = new ShootDriver(config);
    untold.cluster();
    expect(untold.wholeProbe('connected')).toEqual([
      'probe',
      'read kcm',
      'read mcm',
      'listCandidates and the Cluster',
      // A first look is not sure that the leases are fresh (5.1).
      'say leasesInDoubt',
    ]);
  });

  test('5.1 5.3 leases of which none can be read raise nothing but ours', () => {
    const driver = probed();
    driver.sees(mcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '11' }));
    driver.wakeProbe();
    driver.leases([null, null]);
    expect(driver.candidates()).toEqual(['say tooFew']);
    expect(driver.state).toBe('probing');
  });

  test('6.2 6.6 a watched dependant is not asked for; any other once a probe, and never twice at a time', () => {
    const driver = started({ ...config, dependants: [kcm, widget] });
    expect(driver.wakeProbe()).toEqual(['probe', 'read thing']);
    driver.probeFails();
    expect(driver.wakeProbe(), 'the read is still under way').toEqual(['probe']);
    driver.readsAgain(widget);
    driver.probeFails();
    expect(driver.wakeProbe()).toEqual(['probe', 'read thing']);
    driver.readsAgain(widget);
    driver.watches(kcm, false);
    driver.probeFails();
    expect(driver.wakeProbe()).toEqual(['probe', 'read kcm', 'read thing']);
  });
});

describe('4.6 in virtual time', () => {
  test('4.6 5.3 the first scale-down is written within 300 ms of the crossing, whatever interval, grace and phase', async () => {
    const circumstances = fc.record({
      probeInterval: fc.integer({ min: 1_000, max: 120_000 }),
      grace: fc.integer({ min: 20_000, max: 120_000 }),
      fraction: fc.constantFrom(0.3, 0.5, 0.6, 0.8, 1),
      phase: fc.integer({ min: 100_000, max: 250_000 }),
      nodes: fc.integer({ min: 2, max: 9 }),
      together: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(circumstances, async ({ probeInterval, grace, fraction, phase, nodes, together }) => {
        const under = { ...gardenerConfig, probeInterval, kcmNodeMonitorGraceDuration: grace };
        const guarded = new GuardedWorld({ ...under, nodeLeaseFailureFraction: fraction }, nodes);
        const { world, clock } = guarded;
        await guarded.pass(phase);
        const needed = Math.ceil(nodes * fraction - 1e-9);
        world.cutOff(together ? nodes : needed);
        const renewals = world.nodes
          .filter(({ cutOffAt }) => cutOffAt !== undefined)
          .map((node) => Math.floor((clock.now() - node.phase) / renewEvery) * renewEvery + node.phase);
        const crossing = renewals.toSorted((a, b) => a - b)[needed - 1]! + 0.75 * grace;
        await guarded.pass(grace);
        guarded.stop();
        const [first] = world.writes;
        expect(first?.change).toMatchObject({ replicas: 0 });
        expect(first!.at - crossing).toBeGreaterThanOrEqual(0);
        expect(first!.at - crossing).toBeLessThanOrEqual(300);
      }),
      { numRuns: 60 },
    );
  });
});

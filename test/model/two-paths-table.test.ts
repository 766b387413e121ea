import { describe, expect, test } from 'vitest';
import { kcm, mcm, takeDown } from '../support/lease-shoots.ts';
import { pathConfig, downShoot, goingDown, pathShoot } from '../support/path-shoots.ts';
import type { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import type { ShootState } from '../../src/machines/shoot-language.ts';

// What follows from each way in which a probe of two paths can end, in every state of the shield. All other events, such as answers of the
// seed, come to the same part of the machine as with leases (table.test.ts).

/** With this, one failure leaves the shoot in leaseFailed. */
const config = { ...pathConfig, failureThreshold: 2 };

const reach: Record<ShootState, () => ShootDriver> = {
  idle: () => told(pathShoot(config), (driver) => driver.cluster({ hibernationEnabled: true })),
  probing: () => pathShoot(config),
  leaseFailed: () => told(pathShoot(config), (driver) => driver.wholePaths('cutOff')),
  scalingDown: () => goingDown(config),
  scaledDown: () => downShoot(config),
  scalingUp: () => told(downShoot(config), (driver) => driver.wholePaths('connected')),
};

function told(driver: ShootDriver, happen: (driver: ShootDriver) => unknown): ShootDriver {
  happen(driver);
  return driver;
}

/** A probe whose paths are asked at once; only what follows from its end. */
function ends(driver: ShootDriver, ...answers: readonly (() => readonly string[])[]): readonly string[] {
  driver.wakeProbe();
  return answers.flatMap((answer) => answer());
}

/** The same while the stream of Clusters is out. */
function blindly(driver: ShootDriver, play: () => readonly string[]): readonly string[] {
  driver.clustersWatched(false);
  return play();
}

const bothAnswer = (driver: ShootDriver) =>
  ends(
    driver,
    () => driver.path('internal'),
    () => driver.path('external'),
  );
const externalFails = (driver: ShootDriver) =>
  ends(
    driver,
    () => driver.path('internal'),
    () => driver.path('external', {}),
  );
const internalFails = (driver: ShootDriver) => ends(driver, () => driver.path('internal', {}));
const blindAnswer = (driver: ShootDriver) => blindly(driver, () => bothAnswer(driver));
const blindFailure = (driver: ShootDriver) => blindly(driver, () => externalFails(driver));

/** Ways from which nothing follows, whatever the state. */
const silent = {
  // No count of the external path changes, and what the last verdict began goes on.
  'the internal one fails': internalFails,
  'both fail': (driver) =>
    ends(
      driver,
      () => driver.path('external', {}),
      () => driver.path('internal', {}),
    ),
  // S1: an answer on the external path alone raises nothing.
  'the internal one fails, the external one answers': (driver) =>
    ends(
      driver,
      () => driver.path('external'),
      () => driver.path('internal', {}),
    ),
  'the external one could not be asked': (driver) =>
    ends(
      driver,
      () => driver.path('internal'),
      () => driver.path('external', { reason: 'kubeconfig' }),
    ),
  'the internal one could not be asked': (driver) =>
    ends(driver, () => driver.path('internal', { reason: 'kubeconfig' })),
} as const satisfies Record<string, (driver: ShootDriver) => readonly string[]>;

const ways = {
  'both answer': bothAnswer,
  'the external one answers first': (driver) =>
    ends(
      driver,
      () => driver.path('external'),
      () => driver.path('internal'),
    ),
  'the external one fails': externalFails,
  'the external one fails, twice': (driver) => [...externalFails(driver), ...externalFails(driver)],
  'the external one fails first': (driver) =>
    ends(
      driver,
      () => driver.path('external', {}),
      () => driver.path('internal'),
    ),
  'the internal one fails, twice': (driver) => [...internalFails(driver), ...internalFails(driver)],
  'both refuse us': (driver) =>
    ends(
      driver,
      () => driver.path('internal', { reason: 'unauthorized' }),
      () => driver.path('external', { reason: 'unauthorized' }),
    ),
  'neither tells, ever': (driver) => ends(driver, () => driver.wait(6_000)),
  'no Clusters, both answer': blindAnswer,
  'no Clusters, the external one fails': blindFailure,
  'no Clusters, it answers, and a GET shows none': (driver) => [
    ...blindAnswer(driver),
    ...driver.answersCluster({ outcome: 'failed', detail: 'no' }),
  ],
  'no Clusters, it fails, and a GET shows none': (driver) => [
    ...blindFailure(driver),
    ...driver.answersCluster({ outcome: 'failed', detail: 'no' }),
  ],
} as const satisfies Record<string, (driver: ShootDriver) => readonly string[]>;

type Cell = ShootState | `${ShootState}: ${string}`;
type Row = Record<keyof typeof ways, Cell>;

const table: Record<ShootState, Row> = {
  idle: {
    'both answer': 'idle',
    'the external one answers first': 'idle',
    'the external one fails': 'idle',
    'the external one fails, twice': 'idle',
    'the external one fails first': 'idle',
    'the internal one fails, twice': 'idle',
    'both refuse us': 'idle',
    'neither tells, ever': 'idle',
    'no Clusters, both answer': 'idle',
    'no Clusters, the external one fails': 'idle',
    'no Clusters, it answers, and a GET shows none': 'idle',
    'no Clusters, it fails, and a GET shows none': 'idle',
  },

  probing: {
    'both answer': 'probing: say connected',
    'the external one answers first': 'probing: say connected',
    'the external one fails': 'leaseFailed: say cutOff',
    'the external one fails, twice': 'scalingDown: say cutOff, down mcm, say cutOff, say decided',
    'the external one fails first': 'leaseFailed: say cutOff',
    'the internal one fails, twice': 'probing: say internalFailed',
    'both refuse us': 'probing: say connected',
    'neither tells, ever': 'probing: say probeLost',
    // Nothing could follow, so nobody asks.
    'no Clusters, both answer': 'probing: say connected',
    'no Clusters, the external one fails': 'probing: readCluster',
    'no Clusters, it answers, and a GET shows none': 'probing: say connected',
    'no Clusters, it fails, and a GET shows none': 'leaseFailed: readCluster, say cutOff',
  },

  leaseFailed: {
    'both answer': 'probing: say connected',
    'the external one answers first': 'probing: say connected',
    'the external one fails': 'scalingDown: down mcm, say cutOff, say decided',
    'the external one fails, twice': 'scalingDown: down mcm, say cutOff, say decided, say cutOff',
    'the external one fails first': 'scalingDown: down mcm, say cutOff, say decided',
    'the internal one fails, twice': 'leaseFailed: say internalFailed',
    'both refuse us': 'probing: say connected',
    'neither tells, ever': 'leaseFailed: say probeLost',
    'no Clusters, both answer': 'probing: say connected',
    'no Clusters, the external one fails': 'leaseFailed: readCluster',
    'no Clusters, it answers, and a GET shows none': 'probing: say connected',
    'no Clusters, it fails, and a GET shows none': 'scalingDown: readCluster, down mcm, say cutOff, say decided',
  },

  scalingDown: {
    'both answer': 'scalingUp: withdraw kcm, withdraw mcm, say connected',
    'the external one answers first': 'scalingUp: withdraw kcm, withdraw mcm, say connected',
    'the external one fails': 'scalingDown: say cutOff',
    'the external one fails, twice': 'scalingDown: say cutOff, say cutOff',
    'the external one fails first': 'scalingDown: say cutOff',
    'the internal one fails, twice': 'scalingDown: say internalFailed',
    'both refuse us': 'scalingUp: withdraw kcm, withdraw mcm, say connected',
    'neither tells, ever': 'scalingDown: say probeLost',
    'no Clusters, both answer': 'scalingDown: readCluster',
    'no Clusters, the external one fails': 'scalingDown: readCluster',
    'no Clusters, it answers, and a GET shows none':
      'scalingUp: readCluster, withdraw kcm, withdraw mcm, say connected',
    'no Clusters, it fails, and a GET shows none': 'scalingDown: readCluster, say cutOff',
  },

  scaledDown: {
    'both answer': 'scalingUp: up kcm, say connected',
    'the external one answers first': 'scalingUp: up kcm, say connected',
    'the external one fails': 'scaledDown: say cutOff',
    'the external one fails, twice': 'scaledDown: say cutOff, say cutOff',
    'the external one fails first': 'scaledDown: say cutOff',
    'the internal one fails, twice': 'scaledDown: say internalFailed',
    'both refuse us': 'scalingUp: up kcm, say connected',
    'neither tells, ever': 'scaledDown: say probeLost',
    'no Clusters, both answer': 'scaledDown: readCluster',
    'no Clusters, the external one fails': 'scaledDown: readCluster',
    // It carries our mark.
    'no Clusters, it answers, and a GET shows none': 'scalingUp: readCluster, up kcm, say connected',
    'no Clusters, it fails, and a GET shows none': 'scaledDown: readCluster, say cutOff',
  },

  scalingUp: {
    'both answer': 'scalingUp: say connected',
    'the external one answers first': 'scalingUp: say connected',
    // One of the two failures that are needed.
    'the external one fails': 'scalingUp: say cutOff',
    'the external one fails, twice': 'scalingDown: say cutOff, withdraw kcm, say cutOff',
    'the external one fails first': 'scalingUp: say cutOff',
    'the internal one fails, twice': 'scalingUp: say internalFailed',
    'both refuse us': 'scalingUp: say connected',
    'neither tells, ever': 'scalingUp: say probeLost',
    'no Clusters, both answer': 'scalingUp: readCluster',
    'no Clusters, the external one fails': 'scalingUp: readCluster',
    'no Clusters, it answers, and a GET shows none': 'scalingUp: readCluster, say connected',
    'no Clusters, it fails, and a GET shows none': 'scalingUp: readCluster, say cutOff',
  },
};

describe.each(Object.keys(table) as ShootState[])('S1 S3 S4 3.5 4.9 6.3 when the shoot is %s', (state) => {
  const cells: Readonly<Record<string, Cell>> = table[state];
  test.each(Object.entries({ ...silent, ...ways }))('%s', (way, play) => {
    const driver = reach[state]();
    expect(driver.state, 'the history leads elsewhere').toBe(state);
    const words = play(driver);
    expect(words.length === 0 ? driver.state : `${driver.state}: ${words.join(', ')}`).toBe(cells[way] ?? state);
    expect(driver.alarm ?? Infinity).toBeLessThanOrEqual(driver.wakeAt ?? Infinity);
  });
});

test('4.9 a write is under way where the shoot goes down, and where it comes up', () => {
  expect(reach.scalingDown().underWay(mcm.key, 'writing')).toBeGreaterThan(0);
  expect(reach.scalingUp().underWay(kcm.key, 'writing')).toBeGreaterThan(0);
});

test('4.9 a scale-down says how often the external path had failed, and of how many; a scale-up says nothing of it', () => {
  const driver = goingDown();
  expect(driver.writes.get(mcm.key)).toMatchObject({ external: { count: 3, of: 3 } });
  expect(driver.writes.get(mcm.key)).not.toHaveProperty('leases');
  takeDown(driver);
  driver.wholePaths('connected');
  expect(driver.writes.get(kcm.key)?.change).toMatchObject({ replicas: 1 });
  expect(driver.writes.get(kcm.key)).not.toHaveProperty('external');
});

test('4.9 a write that is tried again while the path answers already, and not yet often enough, blames no count', () => {
  const driver = goingDown({ ...pathConfig, successThreshold: 2 });
  driver.wholePaths('connected');
  driver.answersWrite(mcm, { outcome: 'conflict' });
  expect(driver.readsAgain(mcm)).toEqual(['down mcm']);
  expect(driver.writes.get(mcm.key)).not.toHaveProperty('external');
});

describe('9.1 9.2 since when, and until when', () => {
  test('9.2 an outage begins with the first question that failed, and its margin ends a grace after the last renewal that may have been', () => {
    const driver = pathShoot();
    const carriedAt = driver.now;
    const crossedAt = driver.nextProbeAt;
    for (let count = 0; count < 3; count++) driver.wholePaths('cutOff');
    expect(driver.outcome.notes).toContainEqual({ kind: 'decided', crossedAt, paths: true });
    takeDown(driver);
    expect(driver.outcome.notes).toEqual([
      { kind: 'shielded', crossedAt, firstMarkAt: carriedAt + 30_000, paths: true },
    ]);
    expect(driver.writes.get(kcm.key)?.by).toBe(carriedAt + 30_000);
  });

  test('9.2 when the external path last carried is remembered until it carries again', () => {
    const driver = pathShoot();
    const carriedAt = driver.now;
    for (const outcome of ['cutOff', 'internalFails', 'cutOff'] as const) driver.wholePaths(outcome);
    expect(driver.context.paths?.carriedAt).toBe(carriedAt);
    driver.wholePaths('connected');
    expect(driver.context.paths?.carriedAt).toBe(driver.now);
  });

  test('1.2 4.9 what is asked is needed by then, from the first failure on until all is down', () => {
    const driver = pathShoot();
    const needed = () => driver.outcome.commands.flatMap((one) => (one.type === 'askPath' ? [one.params.by] : []));
    const firstMarkAt = driver.now + 30_000;
    driver.wakeProbe();
    expect(needed()).toEqual([undefined, undefined]);
    driver.path('internal');
    driver.path('external', {});
    driver.wakeProbe();
    expect(needed()).toEqual([firstMarkAt, firstMarkAt]);
    const down = downShoot();
    down.wakeProbe();
    const asked = down.outcome.commands.flatMap((one) => (one.type === 'askPath' ? [one.params.by] : []));
    expect(asked).toEqual([undefined, undefined]);
  });

  test('9.2 a path that nobody could ask for longer than a grace tells nothing of the first mark', () => {
    const driver = pathShoot();
    while (driver.now < 1_200_000) driver.wholePaths('internalFails');
    const crossedAt = driver.nextProbeAt;
    driver.now = Math.max(driver.now, driver.wakeAt!);
    const askedAt = driver.now;
    driver.wholePaths('cutOff');
    expect(driver.context.outage).toMatchObject({ crossedAt: askedAt, firstMarkAt: askedAt + 30_000 });
    expect(askedAt).toBeGreaterThanOrEqual(crossedAt);
  });
});

import { describe, expect, test } from 'vitest';
import type { ClusterAnswer } from '../../src/domain/prober/cluster-view.ts';
import type { ShootEvent } from '../../src/machines/shoot-language.ts';
import { kcm, mcm } from '../support/lease-shoots.ts';
import { pathConfig, pathShoot } from '../support/path-shoots.ts';
import type { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { present } from '@dwd/testing/views.ts';

// What the probe's region does with each kind of event where two paths are asked.

type Region = Exclude<ShootDriver['probe'], 'asking' | 'looking'>;

/** With this, one failure of the external path is enough. */
const config = { ...pathConfig, failureThreshold: 1 };

const regions: Record<Region, () => ShootDriver> = {
  off: () => {
    const driver = regions.askingPaths();
    driver.cluster({ hibernationEnabled: true });
    return driver;
  },
  resting: () => pathShoot(config),
  askingPaths: () => {
    const driver = pathShoot(config);
    driver.wakeProbe();
    return driver;
  },
  readingCluster: () => {
    const driver = pathShoot(config);
    driver.clustersWatched(false);
    driver.wakeProbe();
    driver.path('internal');
    driver.path('external', {});
    return driver;
  },
};

const answers = {
  active: { outcome: 'read', reading: { readable: true, cluster: activeCluster } },
  hibernated: { outcome: 'read', reading: { readable: true, cluster: { ...activeCluster, hibernationEnabled: true } } },
  unreadable: { outcome: 'read', reading: { readable: false, problem: 'no spec.shoot' } },
  gone: { outcome: 'gone' },
  failed: { outcome: 'failed', detail: 'no' },
} as const satisfies Record<string, ClusterAnswer>;

const answered = (driver: ShootDriver) => void driver.path('internal');
const after =
  (first: (driver: ShootDriver) => void, then: (driver: ShootDriver) => readonly string[]) => (driver: ShootDriver) => {
    first(driver);
    return then(driver);
  };

/** Events from which nothing follows in any region. */
const silent = {
  'dependant.changed': (driver) => driver.sees(mcm, present({ replicas: 0, readyReplicas: 0 })),
  'dependant.watched': (driver) => driver.watches(mcm, false),
  'cluster.watched': (driver) => driver.clustersWatched(false),
  'woken, early': (driver) => driver.wait(1),
  'woken, after the deadline': (driver) => driver.wait(5_999),
  // One path alone decides nothing while the other is awaited, and after the probe none does.
  'path.answered, internal': (driver) => driver.path('internal'),
  'path.answered, internal of another probe': (driver) => driver.path('internal', {}, 99),
  'path.answered, internal twice': after(answered, (driver) => driver.path('internal', {})),
  'path.answered, external': (driver) => driver.path('external'),
  'path.answered, external failed': (driver) => driver.path('external', {}),
  'path.answered, external of another probe': after(answered, (driver) => driver.path('external', {}, 99)),
  'cluster.answered, of another probe': (driver) => driver.answersCluster(answers.gone, 99),
  'probe.reserved': (driver) => driver.reserves(driver.now + 1_000),
  'scale.answered': (driver) => driver.answersWrite(kcm, { outcome: 'conflict' }),
  'read.answered': (driver) => driver.answersRead(mcm, { outcome: 'failed', detail: 'no' }),
  // Nobody has asked for leases or nodes.
  'probe.answered': (driver) => driver.leases([40_000, 40_000]),
  'probe.failed': (driver) => driver.probeFails(),
  'candidates.answered': (driver) => driver.candidates(),
  'candidates.failed': (driver) => driver.candidatesFail(),
} as const satisfies Record<string, (driver: ShootDriver) => readonly string[]>;

const events = {
  'cluster.changed, start': (driver) => driver.cluster(),
  'cluster.changed, keep': (driver) => driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } }),
  'cluster.changed, stop': (driver) => driver.cluster({ workers: [] }),
  'cluster.changed, unreadable': (driver) => driver.unreadableCluster(),
  'cluster.gone': (driver) => driver.gone(),
  'woken, due': (driver) => driver.wakeProbe(),
  'woken, and an answer will never come': (driver) => driver.wait(20_000),
  'path.answered, internal failed': (driver) => driver.path('internal', {}),
  'path.answered, internal could not be asked': (driver) => driver.path('internal', { reason: 'local' }),
  'path.answered, both': after(answered, (driver) => driver.path('external')),
  'path.answered, both, external failed': after(answered, (driver) => driver.path('external', {})),
  'path.answered, both, external could not be asked': after(answered, (driver) =>
    driver.path('external', { reason: 'kubeconfig' }),
  ),
  'cluster.answered, active': (driver) => driver.answersCluster(answers.active),
  'cluster.answered, hibernated': (driver) => driver.answersCluster(answers.hibernated),
  'cluster.answered, unreadable': (driver) => driver.answersCluster(answers.unreadable),
  'cluster.answered, gone': (driver) => driver.answersCluster(answers.gone),
  'cluster.answered, failed': (driver) => driver.answersCluster(answers.failed),
} as const satisfies Record<string, (driver: ShootDriver) => readonly string[]>;

type Spoken<Type extends string> = Type extends `${infer Name}, ${string}` ? Name : Type;
/** If the machine's language has an event that is not in this table, it does not compile. */
const spoken: Record<ShootEvent['type'], true> = {} as Record<Spoken<keyof typeof events | keyof typeof silent>, true>;

/** In every region alike, unless the region's own table says otherwise. */
const stops = {
  'cluster.changed, stop': 'off: say paused',
  'cluster.changed, unreadable': 'off: say paused',
  'cluster.gone': 'off: say paused',
} as const;

type Cell = Region | `${Region}: ${string}`;

const table: Record<Region, Record<keyof typeof events, Cell>> = {
  off: {
    ...stops,
    'cluster.changed, start': 'resting',
    'cluster.changed, keep': 'off: say paused',
    'woken, due': 'off',
    'woken, and an answer will never come': 'off',
    'path.answered, internal failed': 'off',
    'path.answered, internal could not be asked': 'off',
    'path.answered, both': 'off',
    'path.answered, both, external failed': 'off',
    'path.answered, both, external could not be asked': 'off',
    'cluster.answered, active': 'off',
    'cluster.answered, hibernated': 'off',
    'cluster.answered, unreadable': 'off',
    'cluster.answered, gone': 'off',
    'cluster.answered, failed': 'off',
  },

  resting: {
    ...stops,
    'cluster.changed, start': 'resting',
    'cluster.changed, keep': 'resting',
    'woken, due': 'askingPaths: ask internal path, ask external path',
    'woken, and an answer will never come': 'askingPaths: ask internal path, ask external path',
    'path.answered, internal failed': 'resting',
    'path.answered, internal could not be asked': 'resting',
    'path.answered, both': 'resting',
    'path.answered, both, external failed': 'resting',
    'path.answered, both, external could not be asked': 'resting',
    // Nobody waits for it.
    'cluster.answered, active': 'resting',
    'cluster.answered, hibernated': 'resting',
    'cluster.answered, unreadable': 'resting',
    'cluster.answered, gone': 'resting',
    'cluster.answered, failed': 'resting',
  },

  askingPaths: {
    ...stops,
    'cluster.changed, start': 'askingPaths',
    'cluster.changed, keep': 'askingPaths',
    'woken, due': 'askingPaths',
    'woken, and an answer will never come': 'resting: say probeLost',
    'path.answered, internal failed': 'resting: say internalFailed',
    'path.answered, internal could not be asked': 'resting',
    'path.answered, both': 'resting: say connected',
    'path.answered, both, external failed': 'resting: down mcm, say cutOff, say decided',
    'path.answered, both, external could not be asked': 'resting',
    // Nobody has asked for it yet.
    'cluster.answered, active': 'askingPaths',
    'cluster.answered, hibernated': 'askingPaths',
    'cluster.answered, unreadable': 'askingPaths',
    'cluster.answered, gone': 'askingPaths',
    'cluster.answered, failed': 'askingPaths',
  },

  readingCluster: {
    ...stops,
    'cluster.changed, start': 'readingCluster',
    'cluster.changed, keep': 'readingCluster',
    'woken, due': 'readingCluster',
    'woken, and an answer will never come': 'resting: say probeLost',
    'path.answered, internal failed': 'readingCluster',
    'path.answered, internal could not be asked': 'readingCluster',
    'path.answered, both': 'readingCluster',
    'path.answered, both, external failed': 'readingCluster',
    'path.answered, both, external could not be asked': 'readingCluster',
    'cluster.answered, active': 'resting: down mcm, say cutOff, say decided',
    // 3.5: it is left to gardenlet.
    'cluster.answered, hibernated': 'off: say paused',
    'cluster.answered, unreadable': 'off: say paused',
    'cluster.answered, gone': 'off: say paused',
    // 3.5: going down stays possible.
    'cluster.answered, failed': 'resting: down mcm, say cutOff, say decided',
  },
};

describe.each(Object.keys(table) as Region[])('S1 S3 3.1 3.5 4.9 while the probe is %s', (region) => {
  const cells: Readonly<Record<string, Cell>> = table[region];
  test.each(Object.entries({ ...silent, ...events }))('%s', (event, play) => {
    const driver = regions[region]();
    expect([driver.probe, spoken]).toEqual([region, {}]);
    const words = play(driver);
    expect(words.length === 0 ? driver.probe : `${driver.probe}: ${words.join(', ')}`).toBe(cells[event] ?? region);
    expect(driver.alarm ?? Infinity).toBeLessThanOrEqual(driver.wakeAt ?? Infinity);
  });
});

test.each(Object.keys(answers) as (keyof typeof answers)[])(
  '3.4 4.9 an answer that is late does not end a pause: %s',
  (answer) => {
    const driver = regions.readingCluster();
    driver.unreadableCluster();
    const { pause } = driver.context;
    driver.answersCluster(answers[answer]);
    expect(driver.context.pause).toEqual(pause);
    driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } });
    expect(driver.state, 'an interruption is resumed').toBe('probing');
  },
);

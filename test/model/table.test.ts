import { describe, expect, test } from 'vitest';
import type { ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import type { ShootState } from '../../src/machines/shoot-language.ts';
import { kcm, leaseConfig, mcm, probedShoot, takeDown } from '../support/lease-shoots.ts';
import { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { present, shielded } from '@dwd/testing/views.ts';

/** With this, one verdict leaves the shoot in leaseFailed. */
const config = { ...leaseConfig, failureThreshold: 2 };

/** Each state as a plain history leads to it. No request is open, except those that the flow itself is about. */
const reach: Record<ShootState, () => ShootDriver> = {
  idle: () => told(new ShootDriver(config).allWell(), (driver) => driver.cluster({ hibernationEnabled: true })),
  probing: () => probedShoot(config),
  leaseFailed: () => told(reach.probing(), (driver) => driver.wholeProbe('cutOff')),
  // The machine-controller-manager's write is under way.
  scalingDown: () => told(reach.leaseFailed(), (driver) => driver.wholeProbe('cutOff')),
  scaledDown: () => takeDown(reach.scalingDown()),
  // The kube-controller-manager's write is under way.
  scalingUp: () => told(reach.scaledDown(), (driver) => driver.wholeProbe('connected')),
};

/** As above, with a write under way: one that the flow waits for, or one that was left from before. */
const reachWriting: Record<ShootState, () => ShootDriver> = {
  idle: () => told(reach.scalingDown(), (driver) => driver.cluster({ hibernationEnabled: true })),
  probing: () => told(reachWriting.idle(), (driver) => driver.cluster()),
  leaseFailed: () => told(reachWriting.probing(), (driver) => driver.wholeProbe('cutOff')),
  scalingDown: () => reach.scalingDown(),
  // The mark is being removed from a resource that others took over; the flow does not wait for that.
  scaledDown: () =>
    told(
      reach.scaledDown(),
      (driver) => driver.sees(mcm, shielded({ ignored: true, resourceVersion: '20' })),
      (driver) => driver.wholeProbe('cutOff'),
    ),
  scalingUp: () => reach.scalingUp(),
};

/** As above, with a read under way. */
const reachReading: Record<ShootState, () => ShootDriver> = {
  idle: () => told(reachReading.scalingDown(), (driver) => driver.cluster({ hibernationEnabled: true })),
  probing: () => told(reachReading.idle(), (driver) => driver.cluster()),
  leaseFailed: () => told(reachReading.probing(), (driver) => driver.wholeProbe('cutOff')),
  scalingDown: () => told(reach.scalingDown(), (driver) => driver.answersWrite(mcm, { outcome: 'conflict' })),
  scaledDown: () =>
    told(
      reach.scaledDown(),
      (driver) => driver.watches(mcm, false),
      (driver) => driver.wakeProbe(),
    ),
  scalingUp: () => told(reach.scalingUp(), (driver) => driver.answersWrite(kcm, { outcome: 'conflict' })),
};

function told(driver: ShootDriver, ...happenings: readonly ((driver: ShootDriver) => unknown)[]): ShootDriver {
  for (const happen of happenings) happen(driver);
  return driver;
}

/** What the flow of this state is about, or would be. */
const subject = (driver: ShootDriver) => (driver.state === 'scalingUp' ? kcm : mcm);

type Way = readonly [reach: Record<ShootState, () => ShootDriver>, play: (driver: ShootDriver) => readonly string[]];

/** Ways from which nothing follows, whatever the state. */
const silent = {
  // A verdict follows them up, not before (6.9); a write under way is guarded by its version.
  'dependant touched': [reach, (driver) => sees(driver, {})],
  'dependant at 0': [reach, (driver) => sees(driver, { replicas: 0, readyReplicas: 0 })],
  'dependant ignored': [reach, (driver) => sees(driver, { ignored: true })],
  'dependant rewound': [reach, (driver) => rewinds(driver)],
  'dependant missing': [reach, (driver) => driver.sees(subject(driver), { found: false, resourceVersion: '99' })],
  'dependant out of sight': [reach, (driver) => driver.watches(subject(driver), false)],
  'dependant in sight': [reach, (driver) => driver.watches(subject(driver), true)],
  'stranger changed': [reach, (driver) => driver.sees({ key: 'apps/v1/Deployment/stranger' }, present())],
  'stranger in sight': [reach, (driver) => driver.watches({ key: 'apps/v1/Deployment/stranger' }, true)],
  'woken early': [reach, (driver) => driver.wait(1)],
  'place for a probe': [reach, (driver) => driver.reserves(driver.now + 1_000)],
  'late candidates': [reach, (driver) => driver.candidates()],
  'late failure of candidates': [reach, (driver) => driver.candidatesFail()],
  // The machine records the answer; a flow goes on once the replicas have followed.
  'write: written': [reachWriting, (driver) => driver.written(subject(driver))],
  'write: withdrawn': [reachWriting, (driver) => driver.answersWrite(subject(driver), { outcome: 'withdrawn' })],
  'write: failed': [
    reachWriting,
    (driver) => driver.answersWrite(subject(driver), { outcome: 'failed', detail: 'no' }),
  ],
  'late write': [reachWriting, (driver) => driver.answersWrite(subject(driver), { outcome: 'missing' }, 1)],
  'late read': [
    reachReading,
    (driver) => driver.answersRead(subject(driver), { outcome: 'read', view: { found: false } }, 1),
  ],
} as const satisfies Record<string, Way>;

/** Each way in which the world can speak to a shoot's machine. */
const ways = {
  'cluster active': [reach, (driver) => driver.cluster()],
  'cluster with a shorter grace': [reach, (driver) => driver.cluster({ nodeMonitorGrace: 30_000 })],
  'cluster kept': [reach, (driver) => driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } })],
  'cluster hibernated': [reach, (driver) => driver.cluster({ hibernationEnabled: true })],
  'cluster unreadable': [reach, (driver) => driver.unreadableCluster()],
  'cluster gone': [reach, (driver) => driver.gone()],
  'dependant raised': [reach, (driver) => sees(driver, { replicas: 3, readyReplicas: 3 })],
  'woken when the probe is due': [reach, (driver) => driver.wakeProbe()],
  'probe: cut off': [reach, (driver) => driver.wholeProbe('cutOff')],
  'probe: cut off, twice': [reach, (driver) => [...driver.wholeProbe('cutOff'), ...driver.wholeProbe('cutOff')]],
  'probe: connected': [reach, (driver) => driver.wholeProbe('connected')],
  'probe: too few': [reach, (driver) => driver.wholeProbe('tooFew')],
  'probe: a lease ahead': [reach, (driver) => judged(driver, -60_000)],
  // 5.1: by a first look alone nobody knows whether what is not so old is fresh.
  'probe: a lease not renewed, three times': [
    reach,
    (driver) => {
      return [0, 100_000, 100_000].flatMap((pause) => {
        driver.now += pause;
        return judged(driver, 200_000);
      });
    },
  ],
  'probe: no version': [reach, (driver) => [...driver.wakeProbe(), ...driver.probeFails()]],
  'probe: no leases': [reach, (driver) => [...driver.wakeProbe(), ...driver.probeFails({ stage: 'leases' })]],
  'probe: throttled': [reach, (driver) => [...driver.wakeProbe(), ...driver.probeFails({ reason: 'throttled' })]],
  'probe: no candidates': [
    reach,
    (driver) => [...driver.wakeProbe(), ...driver.leases([40_000, 40_000]), ...driver.candidatesFail()],
  ],
  'probe: never an answer': [reach, (driver) => [...driver.wakeProbe(), ...driver.wait(31_000)]],
  'late leases': [reach, (driver) => [...driver.wakeProbe(), ...driver.leases([40_000, 40_000], earlier(driver))]],
  'late failure': [
    reach,
    (driver) => [...driver.wakeProbe(), ...driver.probeFails({ reason: 'throttled' }, earlier(driver))],
  ],
  'write: written and followed': [
    reachWriting,
    (driver) => [...driver.written(subject(driver)), ...driver.follows(subject(driver))],
  ],
  'write: conflict': [reachWriting, (driver) => driver.answersWrite(subject(driver), { outcome: 'conflict' })],
  'write: missing': [reachWriting, (driver) => driver.answersWrite(subject(driver), { outcome: 'missing' })],

  'read: found': [reachReading, (driver) => driver.readsAgain(subject(driver))],
  'read: missing': [
    reachReading,
    (driver) => driver.answersRead(subject(driver), { outcome: 'read', view: { found: false } }),
  ],
  'read: failed': [reachReading, (driver) => driver.answersRead(subject(driver), { outcome: 'failed', detail: 'no' })],
} as const satisfies Record<string, Way>;

/** A whole probe that finds one lease this old and the other fresh, on Ready nodes. */
function judged(driver: ShootDriver, age: number): readonly string[] {
  const words = [...driver.wakeProbe(), ...driver.leases([age, 1_000])];
  return words.includes('listCandidates') ? [...words, ...driver.candidates()] : words;
}

function sees(driver: ShootDriver, change: Parameters<typeof present>[0]): readonly string[] {
  const { view } = driver.context.known[subject(driver).key]!;
  const before = view?.found === true ? view : present();
  return driver.sees(subject(driver), { ...before, ...change, resourceVersion: '50' });
}

/** The seed was restored from a backup: an older version of the same resource counts all the same. */
function rewinds(driver: ShootDriver): readonly string[] {
  const { key } = subject(driver);
  const { view } = driver.context.known[key]!;
  if (view?.found !== true) throw new Error(`nothing is known of ${key}`);
  return driver.take({
    type: 'dependant.changed',
    at: driver.now,
    key,
    view: { ...view, resourceVersion: '1' },
    rewound: true,
  });
}

function earlier(driver: ShootDriver): number {
  return driver.probeNumber - 1;
}

/** The next state, and the commands and notes on the way; the walk checks `wake`. */
type Cell = ShootState | `${ShootState}: ${string}`;

type Row = Record<keyof typeof ways, Cell>;

const table: Record<ShootState, Row> = {
  idle: {
    'cluster active': 'probing',
    'cluster with a shorter grace': 'probing',
    'cluster kept': 'idle: say paused',
    'cluster hibernated': 'idle',
    'cluster unreadable': 'idle: say paused',
    'cluster gone': 'idle: say paused',
    'dependant raised': 'idle',
    'woken when the probe is due': 'idle',
    'probe: cut off': 'idle',
    'probe: cut off, twice': 'idle',
    'probe: connected': 'idle',
    'probe: too few': 'idle',
    'probe: a lease ahead': 'idle',
    'probe: a lease not renewed, three times': 'idle',
    'probe: no version': 'idle',
    'probe: no leases': 'idle',
    'probe: throttled': 'idle',
    'probe: no candidates': 'idle',
    'probe: never an answer': 'idle',
    'late leases': 'idle',
    'late failure': 'idle',
    'write: written and followed': 'idle',
    'write: conflict': 'idle',
    'write: missing': 'idle',
    'read: found': 'idle',
    'read: missing': 'idle',
    'read: failed': 'idle',
  },

  probing: {
    'cluster active': 'probing',
    'cluster with a shorter grace': 'probing',
    'cluster kept': 'probing',
    'cluster hibernated': 'idle: say paused',
    'cluster unreadable': 'idle: say paused',
    'cluster gone': 'idle: say paused',
    'dependant raised': 'probing',
    'woken when the probe is due': 'probing: probe',
    'probe: cut off': 'leaseFailed: probe, listCandidates, say cutOff',
    'probe: cut off, twice':
      'scalingDown: probe, listCandidates, say cutOff, probe, listCandidates, down mcm, say cutOff, say decided',
    // 5.4: no lease is expired and nothing is down.
    'probe: connected': 'probing: probe, say connected',
    'probe: too few': 'probing: probe, listCandidates, say tooFew',
    'probe: a lease ahead': 'probing: probe, say connected, say leasesAhead',
    // 5.5: only in a shoot that has been calm for two graces.
    'probe: a lease not renewed, three times':
      'probing: probe, listCandidates, say connected, probe, listCandidates, say connected, say leasesNotRenewed, probe, listCandidates, say connected',
    'probe: no version': 'probing: probe',
    'probe: no leases': 'probing: probe',
    'probe: throttled': 'probing: probe',
    'probe: no candidates': 'probing: probe, listCandidates',
    'probe: never an answer': 'probing: probe, say probeLost',
    'late leases': 'probing: probe',
    'late failure': 'probing: probe',
    'write: written and followed': 'probing',
    'write: conflict': 'probing',
    'write: missing': 'probing',
    'read: found': 'probing',
    'read: missing': 'probing',
    'read: failed': 'probing',
  },

  leaseFailed: {
    'cluster active': 'leaseFailed',
    'cluster with a shorter grace': 'leaseFailed',
    'cluster kept': 'leaseFailed',
    'cluster hibernated': 'idle: say paused',
    'cluster unreadable': 'idle: say paused',
    'cluster gone': 'idle: say paused',
    'dependant raised': 'leaseFailed',
    'woken when the probe is due': 'leaseFailed: probe',
    'probe: cut off': 'scalingDown: probe, listCandidates, down mcm, say cutOff, say decided',
    'probe: cut off, twice':
      'scalingDown: probe, listCandidates, down mcm, say cutOff, say decided, probe, down kcm, say stepTimedOut, listCandidates, say cutOff',
    'probe: connected': 'probing: probe, say connected',
    // S7: fewer than two candidates never lead down.
    'probe: too few': 'probing: probe, listCandidates, say tooFew',
    'probe: a lease ahead': 'probing: probe, say connected, say leasesAhead',
    // 5.5: only in a shoot that has been calm for two graces.
    'probe: a lease not renewed, three times':
      'probing: probe, listCandidates, say leasesInDoubt, probe, listCandidates, say connected, probe, listCandidates, say connected, say leasesNotRenewed',
    // 4.4: counts are kept.
    'probe: no version': 'leaseFailed: probe',
    'probe: no leases': 'leaseFailed: probe',
    'probe: throttled': 'leaseFailed: probe',
    'probe: no candidates': 'leaseFailed: probe, listCandidates',
    'probe: never an answer': 'leaseFailed: probe, say probeLost',
    'late leases': 'leaseFailed: probe',
    'late failure': 'leaseFailed: probe',
    'write: written and followed': 'leaseFailed',
    'write: conflict': 'leaseFailed',
    'write: missing': 'leaseFailed',
    'read: found': 'leaseFailed',
    'read: missing': 'leaseFailed',
    'read: failed': 'leaseFailed',
  },

  scalingDown: {
    'cluster active': 'scalingDown',
    'cluster with a shorter grace': 'scalingDown',
    'cluster kept': 'scalingDown',
    'cluster hibernated': 'idle: withdraw mcm, say paused',
    'cluster unreadable': 'idle: withdraw mcm, say paused',
    'cluster gone': 'idle: withdraw mcm, say paused',
    // 4.6: no flow holds back a probe.
    'dependant raised': 'scalingDown',
    'woken when the probe is due': 'scalingDown: probe, down kcm, say stepTimedOut',
    'probe: cut off': 'scalingDown: probe, down kcm, say stepTimedOut, listCandidates, say cutOff',
    'probe: cut off, twice':
      'scalingDown: probe, down kcm, say stepTimedOut, listCandidates, say cutOff, probe, say stepTimedOut, listCandidates, say cutOff',
    // 6.3: waiting writes are withdrawn, and a sent write is undone when its answer comes.
    'probe: connected': 'scalingUp: probe, down kcm, say stepTimedOut, withdraw kcm, withdraw mcm, say connected',
    'probe: too few':
      'scalingUp: probe, down kcm, say stepTimedOut, listCandidates, withdraw kcm, withdraw mcm, say tooFew',
    'probe: a lease ahead':
      'scalingUp: probe, down kcm, say stepTimedOut, withdraw kcm, withdraw mcm, say connected, say leasesAhead',
    // 5.5: only in a shoot that has been calm for two graces.
    'probe: a lease not renewed, three times':
      'scalingUp: probe, down kcm, say stepTimedOut, listCandidates, say leasesInDoubt, probe, say stepTimedOut, listCandidates, withdraw kcm, withdraw mcm, say connected, probe, say stepTimedOut, listCandidates, say connected',
    // 4.4: what the last verdict began goes on.
    'probe: no version': 'scalingDown: probe, down kcm, say stepTimedOut',
    'probe: no leases': 'scalingDown: probe, down kcm, say stepTimedOut',
    'probe: throttled': 'scalingDown: probe, down kcm, say stepTimedOut',
    'probe: no candidates': 'scalingDown: probe, down kcm, say stepTimedOut, listCandidates',
    'probe: never an answer': 'scalingDown: probe, down kcm, say stepTimedOut, say probeLost, say stepTimedOut',
    'late leases': 'scalingDown: probe, down kcm, say stepTimedOut',
    'late failure': 'scalingDown: probe, down kcm, say stepTimedOut',
    // 6.1: the next level.
    'write: written and followed': 'scalingDown: down kcm',
    'write: conflict': 'scalingDown: read mcm',
    // 6.8: on the way down it counts as done.
    'write: missing': 'scalingDown: down kcm',
    'read: found': 'scalingDown: down mcm',
    'read: missing': 'scalingDown: down kcm',
    'read: failed': 'scalingDown: down mcm',
  },

  scaledDown: {
    'cluster active': 'scaledDown',
    'cluster with a shorter grace': 'scaledDown',
    'cluster kept': 'scaledDown',
    // 3.1: dependants that are down stay down.
    'cluster hibernated': 'idle: say paused',
    'cluster unreadable': 'idle: say paused',
    'cluster gone': 'idle: say paused',
    // 6.9: it goes down again with the next verdict.
    'dependant raised': 'scaledDown: say raised',
    'woken when the probe is due': 'scaledDown: probe',
    'probe: cut off': 'scaledDown: probe, say cutOff',
    // Both are believed to be at 0 for a minute by then (6.6).
    'probe: cut off, twice': 'scaledDown: probe, say cutOff, probe, read kcm, read mcm, listCandidates, say cutOff',
    // 5.4: fresh leases lead to a look, too, since something is down.
    'probe: connected': 'scalingUp: probe, up kcm, say connected',
    // 5.3: it carries our mark.
    // 5.4: all is down, and the last look was less than a minute ago.
    'probe: too few': 'scaledDown: probe, say cutOff',
    'probe: a lease ahead': 'scalingUp: probe, up kcm, say connected, say leasesAhead',
    // 5.5: only in a shoot that has been calm for two graces.
    'probe: a lease not renewed, three times':
      'scalingUp: probe, listCandidates, say leasesInDoubt, probe, read kcm, read mcm, listCandidates, say connected, probe, say stepTimedOut, listCandidates, say connected',
    'probe: no version': 'scaledDown: probe',
    'probe: no leases': 'scaledDown: probe',
    'probe: throttled': 'scaledDown: probe',
    'probe: no candidates': 'scaledDown: probe, say cutOff',
    'probe: never an answer': 'scaledDown: probe, read kcm, read mcm, say probeLost',
    'late leases': 'scaledDown: probe',
    'late failure': 'scaledDown: probe',
    'write: written and followed': 'scaledDown',
    'write: conflict': 'scaledDown',
    'write: missing': 'scaledDown',
    'read: found': 'scaledDown',
    'read: missing': 'scaledDown',
    'read: failed': 'scaledDown',
  },

  scalingUp: {
    'cluster active': 'scalingUp',
    'cluster with a shorter grace': 'scalingUp',
    'cluster kept': 'scalingUp',
    'cluster hibernated': 'idle: withdraw kcm, say paused',
    'cluster unreadable': 'idle: withdraw kcm, say paused',
    'cluster gone': 'idle: withdraw kcm, say paused',
    'dependant raised': 'scalingUp',
    'woken when the probe is due': 'scalingUp: probe',
    // One verdict of the two that are needed.
    'probe: cut off': 'scalingUp: probe, listCandidates, say cutOff',
    // 6.3: the machine-controller-manager is still at 0, and the flow waits for the write under way.
    'probe: cut off, twice':
      'scalingDown: probe, listCandidates, say cutOff, probe, say stepTimedOut, listCandidates, withdraw kcm, say cutOff',
    'probe: connected': 'scalingUp: probe, say connected',
    'probe: too few': 'scalingUp: probe, listCandidates, say tooFew',
    'probe: a lease ahead': 'scalingUp: probe, say connected, say leasesAhead',
    // 5.5: only in a shoot that has been calm for two graces.
    'probe: a lease not renewed, three times':
      'scalingUp: probe, listCandidates, say leasesInDoubt, probe, say stepTimedOut, listCandidates, say connected, probe, listCandidates, say connected',
    'probe: no version': 'scalingUp: probe',
    'probe: no leases': 'scalingUp: probe',
    'probe: throttled': 'scalingUp: probe',
    'probe: no candidates': 'scalingUp: probe, listCandidates',
    'probe: never an answer': 'scalingUp: probe, say probeLost, say stepTimedOut',
    'late leases': 'scalingUp: probe',
    'late failure': 'scalingUp: probe',
    // 6.2: the machine-controller-manager's delay begins.
    'write: written and followed': 'scalingUp',
    'write: conflict': 'scalingUp: read kcm',
    // 6.8: on the way up it is not done, and the next level must wait.
    'write: missing': 'scalingUp',
    'read: found': 'scalingUp: up kcm',
    'read: missing': 'scalingUp',
    'read: failed': 'scalingUp: up kcm',
  },
};

describe.each(Object.keys(table) as ShootState[])(
  'S1 S3 S4 S7 3.1 3.2 3.4 4.4 5.3 6.1 6.3 when the shoot is %s',
  (state) => {
    const cells: Readonly<Record<string, Cell>> = table[state];
    test.each(Object.entries<Way>({ ...silent, ...ways }))('%s', (way, [reached, play]) => {
      const driver = reached[state]();
      expect(driver.state, 'the history leads elsewhere').toBe(state);
      const words = play(driver);
      expect(words.length === 0 ? driver.state : `${driver.state}: ${words.join(', ')}`).toBe(cells[way] ?? state);
      // No path forgets to be woken: the pending wake comes at the instant that the new state waits for, or before it.
      expect(driver.alarm ?? Infinity).toBeLessThanOrEqual(driver.wakeAt ?? Infinity);
    });
  },
);

test.each(Object.keys(table) as ShootState[])(
  'and a write or a read is under way where a way needs one, in %s',
  (state) => {
    const writing = reachWriting[state]();
    expect(writing.underWay(subject(writing).key, 'writing')).toBeGreaterThan(0);
    const reading = reachReading[state]();
    expect(reading.underWay(subject(reading).key, 'reading')).toBeGreaterThan(0);
  },
);

const reasons: Record<ProbeFailureReason, true> = {
  kubeconfig: true,
  unreachable: true,
  certificate: true,
  timeout: true,
  unauthorized: true,
  throttled: true,
  refused: true,
  garbled: true,
  tooLarge: true,
  local: true,
};

describe.each(Object.keys(table) as ShootState[])('S1 4.4 when the shoot is %s', (state) => {
  test.each(Object.keys(reasons) as ProbeFailureReason[])('a probe that failed for %s moves nothing', (reason) => {
    for (const stage of ['version', 'leases'] as const) {
      const driver = reach[state]();
      driver.wakeProbe();
      expect([...driver.probeFails({ stage, reason }), driver.state]).toEqual([state]);
    }
    for (const stage of ['nodes', 'machines'] as const) {
      const driver = reach[state]();
      driver.wakeProbe();
      driver.leases([40_000, 40_000]);
      expect([...driver.candidatesFail({ stage, reason }), driver.state]).toEqual([state]);
    }
  });
});

describe.each(Object.keys(table) as ShootState[])('3.1 S3 when the shoot is %s', (state) => {
  test.each([
    ['deleted', { deleting: true }],
    ['hibernated', { hibernationEnabled: true }],
    ['migrated', { lastOperation: { type: 'Migrate', state: 'Processing' } }],
    ['migrated live', { lastOperation: { type: 'LiveMigrate', state: 'Processing' } }],
    ['without workers', { workers: [] }],
  ])('and it is %s, probing stops and nothing is scaled', (_, change) => {
    const driver = reach[state]();
    const words = driver.cluster(change);
    expect([driver.state, driver.probe, driver.wakeAt]).toEqual(['idle', 'off', undefined]);
    expect(words.filter((word) => !/^(withdraw|say) /.test(word))).toEqual([]);
    expect(driver.wholeProbe('cutOff')).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { ShootState } from '../../src/machines/shoot-language.ts';
import { deployment, gardenerConfig } from '../support/prober-configs.ts';
import { ShootDesk } from '../support/shoot-desk.ts';
import { present, shielded } from '../support/views.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 30_000 });
const config: ProberConfig = {
  ...gardenerConfig,
  dependants: [kcm, mcm],
  backoffJitterFactor: 0,
  // So that one verdict leaves the shoot in leaseFailed.
  failureThreshold: 2,
};

/** Each state as a plain history leads to it; nothing is asked, and only what a flow is about is under way. */
const reach: Record<ShootState, () => ShootDesk> = {
  idle: () => told(new ShootDesk(config).allWell(), (desk) => desk.cluster({ hibernationEnabled: true })),
  probing: () =>
    told(
      new ShootDesk(config).allWell(),
      (desk) => desk.cluster(),
      (desk) => desk.wholeProbe('connected'),
    ),
  leaseFailed: () => told(reach.probing(), (desk) => desk.wholeProbe('cutOff')),
  // The machine-controller-manager's write is under way.
  scalingDown: () => told(reach.leaseFailed(), (desk) => desk.wholeProbe('cutOff')),
  scaledDown: () => told(reach.scalingDown(), isTaken(mcm), isTaken(kcm)),
  // The kube-controller-manager's write is under way.
  scalingUp: () => told(reach.scaledDown(), (desk) => desk.wholeProbe('connected')),
};

/** As above, with a write under way: one that the flow waits for, or one that was left from before. */
const reachWriting: Record<ShootState, () => ShootDesk> = {
  idle: () => told(reach.scalingDown(), (desk) => desk.cluster({ hibernationEnabled: true })),
  probing: () => told(reachWriting.idle(), (desk) => desk.cluster()),
  leaseFailed: () => told(reachWriting.probing(), (desk) => desk.wholeProbe('cutOff')),
  scalingDown: () => reach.scalingDown(),
  // A mark is being taken off a resource that others took over; the flow does not wait for that.
  scaledDown: () =>
    told(
      reach.scaledDown(),
      (desk) => desk.sees(mcm, shielded({ ignored: true, resourceVersion: '20' })),
      (desk) => desk.wholeProbe('cutOff'),
    ),
  scalingUp: () => reach.scalingUp(),
};

/** As above, with a read under way. */
const reachReading: Record<ShootState, () => ShootDesk> = {
  idle: () => told(reachReading.scalingDown(), (desk) => desk.cluster({ hibernationEnabled: true })),
  probing: () => told(reachReading.idle(), (desk) => desk.cluster()),
  leaseFailed: () => told(reachReading.probing(), (desk) => desk.wholeProbe('cutOff')),
  scalingDown: () => told(reach.scalingDown(), (desk) => desk.answersWrite(mcm, { outcome: 'conflict' })),
  scaledDown: () =>
    told(
      reach.scaledDown(),
      (desk) => desk.watches(mcm, false),
      (desk) => desk.wakeProbe(),
    ),
  scalingUp: () => told(reach.scalingUp(), (desk) => desk.answersWrite(kcm, { outcome: 'conflict' })),
};

function told(desk: ShootDesk, ...happenings: readonly ((desk: ShootDesk) => unknown)[]): ShootDesk {
  for (const happen of happenings) happen(desk);
  return desk;
}

function isTaken(one: typeof kcm) {
  return (desk: ShootDesk) => {
    desk.written(one);
    desk.follows(one);
  };
}

/** What the flow of this state is about, or would be. */
const subject = (desk: ShootDesk) => (desk.state === 'scalingUp' ? kcm : mcm);

type Way = readonly [reach: Record<ShootState, () => ShootDesk>, play: (desk: ShootDesk) => readonly string[]];

/** Each way in which the world can speak to a shoot's machine. */
const ways = {
  'cluster active': [reach, (desk) => desk.cluster()],
  'cluster with a shorter grace': [reach, (desk) => desk.cluster({ nodeMonitorGrace: 30_000 })],
  'cluster kept': [reach, (desk) => desk.cluster({ lastOperation: { type: 'Create', state: 'Processing' } })],
  'cluster hibernated': [reach, (desk) => desk.cluster({ hibernationEnabled: true })],
  'cluster unreadable': [reach, (desk) => desk.unreadableCluster()],
  'cluster gone': [reach, (desk) => desk.gone()],

  'dependant touched': [reach, (desk) => sees(desk, {})],
  'dependant raised': [reach, (desk) => sees(desk, { replicas: 3, readyReplicas: 3 })],
  'dependant at 0': [reach, (desk) => sees(desk, { replicas: 0, readyReplicas: 0 })],
  'dependant ignored': [reach, (desk) => sees(desk, { ignored: true })],
  'dependant rewound': [reach, (desk) => rewinds(desk)],
  'dependant missing': [reach, (desk) => desk.sees(subject(desk), { found: false, resourceVersion: '99' })],
  'dependant out of sight': [reach, (desk) => desk.watches(subject(desk), false)],
  'dependant in sight': [reach, (desk) => desk.watches(subject(desk), true)],
  'stranger changed': [reach, (desk) => desk.sees({ key: 'apps/v1/Deployment/stranger' }, present())],
  'stranger in sight': [reach, (desk) => desk.watches({ key: 'apps/v1/Deployment/stranger' }, true)],

  'woken early': [reach, (desk) => desk.wait(1)],
  'woken when the probe is due': [reach, (desk) => desk.wakeProbe()],
  'probe: cut off': [reach, (desk) => desk.wholeProbe('cutOff')],
  'probe: cut off, twice': [reach, (desk) => [...desk.wholeProbe('cutOff'), ...desk.wholeProbe('cutOff')]],
  'probe: connected': [reach, (desk) => desk.wholeProbe('connected')],
  'probe: too few': [reach, (desk) => desk.wholeProbe('tooFew')],
  'probe: no version': [reach, (desk) => [...desk.wakeProbe(), ...desk.probeFails()]],
  'probe: no leases': [reach, (desk) => [...desk.wakeProbe(), ...desk.probeFails({ stage: 'leases' })]],
  'probe: throttled': [reach, (desk) => [...desk.wakeProbe(), ...desk.probeFails({ reason: 'throttled' })]],
  'probe: no candidates': [
    reach,
    (desk) => [...desk.wakeProbe(), ...desk.leases([40_000, 40_000]), ...desk.candidatesFail()],
  ],
  'probe: never an answer': [reach, (desk) => [...desk.wakeProbe(), ...desk.wait(31_000)]],
  'late leases': [reach, (desk) => [...desk.wakeProbe(), ...desk.leases([40_000, 40_000], earlier(desk))]],
  'late failure': [reach, (desk) => [...desk.wakeProbe(), ...desk.probeFails({ reason: 'throttled' }, earlier(desk))]],
  'late candidates': [reach, (desk) => desk.candidates()],
  'late failure of candidates': [reach, (desk) => desk.candidatesFail()],

  'write: written': [reachWriting, (desk) => desk.written(subject(desk))],
  'write: written and followed': [
    reachWriting,
    (desk) => [...desk.written(subject(desk)), ...desk.follows(subject(desk))],
  ],
  'write: conflict': [reachWriting, (desk) => desk.answersWrite(subject(desk), { outcome: 'conflict' })],
  'write: missing': [reachWriting, (desk) => desk.answersWrite(subject(desk), { outcome: 'missing' })],
  'write: withdrawn': [reachWriting, (desk) => desk.answersWrite(subject(desk), { outcome: 'withdrawn' })],
  'write: failed': [reachWriting, (desk) => desk.answersWrite(subject(desk), { outcome: 'failed', detail: 'no' })],
  'late write': [reachWriting, (desk) => desk.answersWrite(subject(desk), { outcome: 'missing' }, 1)],

  'read: found': [reachReading, (desk) => desk.readsAgain(subject(desk))],
  'read: missing': [
    reachReading,
    (desk) => desk.answersRead(subject(desk), { outcome: 'read', view: { found: false } }),
  ],
  'read: failed': [reachReading, (desk) => desk.answersRead(subject(desk), { outcome: 'failed', detail: 'no' })],
  'late read': [
    reachReading,
    (desk) => desk.answersRead(subject(desk), { outcome: 'read', view: { found: false } }, 1),
  ],
} as const satisfies Record<string, Way>;

function sees(desk: ShootDesk, change: Parameters<typeof present>[0]): readonly string[] {
  const { view } = desk.context.known[subject(desk).key]!;
  const before = view?.found === true ? view : present();
  return desk.sees(subject(desk), { ...before, ...change, resourceVersion: '50' });
}

/** The seed was restored from a backup: an older version of the same counts all the same. */
function rewinds(desk: ShootDesk): readonly string[] {
  const { key } = subject(desk);
  const { view } = desk.context.known[key]!;
  if (view?.found !== true) throw new Error(`nothing is known of ${key}`);
  return desk.take({
    type: 'dependant.changed',
    at: desk.now,
    key,
    view: { ...view, resourceVersion: '1' },
    rewound: true,
  });
}

function earlier(desk: ShootDesk): number {
  return desk.probeNumber - 1;
}

/** Where it leads, and what is commanded and said on the way; `wake` is left to the walk. */
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
    'dependant touched': 'idle',
    'dependant raised': 'idle',
    'dependant at 0': 'idle',
    'dependant ignored': 'idle',
    'dependant rewound': 'idle',
    'dependant missing': 'idle',
    'dependant out of sight': 'idle',
    'dependant in sight': 'idle',
    'stranger changed': 'idle',
    'stranger in sight': 'idle',
    'woken early': 'idle',
    'woken when the probe is due': 'idle',
    'probe: cut off': 'idle',
    'probe: cut off, twice': 'idle',
    'probe: connected': 'idle',
    'probe: too few': 'idle',
    'probe: no version': 'idle',
    'probe: no leases': 'idle',
    'probe: throttled': 'idle',
    'probe: no candidates': 'idle',
    'probe: never an answer': 'idle',
    'late leases': 'idle',
    'late failure': 'idle',
    'late candidates': 'idle',
    'late failure of candidates': 'idle',
    // S3: an answer that comes late is taken note of, and nothing follows from it.
    'write: written': 'idle',
    'write: written and followed': 'idle',
    'write: conflict': 'idle',
    'write: missing': 'idle',
    'write: withdrawn': 'idle',
    'write: failed': 'idle',
    'late write': 'idle',
    'read: found': 'idle',
    'read: missing': 'idle',
    'read: failed': 'idle',
    'late read': 'idle',
  },

  probing: {
    'cluster active': 'probing',
    'cluster with a shorter grace': 'probing',
    'cluster kept': 'probing',
    'cluster hibernated': 'idle: say paused',
    'cluster unreadable': 'idle: say paused',
    'cluster gone': 'idle: say paused',
    'dependant touched': 'probing',
    'dependant raised': 'probing',
    // Only a verdict may raise it.
    'dependant at 0': 'probing',
    'dependant ignored': 'probing',
    'dependant rewound': 'probing',
    'dependant missing': 'probing',
    'dependant out of sight': 'probing',
    'dependant in sight': 'probing',
    'stranger changed': 'probing',
    'stranger in sight': 'probing',
    'woken early': 'probing',
    'woken when the probe is due': 'probing: probe',
    'probe: cut off': 'leaseFailed: probe, listCandidates, say cutOff',
    'probe: cut off, twice':
      'scalingDown: probe, listCandidates, say cutOff, probe, listCandidates, down mcm, say cutOff, say decided',
    // 5.4: no lease is expired and nothing is down.
    'probe: connected': 'probing: probe, say connected',
    'probe: too few': 'probing: probe, listCandidates, say tooFew',
    'probe: no version': 'probing: probe',
    'probe: no leases': 'probing: probe',
    'probe: throttled': 'probing: probe',
    'probe: no candidates': 'probing: probe, listCandidates',
    'probe: never an answer': 'probing: probe, say probeLost',
    'late leases': 'probing: probe',
    'late failure': 'probing: probe',
    'late candidates': 'probing',
    'late failure of candidates': 'probing',
    'write: written': 'probing',
    'write: written and followed': 'probing',
    'write: conflict': 'probing',
    'write: missing': 'probing',
    'write: withdrawn': 'probing',
    'write: failed': 'probing',
    'late write': 'probing',
    'read: found': 'probing',
    'read: missing': 'probing',
    'read: failed': 'probing',
    'late read': 'probing',
  },

  leaseFailed: {
    'cluster active': 'leaseFailed',
    'cluster with a shorter grace': 'leaseFailed',
    'cluster kept': 'leaseFailed',
    'cluster hibernated': 'idle: say paused',
    'cluster unreadable': 'idle: say paused',
    'cluster gone': 'idle: say paused',
    'dependant touched': 'leaseFailed',
    'dependant raised': 'leaseFailed',
    'dependant at 0': 'leaseFailed',
    'dependant ignored': 'leaseFailed',
    'dependant rewound': 'leaseFailed',
    'dependant missing': 'leaseFailed',
    'dependant out of sight': 'leaseFailed',
    'dependant in sight': 'leaseFailed',
    'stranger changed': 'leaseFailed',
    'stranger in sight': 'leaseFailed',
    'woken early': 'leaseFailed',
    'woken when the probe is due': 'leaseFailed: probe',
    'probe: cut off': 'scalingDown: probe, listCandidates, down mcm, say cutOff, say decided',
    'probe: cut off, twice':
      'scalingDown: probe, listCandidates, down mcm, say cutOff, say decided, probe, listCandidates, say cutOff',
    'probe: connected': 'probing: probe, say connected',
    // S7: fewer than two candidates never lead down.
    'probe: too few': 'probing: probe, listCandidates, say tooFew',
    // 4.4: counts are kept.
    'probe: no version': 'leaseFailed: probe',
    'probe: no leases': 'leaseFailed: probe',
    'probe: throttled': 'leaseFailed: probe',
    'probe: no candidates': 'leaseFailed: probe, listCandidates',
    'probe: never an answer': 'leaseFailed: probe, say probeLost',
    'late leases': 'leaseFailed: probe',
    'late failure': 'leaseFailed: probe',
    'late candidates': 'leaseFailed',
    'late failure of candidates': 'leaseFailed',
    'write: written': 'leaseFailed',
    'write: written and followed': 'leaseFailed',
    'write: conflict': 'leaseFailed',
    'write: missing': 'leaseFailed',
    'write: withdrawn': 'leaseFailed',
    'write: failed': 'leaseFailed',
    'late write': 'leaseFailed',
    'read: found': 'leaseFailed',
    'read: missing': 'leaseFailed',
    'read: failed': 'leaseFailed',
    'late read': 'leaseFailed',
  },

  scalingDown: {
    'cluster active': 'scalingDown',
    'cluster with a shorter grace': 'scalingDown',
    'cluster kept': 'scalingDown',
    'cluster hibernated': 'idle: withdraw mcm, say paused',
    'cluster unreadable': 'idle: withdraw mcm, say paused',
    'cluster gone': 'idle: withdraw mcm, say paused',
    // The write that is under way is awaited, whatever the watch says meanwhile: its version guards it.
    'dependant touched': 'scalingDown',
    'dependant raised': 'scalingDown',
    'dependant at 0': 'scalingDown',
    'dependant ignored': 'scalingDown',
    'dependant rewound': 'scalingDown',
    'dependant missing': 'scalingDown',
    'dependant out of sight': 'scalingDown',
    'dependant in sight': 'scalingDown',
    'stranger changed': 'scalingDown',
    'stranger in sight': 'scalingDown',
    'woken early': 'scalingDown',
    // 4.6: no flow holds back a probe.
    'woken when the probe is due': 'scalingDown: probe',
    'probe: cut off': 'scalingDown: probe, listCandidates, say cutOff',
    'probe: cut off, twice': 'scalingDown: probe, listCandidates, say cutOff, probe, listCandidates, say cutOff',
    // 6.3: what still waits is taken back, and what was sent is undone when it is answered.
    'probe: connected': 'scalingUp: probe, listCandidates, withdraw mcm, say connected',
    'probe: too few': 'scalingUp: probe, listCandidates, withdraw mcm, say tooFew',
    // 4.4: what the last verdict began goes on.
    'probe: no version': 'scalingDown: probe',
    'probe: no leases': 'scalingDown: probe',
    'probe: throttled': 'scalingDown: probe',
    'probe: no candidates': 'scalingDown: probe, listCandidates',
    'probe: never an answer': 'scalingDown: probe, say probeLost',
    'late leases': 'scalingDown: probe',
    'late failure': 'scalingDown: probe',
    'late candidates': 'scalingDown',
    'late failure of candidates': 'scalingDown',
    'write: written': 'scalingDown',
    // 6.1: the next level.
    'write: written and followed': 'scalingDown: down kcm',
    'write: conflict': 'scalingDown: read mcm',
    // 6.8: down it counts as done.
    'write: missing': 'scalingDown: down kcm',
    'write: withdrawn': 'scalingDown',
    'write: failed': 'scalingDown',
    'late write': 'scalingDown',
    'read: found': 'scalingDown: down mcm',
    'read: missing': 'scalingDown: down kcm',
    'read: failed': 'scalingDown: down mcm',
    'late read': 'scalingDown',
  },

  scaledDown: {
    'cluster active': 'scaledDown',
    'cluster with a shorter grace': 'scaledDown',
    'cluster kept': 'scaledDown',
    // 3.1: what is down stays down.
    'cluster hibernated': 'idle: say paused',
    'cluster unreadable': 'idle: say paused',
    'cluster gone': 'idle: say paused',
    'dependant touched': 'scaledDown',
    // 6.9: with the next verdict, not before.
    'dependant raised': 'scaledDown',
    'dependant at 0': 'scaledDown',
    'dependant ignored': 'scaledDown',
    'dependant rewound': 'scaledDown',
    'dependant missing': 'scaledDown',
    'dependant out of sight': 'scaledDown',
    'dependant in sight': 'scaledDown',
    'stranger changed': 'scaledDown',
    'stranger in sight': 'scaledDown',
    'woken early': 'scaledDown',
    'woken when the probe is due': 'scaledDown: probe',
    'probe: cut off': 'scaledDown: probe, listCandidates, say cutOff',
    // Both are believed to be at 0 for a minute by then (6.6).
    'probe: cut off, twice':
      'scaledDown: probe, listCandidates, say cutOff, probe, read kcm, read mcm, listCandidates, say cutOff',
    // 5.4: fresh leases too are looked at, since something is down.
    'probe: connected': 'scalingUp: probe, listCandidates, up kcm, say connected',
    // 5.3: it carries our mark.
    'probe: too few': 'scalingUp: probe, listCandidates, up kcm, say tooFew',
    'probe: no version': 'scaledDown: probe',
    'probe: no leases': 'scaledDown: probe',
    'probe: throttled': 'scaledDown: probe',
    'probe: no candidates': 'scaledDown: probe, listCandidates',
    'probe: never an answer': 'scaledDown: probe, read kcm, read mcm, say probeLost',
    'late leases': 'scaledDown: probe',
    'late failure': 'scaledDown: probe',
    'late candidates': 'scaledDown',
    'late failure of candidates': 'scaledDown',
    'write: written': 'scaledDown',
    'write: written and followed': 'scaledDown',
    'write: conflict': 'scaledDown',
    'write: missing': 'scaledDown',
    'write: withdrawn': 'scaledDown',
    'write: failed': 'scaledDown',
    'late write': 'scaledDown',
    'read: found': 'scaledDown',
    'read: missing': 'scaledDown',
    'read: failed': 'scaledDown',
    'late read': 'scaledDown',
  },

  scalingUp: {
    'cluster active': 'scalingUp',
    'cluster with a shorter grace': 'scalingUp',
    'cluster kept': 'scalingUp',
    'cluster hibernated': 'idle: withdraw kcm, say paused',
    'cluster unreadable': 'idle: withdraw kcm, say paused',
    'cluster gone': 'idle: withdraw kcm, say paused',
    'dependant touched': 'scalingUp',
    'dependant raised': 'scalingUp',
    'dependant at 0': 'scalingUp',
    'dependant ignored': 'scalingUp',
    'dependant rewound': 'scalingUp',
    'dependant missing': 'scalingUp',
    'dependant out of sight': 'scalingUp',
    'dependant in sight': 'scalingUp',
    'stranger changed': 'scalingUp',
    'stranger in sight': 'scalingUp',
    'woken early': 'scalingUp',
    'woken when the probe is due': 'scalingUp: probe',
    // One verdict of the two that are needed.
    'probe: cut off': 'scalingUp: probe, listCandidates, say cutOff',
    // 6.3: the machine-controller-manager is at 0 still, and the write that is under way is awaited.
    'probe: cut off, twice':
      'scalingDown: probe, listCandidates, say cutOff, probe, listCandidates, withdraw kcm, say cutOff',
    'probe: connected': 'scalingUp: probe, listCandidates, say connected',
    'probe: too few': 'scalingUp: probe, listCandidates, say tooFew',
    'probe: no version': 'scalingUp: probe',
    'probe: no leases': 'scalingUp: probe',
    'probe: throttled': 'scalingUp: probe',
    'probe: no candidates': 'scalingUp: probe, listCandidates',
    'probe: never an answer': 'scalingUp: probe, say probeLost',
    'late leases': 'scalingUp: probe',
    'late failure': 'scalingUp: probe',
    'late candidates': 'scalingUp',
    'late failure of candidates': 'scalingUp',
    'write: written': 'scalingUp',
    // 6.2: the machine-controller-manager's delay begins.
    'write: written and followed': 'scalingUp',
    'write: conflict': 'scalingUp: read kcm',
    // 6.8: up it is not done, and the next level has to wait.
    'write: missing': 'scalingUp',
    'write: withdrawn': 'scalingUp',
    'write: failed': 'scalingUp',
    'late write': 'scalingUp',
    'read: found': 'scalingUp: up kcm',
    'read: missing': 'scalingUp',
    'read: failed': 'scalingUp: up kcm',
    'late read': 'scalingUp',
  },
};

describe.each(Object.keys(table) as ShootState[])(
  'S1 S3 S4 S7 3.1 3.2 3.4 4.4 5.3 6.1 6.3 when the shoot is %s',
  (state) => {
    test.each(Object.keys(ways) as (keyof typeof ways)[])('%s', (way) => {
      const [reached, play] = ways[way] as Way;
      const desk = reached[state]();
      expect(desk.state, 'the history leads elsewhere').toBe(state);
      const words = play(desk);
      expect(words.length === 0 ? desk.state : `${desk.state}: ${words.join(', ')}`).toBe(table[state][way]);
      // No path forgets to be woken: what is pending is what the new state waits for, or comes before it.
      expect(desk.alarm ?? Infinity).toBeLessThanOrEqual(desk.wakeAt ?? Infinity);
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
};

describe.each(Object.keys(table) as ShootState[])('S1 4.4 when the shoot is %s', (state) => {
  test.each(Object.keys(reasons) as ProbeFailureReason[])('a probe that failed for %s moves nothing', (reason) => {
    for (const stage of ['version', 'leases'] as const) {
      const desk = reach[state]();
      desk.wakeProbe();
      expect([...desk.probeFails({ stage, reason }), desk.state]).toEqual([state]);
    }
    for (const stage of ['nodes', 'machines'] as const) {
      const desk = reach[state]();
      desk.wakeProbe();
      desk.leases([40_000, 40_000]);
      expect([...desk.candidatesFail({ stage, reason }), desk.state]).toEqual([state]);
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
    const desk = reach[state]();
    const words = desk.cluster(change);
    expect([desk.state, desk.probe, desk.wakeAt]).toEqual(['idle', 'off', undefined]);
    expect(words.filter((word) => !/^(withdraw|say) /.test(word))).toEqual([]);
    expect(desk.wholeProbe('cutOff')).toEqual([]);
  });
});

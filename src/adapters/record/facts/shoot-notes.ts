import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootNote } from '../../../machines/shoot-language.ts';
import type { Occurrence } from '../events/event-object.ts';
import type { Instruments } from '../metrics/metric-list.ts';
import { partialOutageWords } from '../words/lease-words.ts';
import { seconds } from '../../words/plain-words.ts';
import { raisedByOthersWords } from '../words/write-words.ts';

/** What the observers make of one kind of note, beside its words; `at`: the turn's. What they make of it only by what they remember is theirs. */
type NoteRow<Note extends ShootNote> = Readonly<{
  /** Its line in the log (SPEC 9.4). Absent where another line tells it. */
  log?: Readonly<{
    level: 'info' | 'warn' | 'error';
    line: string;
    fields?(note: Note, at: Instant): Readonly<Record<string, unknown>>;
  }>;
  /** What it is counted by (SPEC 9.2). */
  count?(metrics: Instruments, note: Note, at: Instant): void;
  /** What the owner of the dependant wants to know (SPEC 9.5); without a key it is of all of them, and stands at the first. */
  event?(note: Note, at: Instant): Pick<Occurrence, 'reason' | 'message'> & Readonly<{ key?: DependantKey }>;
  /** It begins a time in which something is odd about the leases, is all of it, or ends the one that such a note began. */
  odd?: 'begins' | 'once' | Readonly<{ ends: ShootNote['kind'] }>;
}>;

/** A row for each kind of note: a new one does not compile before it has one. */
const shootNotes: { readonly [Kind in ShootNote['kind']]: NoteRow<Extract<ShootNote, { kind: Kind }>> } = {
  verdict: {},
  paused: {},
  probeLost: { log: { level: 'error', line: 'probe was never answered', fields: ({ number }) => ({ number }) } },
  dependantMissing: {
    log: {
      level: 'warn',
      line: 'dependant missing',
      fields: ({ key, direction }) => ({ resource: key, direction }),
    },
    count: (metrics, { direction }) => metrics.missingDependants.inc({ direction }),
  },
  dependantRefused: {
    log: {
      level: 'warn',
      line: 'dependant may not be read',
      fields: ({ key, detail }) => ({ resource: key, detail }),
    },
    count: (metrics) => metrics.refusedDependants.inc(),
  },
  clockDiffers: {
    log: { level: 'warn', line: 'clock differs', fields: ({ ahead }) => ({ aheadMs: ahead }) },
    count: (metrics) => metrics.clockDifferences.inc(),
    odd: 'begins',
  },
  leasesAhead: {
    log: { level: 'warn', line: 'leases ahead', fields: ({ leases }) => ({ leases: leases.count }) },
    count: (metrics) => metrics.shootsWithLeasesAhead.inc(),
    odd: 'begins',
  },
  leasesAheadOver: { log: { level: 'info', line: 'leases no longer ahead' }, odd: { ends: 'leasesAhead' } },
  leasesInDoubt: { log: { level: 'info', line: 'leases in doubt', fields: ({ leases }) => ({ leases }) } },
  leasesNotRenewed: {
    log: { level: 'warn', line: 'leases not renewed', fields: ({ leases }) => ({ leases: leases.count }) },
    count: (metrics) => metrics.shootsWithLeasesNotRenewed.inc(),
    odd: 'begins',
  },
  leasesNotRenewedOver: { log: { level: 'info', line: 'leases renewed again' }, odd: { ends: 'leasesNotRenewed' } },
  partialOutage: {
    log: {
      level: 'warn',
      line: 'partial outage',
      fields: ({ by, groups, expired, nodes, firstMarkAt }, at) => ({
        [by]: groups,
        expired,
        nodes,
        firstMarkMs: firstMarkAt - at,
      }),
    },
    event: (note, at) => ({
      reason: 'PartlyCutOff',
      message: `Of the shoot's nodes, ${partialOutageWords(note, at)}`,
    }),
    odd: 'begins',
  },
  partialOutageOver: { log: { level: 'info', line: 'partial outage over' }, odd: { ends: 'partialOutage' } },
  renewalsLate: {
    log: {
      level: 'info',
      line: 'leases late',
      fields: ({ late, candidates, crossesAt }, at) => ({
        late,
        candidates,
        ...(crossesAt === undefined ? {} : { crossesMs: crossesAt - at }),
      }),
    },
  },
  renewalsLateOver: { log: { level: 'info', line: 'leases no longer late' } },
  unjudged: {
    log: {
      level: 'warn',
      line: 'cannot be judged',
      fields: ({ nodes, leases, untold }) => ({
        nodes,
        leases,
        untold: Object.fromEntries(untold.map((one) => [one.because, one.nodes])),
      }),
    },
    odd: 'begins',
  },
  unjudgedOver: { log: { level: 'info', line: 'can be judged again' }, odd: { ends: 'unjudged' } },
  leasesLeftOut: {
    log: { level: 'warn', line: 'leases left out', fields: ({ leases }) => ({ leases }) },
    count: (metrics) => metrics.shootsWithLeasesLeftOut.inc(),
    // Nothing tells when they are fewer again.
    odd: 'once',
  },
  internalFailed: {
    log: {
      level: 'warn',
      line: 'internal path fails',
      fields: ({ failures, leftAloneUntil }, at) => ({ failures, leftAloneMs: leftAloneUntil - at }),
    },
  },
  earlyProbesSpent: {
    log: { level: 'warn', line: 'early probes used up' },
    count: (metrics) => metrics.spentEarlyProbes.inc(),
    // Nothing tells when it has them all again.
    odd: 'once',
  },
  stepTimedOut: {
    log: {
      level: 'warn',
      line: 'scaling not done in time',
      fields: ({ key, direction, timeout }) => ({ resource: key, direction, timeoutMs: timeout }),
    },
    count: (metrics, { direction }) => metrics.timedOutSteps.inc({ direction }),
    event: ({ key, direction, timeout }) => ({
      key,
      reason: 'ScalingTimedOut',
      message:
        direction === 'down'
          ? `Pods are still there ${seconds(timeout)} after it was scaled to 0 replicas`
          : `No pod is ready ${seconds(timeout)} after it was scaled up`,
    }),
  },
  recordUnreadable: {
    log: {
      level: 'warn',
      line: 'recorded replicas unreadable',
      fields: ({ key, record }) => ({ resource: key, record }),
    },
    count: (metrics) => metrics.unreadableRecords.inc(),
    event: ({ key, record }) => ({
      key,
      reason: 'ReplicasRecordUnreadable',
      message: `The annotation that says how many replicas it had cannot be read: ${JSON.stringify(record)}. It gets 1`,
    }),
  },
  raised: {
    log: {
      level: 'warn',
      line: 'raised by others',
      fields: ({ key, to, by }) => ({ resource: key, replicas: to, ...(by === undefined ? {} : { by }) }),
    },
    event: (note) => ({ key: note.key, reason: 'RaisedDuringOutage', message: raisedByOthersWords('It', note) }),
  },
  decided: { count: (metrics, { crossedAt }, at) => metrics.decisionDelay.observe((at - crossedAt) / 1_000) },
  shielded: {
    log: {
      level: 'info',
      line: 'shielded',
      fields: ({ again, crossedAt, firstMarkAt }, at) => ({
        ...(again ? { again } : {}),
        afterMs: at - crossedAt,
        marginMs: firstMarkAt - at,
      }),
    },
    count: (metrics, { firstMarkAt }, at) => metrics.kcmMargin.observe((firstMarkAt - at) / 1_000),
  },
  // Its words are the change of state's.
  returnWaits: { count: (metrics) => metrics.heldReturns.inc() },
  restored: {
    log: { level: 'info', line: 'restored', fields: ({ begunAt }, at) => ({ afterMs: at - begunAt }) },
  },
};

export function noteRow({ kind }: ShootNote): NoteRow<ShootNote> {
  return shootNotes[kind];
}

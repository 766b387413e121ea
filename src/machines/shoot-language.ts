import type { MachineView, NodeView, Untold } from '../domain/prober/candidates.ts';
import type { ClusterAnswer, ClusterReading } from '../domain/prober/cluster-view.ts';
import type { DependantKey, DependantRef } from '../domain/prober/dependant.ts';
import type { NodeLease, ServedDate } from '../domain/prober/node-lease.ts';
import type { LateLeases, PartialOutage } from '../domain/prober/partial-outage.ts';
import type { OddLeases } from '../domain/prober/odd-leases.ts';
import type { ProbeFailure, ProbeFailureReason } from '../domain/prober/probe-failure.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import type {
  ReadAnswer,
  ResourceChange,
  WriteAnswer,
  PresentResource,
  ResourceView,
} from '../domain/prober/resource-view.ts';
import type { PathCount, ShootPath } from '../domain/prober/shoot-path.ts';
import type { ShootNamespace } from '../domain/names.ts';
import type { Instant, Millis } from '../domain/time.ts';

/** What a shoot machine is started with. */
export type ShootInput = Readonly<{
  shoot: ShootNamespace;
  config: ProberConfig;
  /** A standby followed this shoot before it became leader: no initial delay (SPEC 2, initialDelay). */
  followed: boolean;
  /** Seed of the machine's own chance, 0 to 2^32 − 1; it decides nothing but jitter. */
  chance: number;
}>;

/** What the seed's watches tell about one shoot: first all that is known, then changes as they come. */
export type SeedEvent =
  | Readonly<{ type: 'cluster.changed'; at: Instant; reading: ClusterReading }>
  | Readonly<{ type: 'cluster.gone'; at: Instant }>
  /** Whether the stream of Clusters can be relied on (SPEC 3.5). It cannot until told otherwise. `never`: it was never open; for the reader. */
  | Readonly<{ type: 'cluster.watched'; at: Instant; live: boolean; never?: true }>
  /** `rewound`: the seed's history went back, as after a restored backup, and what was told before is void. */
  | Readonly<{ type: 'dependant.changed'; at: Instant; key: DependantKey; view: ResourceView; rewound?: true }>
  /** Whether the watch that feeds this dependant can be relied on (SPEC 6.6). Unwatched until told otherwise. `never`, again. */
  | Readonly<{ type: 'dependant.watched'; at: Instant; key: DependantKey; live: boolean; never?: true }>;

/** Everything that can reach a shoot machine: past facts, each with the instant at which it was learned. */
export type ShootEvent =
  | SeedEvent
  | Readonly<{ type: 'woken'; at: Instant }>
  /** `askedAt`, here and below: when the effect began, before its first request was sent (SPEC 5.1). */
  | Readonly<{
      type: 'probe.answered';
      at: Instant;
      number: number;
      askedAt: Instant;
      leases: readonly NodeLease[];
      served?: ServedDate;
      /** So many of the oldest leases are not among them, since there are too many (SPEC 4.7). */
      leftOut?: number;
      /** The API server that answers is a new process: it cannot read our TLS ticket, as one alone could so far (SPEC 5.1). */
      serverIsNew?: boolean;
      /** So often our own clock was set since the process began, by more than a second; absent where it never was. */
      clockSet?: number;
    }>
  /** `probeAt`: null where there is no place before the regular probe. */
  | Readonly<{ type: 'probe.reserved'; at: Instant; asked: ShootCommands['reserveProbe']; probeAt: Instant | null }>
  | Readonly<{ type: 'probe.failed'; at: Instant; number: number; askedAt: Instant; failure: ProbeFailure }>
  | Readonly<{
      type: 'candidates.answered';
      at: Instant;
      number: number;
      nodes: readonly NodeView[];
      machines: readonly MachineView[];
      /** Only where it was asked for. */
      cluster?: ClusterAnswer;
    }>
  | Readonly<{ type: 'candidates.failed'; at: Instant; number: number; failure: ProbeFailure }>
  /** One path of a probe in the older generation (SPEC 4.9). `failure`: why it gave no answer, or a refusal that is one. */
  | Readonly<{
      type: 'path.answered';
      at: Instant;
      number: number;
      path: ShootPath;
      askedAt: Instant;
      failure?: ProbeFailure;
    }>
  | Readonly<{ type: 'cluster.answered'; at: Instant; number: number; cluster: ClusterAnswer }>
  /** An answer says what it answers, so that a turn explains itself. */
  | Readonly<{
      type: 'scale.answered';
      at: Instant;
      askedAt: Instant;
      asked: ShootCommands['scale'];
      answer: WriteAnswer;
    }>
  | Readonly<{
      type: 'read.answered';
      at: Instant;
      askedAt: Instant;
      asked: ShootCommands['read'];
      answer: ReadAnswer;
    }>;

export type ShootEventOf<Type extends ShootEvent['type']> = Extract<ShootEvent, { type: Type }>;

/** What a shoot machine can command; each has an effect of the same name that does it once and reports back. */
export type ShootCommands = {
  /** Replaces the wake that is still pending, if any. Answered by `woken`, never early. */
  wake: Readonly<{ at: Instant }>;
  /** Answered by `probe.answered` or `probe.failed`. `by`, here and below: when a scale-down is needed; where commands wait, the soonest goes first. */
  probe: Readonly<{ number: number; deadlineAt: Instant; by?: Instant }>;
  /**
   * Nodes from the shoot, Machines from the seed, and with `cluster` the shoot's Cluster, side by side. Answered by `candidates.…`.
   * `urgent`: something may go down by the answer, so Machines ride in the bucket of the scale-downs (SPEC 1.2).
   */
  listCandidates: Readonly<{ number: number; deadlineAt: Instant; cluster: boolean; urgent: boolean; by?: Instant }>;
  /** Asks for `/version` on one path (SPEC 4.9). Answered by `path.answered`. Both paths of a probe have its number. */
  askPath: Readonly<{ number: number; path: ShootPath; deadlineAt: Instant; by?: Instant }>;
  /** Asks for the shoot's Cluster while its stream is out (SPEC 3.5). Answered by `cluster.answered`. */
  readCluster: Readonly<{ number: number; deadlineAt: Instant; by?: Instant }>;
  /**
   * Asks for a place among the probes that come early while something is down by our hand, which all shoots of the seed share (SPEC 4.6).
   * `latest`: when the regular probe comes. Answered by `probe.reserved`.
   */
  reserveProbe: Readonly<{ wanted: Instant; latest: Instant }>;
  /** Answered by `scale.answered`. `urgent` rides in the bucket of the scale-downs (SPEC 1.2). */
  scale: Readonly<{
    number: number;
    key: DependantKey;
    ref: DependantRef;
    seen: PresentResource;
    change: ResourceChange;
    urgent: boolean;
    by?: Instant;
    /** On the way down: what the verdict counted that it is for. */
    leases?: LeaseCount;
    /** The same in the older generation: how often in a row the external path had failed (SPEC 4.9). */
    external?: PathCount;
  }>;
  /** Takes back a `scale` or a `read` that still waits for the rate limit; one that was sent is not cut. It answers in either case. */
  withdraw: Readonly<{ number: number }>;
  /** Answered by `read.answered`. */
  read: Readonly<{ number: number; key: DependantKey; ref: DependantRef; urgent: boolean; by?: Instant }>;
  /** Tells observers what was judged; has no effect. */
  note: ShootNote;
};

export type ScaleDirection = 'down' | 'up';

/** Of so many candidates so many leases are expired. */
export type LeaseCount = Readonly<{ expired: number; candidates: number }>;

/** So many nodes a shoot has, so many of them have a lease that counts, and why the others do not tell (SPEC 5.8). */
export type Unjudged = Readonly<{ nodes: number; leases: number; untold: readonly Untold[] }>;

/** What the leases of a probe come to. */
export type LeaseVerdictNote = Readonly<{
  kind: 'verdict';
  verdict: 'cutOff' | 'connected' | 'tooFew' | 'unjudged';
  expired: number;
  candidates: number;
  /** Nodes and Machines were asked for; else they were known, or could not have changed the outcome (SPEC 5.4). */
  looked: boolean;
  /** When the threshold was crossed; only with `cutOff`. */
  crossedAt?: Instant;
  /** By how much the shoot's clock is ahead of ours, where that is more than is tolerated: leases were judged by it (SPEC 5.1). */
  clockAhead?: Millis;
  /** How many leases are ahead of the time (SPEC 5.1), and how many nobody renews though their nodes are Ready (SPEC 5.5); absent where none. */
  ahead?: number;
  notRenewed?: number;
  external?: never;
}>;

/** What the two paths of a probe come to (SPEC 4.9): the internal one answered. */
export type PathVerdictNote = Readonly<{
  kind: 'verdict';
  verdict: 'cutOff' | 'connected';
  /** How often in a row the external path has failed, or answered. */
  external: PathCount;
  /** Why it failed; only with `cutOff`. */
  reason?: ProbeFailureReason;
  /** When the first of these questions was asked; only with `cutOff`. */
  crossedAt?: Instant;
}>;

export type VerdictNote = LeaseVerdictNote | PathVerdictNote;

/** What a turn found out or made of it, for metrics, logs, journal and inspector (SPEC 9.1). */
export type ShootNote =
  | VerdictNote
  /** Why nothing is probed; said when the reason changes. */
  | Readonly<{ kind: 'paused'; reason: string }>
  /** No answer came even after the deadline, which is a fault of ours; it counts as a failed probe. */
  | Readonly<{ kind: 'probeLost'; number: number }>
  | Readonly<{ kind: 'dependantMissing'; key: DependantKey; direction: ScaleDirection }>
  /** We may not read it (403); said once until we may (SPEC 6.8). */
  | Readonly<{ kind: 'dependantRefused'; key: DependantKey; detail: string }>
  /** The shoot's clock and ours differ by more than is tolerated; said when it begins (SPEC 5.1). */
  | Readonly<{ kind: 'clockDiffers'; ahead: Millis }>
  /** Leases are ahead of the time by more than is tolerated, so that an outage would be seen later; said once until it is over (SPEC 5.1). */
  | Readonly<{ kind: 'leasesAhead'; leases: OddLeases }>
  /** No lease was ahead of the time for a while. */
  | Readonly<{ kind: 'leasesAheadOver' }>
  /**
   * So many leases are old only perhaps, and the next look, until then, tells whether anybody renews them: no verdict is reached (SPEC 5.1). `silentFor`: nobody
   * could, since the API server gave no answer for so long; else a clock may be wrong.
   */
  | Readonly<{ kind: 'leasesInDoubt'; leases: number; until: Instant; silentFor?: Millis }>
  /** Nobody renews leases though their nodes are Ready; said once until it is over (SPEC 5.5). */
  | Readonly<{ kind: 'leasesNotRenewed'; leases: OddLeases }>
  | Readonly<{ kind: 'leasesNotRenewedOver' }>
  /** A zone or a pool is cut off, and the rest of the shoot is not; said once until it is over (SPEC 5.6). What was said of late leases ends with it. */
  | (Readonly<{ kind: 'partialOutage' }> & PartialOutage)
  | Readonly<{ kind: 'partialOutageOver' }>
  /** Many leases are late, beside those of a part that is said to be cut off; said once until it is over (SPEC 5.7). `crossesAt`: when the threshold is met if nobody renews; absent where too few leases are there. */
  | (Readonly<{ kind: 'renewalsLate'; crossesAt?: Instant }> & LateLeases)
  | Readonly<{ kind: 'renewalsLateOver' }>
  /** Nobody can tell whether the shoot is cut off, for a minute by now; said once until somebody can (SPEC 5.8, 5.9). */
  | (Readonly<{ kind: 'unjudged' }> & Unjudged)
  | Readonly<{ kind: 'unjudgedOver' }>
  /** The shoot has more leases than are kept, so the oldest are left out; said once until it has no more (SPEC 4.7). */
  | Readonly<{ kind: 'leasesLeftOut'; leases: number }>
  /** The internal path has failed `failureThreshold` times in a row, and the shoot is left alone; said once until it answers (SPEC 4.9). */
  | Readonly<{ kind: 'internalFailed'; failures: number; leftAloneUntil: Instant }>
  /** The shoot has used up its early probes; said once until it has them all again (SPEC 4.6). */
  | Readonly<{ kind: 'earlyProbesSpent' }>
  | Readonly<{ kind: 'stepTimedOut'; key: DependantKey; direction: ScaleDirection; timeout: Millis }>
  | Readonly<{ kind: 'recordUnreadable'; key: DependantKey; record: string }>
  /** Somebody else scaled it to so many replicas while the shoot is cut off and it was at 0 by our hand (SPEC 6.9). `by`: as the seed remembers it. */
  | Readonly<{ kind: 'raised'; key: DependantKey; to: number; by?: string }>
  /** The first scale-down of an outage was commanded; `crossedAt` as in the verdict. `paths`: it is a verdict of two paths (SPEC 4.9). */
  | Readonly<{ kind: 'decided'; crossedAt: Instant; paths?: true }>
  /**
   * Everything is down: `crossedAt` and `paths` as above, `firstMarkAt` when the controller-manager would mark the first
   * node. `again`: somebody else had raised something at `crossedAt`; a controller-manager that starts gives each node a whole grace (SPEC 6.9).
   */
  | Readonly<{ kind: 'shielded'; crossedAt: Instant; firstMarkAt: Instant; paths?: true; again?: true }>
  /** The shoot is back, and its way up waits until then, since it was scaled down so often, each time within ten minutes of the one before (SPEC 6.5). */
  | Readonly<{ kind: 'returnWaits'; until: Instant; descents: number }>
  /** Everything is back that bore our mark; the way up began at `begunAt`. */
  | Readonly<{ kind: 'restored'; begunAt: Instant }>;

/**
 * The shoot is … `idle`: paused, or not seen yet. `probing`: connected, as far as it was asked. `leaseFailed`: cut off, and not often
 * enough yet. `scalingDown`: cut off, on the way down. `scaledDown`: cut off and all at 0. `scalingUp`: connected again, on the way up.
 */
export type ShootState = 'idle' | 'probing' | 'leaseFailed' | 'scalingDown' | 'scaledDown' | 'scalingUp';

export type ShootCommand = {
  [Name in keyof ShootCommands]: Readonly<{ type: Name; params: ShootCommands[Name] }>;
}[keyof ShootCommands];

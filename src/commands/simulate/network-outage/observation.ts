import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ProberConfig } from '../../../domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { Quiet } from '../story/play-story.ts';
import type { StoryRemark } from '../story/story-model.ts';
import type { StartedRun } from '../story/story-run.ts';

/** The options of a run of the network outage. */
export type NetworkOptions = StartedRun &
  Readonly<{
    /** In each shoot. */
    nodes: number;
    /** Named in an example. */
    firstShoot: ShootNamespace;
    config: ProberConfig;
    /** When the shoot's oldest lease was renewed; undefined where it has none. */
    oldestRenewal: (shoot: ShootNamespace) => Instant | undefined;
  }>;

/**
 * `over`: the story has ended; with `--keep` the seed stays up. Where there are two paths, the internal one fails first, and heals: that
 * is no outage, and nothing may be scaled for it (SPEC 4.9).
 */
export type Phase = 'calm' | 'internalOutage' | 'internalHealing' | 'outage' | 'healing' | 'over';

/** A dependant as it stands in the seed. */
export type DependantView = Readonly<{
  replicas: number;
  readyReplicas: number;
  /** Carries our mark. */
  marked: boolean;
  record?: string;
  /** It is annotated so that the watchdog leaves it alone. */
  ignored: boolean;
}>;

/** What one probe cost, as counted by the servers. */
export type ProbeCost = Readonly<{ connections: number; shootRequests: number; seedRequests: number }>;

/** When an outage should be noticed, and when it would do harm. Both are computed from the last renewals, not taken from the prober. */
export type Threat = Readonly<{ crossedAt: Instant; firstMarkAt: Instant }>;

/** The simulation shows and sums up nothing but these, in the order in which they were seen. */
export type Observation =
  | StoryRemark
  | Readonly<{
      type: 'phase';
      at: Instant;
      phase: Phase;
      /** The shoots that the outage hits; empty in every other phase. */
      threats: ReadonlyMap<ShootNamespace, Threat>;
      /** The shoots whose internal path fails from now on. Comes with the internal outage alone. */
      unasked?: ReadonlySet<ShootNamespace>;
      /** The requests to the seed while nothing happened. Comes with what ends that time. */
      quiet?: Quiet;
    }>
  /** `cost` is that of the probe that ended with this turn, if one did. */
  | Readonly<{ type: 'turn'; at: Instant; turn: ShootTurn; cost?: ProbeCost }>
  /** As the seed stores it, whoever changed it. */
  | Readonly<{ type: 'dependant'; at: Instant; shoot: ShootNamespace; key: DependantKey; view: DependantView }>
  /** The shoot's kube-controller-manager marked a node as dead. */
  | Readonly<{ type: 'marked'; at: Instant; shoot: ShootNamespace; node: string }>
  /** A tick of the clock; `late` is by how much this machine missed its instant. */
  | Readonly<{ type: 'tick'; at: Instant; late: Millis }>;

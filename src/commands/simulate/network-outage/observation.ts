import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ProberConfig } from '../../../domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { RunOptions } from '../story/story-run.ts';

/** What a run of the network outage was begun with. */
export type NetworkOptions = RunOptions &
  Readonly<{
    /** In each shoot. */
    nodes: number;
    /** To name one in an example. */
    firstShoot: ShootNamespace;
    config: ProberConfig;
    /** When the shoot's oldest lease was renewed; undefined where it has none. */
    oldestRenewal: (shoot: ShootNamespace) => Instant | undefined;
  }>;

/** `over`: the story was told; with `--keep` the world goes on. */
export type Phase = 'calm' | 'outage' | 'healing' | 'over';

/** A dependant as it stands in the seed. */
export type DependantView = Readonly<{
  replicas: number;
  readyReplicas: number;
  /** Carries our mark. */
  marked: boolean;
  record?: string;
  /** The watchdog was told to keep its hands off. */
  ignored: boolean;
}>;

/** What one probe cost, counted by the servers that were asked. */
export type ProbeCost = Readonly<{ connections: number; shootRequests: number; seedRequests: number }>;

/** Every request to the seed, from whomever, within a length of time. */
export type Quiet = Readonly<{ seedRequests: number; length: Millis }>;

/** When an outage was to be noticed, and when it would have done harm; read off the last renewals, not off the prober. */
export type Threat = Readonly<{ crossedAt: Instant; firstMarkAt: Instant }>;

/** Everything that the simulation shows and sums up is made of these, in the order in which they were seen. */
export type Observation =
  | Readonly<{
      type: 'phase';
      at: Instant;
      phase: Phase;
      /** Of the shoots that an outage hits; empty in every other phase. */
      threats: ReadonlyMap<ShootNamespace, Threat>;
      /** What the seed was asked while nothing happened; with the outage, which ends that time. */
      quiet?: Quiet;
    }>
  /** `cost` belongs to the probe that ended with this turn, where one did. */
  | Readonly<{ type: 'turn'; at: Instant; turn: ShootTurn; cost?: ProbeCost }>
  /** As the seed keeps it; whoever changed it. */
  | Readonly<{ type: 'dependant'; at: Instant; shoot: ShootNamespace; key: DependantKey; view: DependantView }>
  /** The shoot's kube-controller-manager took a node for dead. */
  | Readonly<{ type: 'marked'; at: Instant; shoot: ShootNamespace; node: string }>
  /** Time went on; `late` is how long after its instant this machine got to it. */
  | Readonly<{ type: 'tick'; at: Instant; late: Millis }>
  /** The story waited in vain for something, and goes on. */
  | Readonly<{ type: 'missed'; at: Instant; what: string }>
  /** What the prober has to say that no turn tells. */
  | Readonly<{ type: 'remark'; at: Instant; text: string }>;

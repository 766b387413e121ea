import type { ShootNamespace } from '../../../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { WeederConfig } from '../../../domain/weeder/weeder-config.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { RunOptions } from '../story/story-run.ts';
import type { PacedClock } from './paced-clock.ts';

/** What a run of the etcd outage was begun with. */
export type EtcdOptions = RunOptions &
  Readonly<{
    clock: PacedClock;
    /** How fast the clock runs while the weeder works; `speed` is how fast it runs else. */
    slowSpeed: number;
    /** To name one in an example. */
    firstShoot: ShootNamespace;
    config: WeederConfig;
  }>;

/** `over`: the story was told; with `--keep` the world goes on. */
export type Phase = 'calm' | 'outage' | 'recovery' | 'over';

/** The two seeds that live side by side: on the one works a weeder, the other is left to itself. */
export type Side = 'weeded' | 'unaided';
export const sides: readonly Side[] = ['weeded', 'unaided'];
export const sideWords: Readonly<Record<Side, string>> = { weeded: 'with the weeder', unaided: 'without it' };

/** What of a control plane starts after what: API servers need etcd, everything else needs them. */
export type Stage = 'etcd' | 'apiServers' | 'controllers';
export const stages: readonly Stage[] = ['etcd', 'apiServers', 'controllers'];

/** What etcd takes down with it, in the order in which it comes back. */
export type DependantStage = Exclude<Stage, 'etcd'>;
export const dependantStages: readonly DependantStage[] = ['apiServers', 'controllers'];

/** The pods of one stage of one control plane, as their seed has them. */
export type StageView = Readonly<{
  /** Those that are there to stay. */
  pods: number;
  ready: number;
  crashLooping: number;
  /** When the last of those that wait in CrashLoopBackOff starts again by itself; null where none waits. */
  backOffUntil: Instant | null;
}>;

/** What the seed was asked for, by whomever. */
export type RequestCounts = Readonly<{ all: number; lists: number; watches: number; deletions: number }>;

/** Everything that the simulation shows and sums up is made of these, in the order in which they were seen. */
export type Observation =
  | Readonly<{ type: 'phase'; at: Instant; phase: Phase }>
  | Readonly<{
      type: 'stage';
      at: Instant;
      side: Side;
      shoot: ShootNamespace;
      stage: Stage;
      view: StageView;
    }>
  /** The service of a stage got its first ready endpoint, or lost its last one. */
  | Readonly<{ type: 'service'; at: Instant; side: Side; shoot: ShootNamespace; stage: Stage; available: boolean }>
  /** The weeder had a pod deleted. */
  | Readonly<{
      type: 'deletion';
      at: Instant;
      shoot: ShootNamespace;
      /** Undefined for a pod that is none of a control plane's. */
      stage: Stage | undefined;
      pod: string;
      /** Since when it waited in CrashLoopBackOff. */
      waitingSince: Instant;
      /** What was wrong with it (S8); null for a deletion that was right. */
      fault: string | null;
    }>
  | Readonly<{ type: 'turn'; at: Instant; turn: WeederTurn }>
  /** Time went on; `late` is how long after its instant this machine got to it. */
  | Readonly<{ type: 'tick'; at: Instant; late: Millis; requests: RequestCounts }>
  /** The story waited in vain for something, and goes on. */
  | Readonly<{ type: 'missed'; at: Instant; what: string }>
  /** What the weeder has to say that no turn tells. */
  | Readonly<{ type: 'remark'; at: Instant; text: string }>;

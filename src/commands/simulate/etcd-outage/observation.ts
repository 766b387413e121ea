import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { WeederConfig } from '../../../domain/weeder/weeder-config.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { StoryRemark } from '../story/story-model.ts';
import type { StartedRun } from '../story/story-run.ts';
import type { PacedClock } from './paced-clock.ts';

/** The options of a run of the etcd outage. */
export type EtcdOptions = StartedRun &
  Readonly<{
    clock: PacedClock;
    /** How fast the clock runs while the weeder works. Otherwise it runs at `speed`. */
    slowSpeed: number;
    /** How fast it runs while the seed stays up. */
    speedAfter: number;
    /** Named in an example. */
    firstShoot: ShootNamespace;
    config: WeederConfig;
  }>;

/** `over`: the story has ended; with `--keep` the seed stays up. */
export type Phase = 'calm' | 'outage' | 'recovery' | 'over';

/** The two seeds: a weeder works on the one, and the other is left to itself. */
export type Side = 'weeded' | 'unaided';
export const sides: readonly Side[] = ['weeded', 'unaided'];
export const sideWords: Readonly<Record<Side, string>> = { weeded: 'with the weeder', unaided: 'without it' };

/** The stages in which a control plane starts: API servers need etcd, and everything else needs API servers. */
export type Stage = 'etcd' | 'apiServers' | 'controllers';
export const stages: readonly Stage[] = ['etcd', 'apiServers', 'controllers'];

export function byStage<Value>(of: (stage: Stage) => Value): Readonly<Record<Stage, Value>> {
  return { etcd: of('etcd'), apiServers: of('apiServers'), controllers: of('controllers') };
}

/** The stages that etcd takes down, in the order in which they come back. */
export type DependantStage = Exclude<Stage, 'etcd'>;
export const dependantStages: readonly DependantStage[] = ['apiServers', 'controllers'];

/** The pods of one stage of one control plane, as their seed stores them. */
export type StageView = Readonly<{
  /** Pods that are not ending. */
  pods: number;
  ready: number;
  crashLooping: number;
  /** When the last pod in CrashLoopBackOff starts again by itself; null if none waits. */
  backOffUntil: Instant | null;
}>;

/** Requests to the seed, by anybody. */
export type RequestCounts = Readonly<{ all: number; lists: number; watches: number; deletions: number }>;

/** The simulation shows and sums up nothing but these, in the order in which they were seen. */
export type Observation =
  | StoryRemark
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
  /** The weeder deleted a pod. */
  | Readonly<{
      type: 'deletion';
      at: Instant;
      shoot: ShootNamespace;
      /** Undefined for a pod that belongs to no control plane. */
      stage: Stage | undefined;
      pod: string;
      /** Since when it waited in CrashLoopBackOff. */
      waitingSince: Instant;
      /** What was wrong with the deletion (S8); null if it was right. */
      fault: string | null;
    }>
  | Readonly<{ type: 'turn'; at: Instant; turn: WeederTurn }>
  /** A tick of the clock; `late` is by how much this machine missed its instant. */
  | Readonly<{ type: 'tick'; at: Instant; late: Millis; requests: RequestCounts }>;

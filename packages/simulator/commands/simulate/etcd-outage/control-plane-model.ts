import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ServiceKey } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import { begunState, type StoryState } from '../story/story.ts';

/** `over`: the story has ended; with `--keep` the seed stays up. */
export type Phase = 'calm' | 'outage' | 'recovery' | 'over';

/** The two seeds: a weeder works on the one, and the other is left to itself. */
export type Side = 'weeded' | 'unaided';
export const sides: readonly Side[] = ['weeded', 'unaided'];
export const sideWords: Readonly<Record<Side, string>> = { weeded: 'with the weeder', unaided: 'without it' };

export function bySide<Value>(of: (side: Side) => Value): Readonly<Record<Side, Value>> {
  return { weeded: of('weeded'), unaided: of('unaided') };
}

/** The stages in which a control plane starts: API servers need etcd, and everything else needs API servers. */
export type OutageStage = 'etcd' | 'apiServers' | 'controllers';
export const stages: readonly OutageStage[] = ['etcd', 'apiServers', 'controllers'];
export const stageWords: Readonly<Record<OutageStage, string>> = {
  etcd: 'etcd',
  apiServers: 'API servers',
  controllers: 'controllers',
};

export function byStage<Value>(of: (stage: OutageStage) => Value): Readonly<Record<OutageStage, Value>> {
  return { etcd: of('etcd'), apiServers: of('apiServers'), controllers: of('controllers') };
}

/** The stages that etcd takes down, in the order in which they come back. */
export type DependantStage = Exclude<OutageStage, 'etcd'>;
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

/** What was seen of one stage of one control plane on one side. Null: not yet, or not now. */
type StageRow = {
  /** Pods before anything happened. */
  readonly before: number;
  now: StageView;
  /** Since when it is whole. */
  wellSince: Instant | null;
  /** Since when its service has a ready endpoint. */
  servingSince: Instant | null;
  /** The longest back-off of its pods. */
  longestBackOff: Millis;
  /** Pods of it that the weeder deleted. */
  deleted: number;
  /** From the moment when the first deletion was possible, after its service was back, to that deletion. */
  reaction: Millis | null;
};

/** One control plane, on both sides. */
export type PlaneRow = Readonly<Record<Side, Readonly<Record<OutageStage, StageRow>>>> & {
  readonly shoot: ShootNamespace;
  /** The services for which there is a weeder's machine. */
  readonly services: Set<ServiceKey>;
  /** Wrong deletions by the weeder, one sentence each. */
  readonly faults: string[];
  /** Bugs of ours that ended one of its machines. */
  bugs: number;
};

/** The simulation so far. `latest`: how late this machine was at worst while the weeder worked. */
export type ControlPlaneModel = StoryState<Phase, PlaneRow> & {
  /** Requests to the weeded seed during the story. */
  requests: RequestCounts;
};

/** The state of every control plane on both sides, before anything happens. */
export type FirstViews = ReadonlyMap<ShootNamespace, Readonly<Record<Side, Readonly<Record<OutageStage, StageView>>>>>;

export const noRequests: RequestCounts = { all: 0, lists: 0, watches: 0, deletions: 0 };

/** Before another outage it knows the pods and services, and nothing of what happened before. */
export function begunControlPlanes(at: Instant, planes: FirstViews, before?: ControlPlaneModel): ControlPlaneModel {
  const rows = [...planes].map(([shoot, views]): PlaneRow => ({
    shoot,
    ...bySide((side) => byStage((stage) => firstStage(views[side][stage], at))),
    services: new Set(before?.rows.get(shoot)?.services),
    faults: [],
    bugs: 0,
  }));
  return { ...begunState<Phase, PlaneRow>(at, rows, 'calm', before), requests: noRequests };
}

function firstStage(now: StageView, at: Instant): StageRow {
  return {
    before: now.pods,
    now,
    wellSince: now.ready === now.pods ? at : null,
    servingSince: now.ready > 0 ? at : null,
    longestBackOff: 0,
    deleted: 0,
    reaction: null,
  };
}

/** Every pod that there was is there again, and ready. */
export function isWell(row: PlaneRow, side: Side): boolean {
  return stages.every((stage) => row[side][stage].wellSince !== null);
}

/** The same on both sides. */
export function isAllWell(row: PlaneRow): boolean {
  return sides.every((side) => isWell(row, side));
}

/** etcd is coming back, and the weeder's seed is not well yet. */
export function isWeederAtWork({ phase, rows }: ControlPlaneModel): boolean {
  return phase === 'recovery' && ![...rows.values()].every((row) => isWell(row, 'weeded'));
}

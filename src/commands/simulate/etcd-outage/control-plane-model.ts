import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import { serviceOf, type ServiceKey } from '../../../domain/weeder/service-ref.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import { anotherStory, firstStory, withRemark, withRow, type StoryModel } from '../story/story-model.ts';
import {
  byStage,
  stages,
  type Observation,
  type Phase,
  type RequestCounts,
  type Side,
  type Stage,
  type StageView,
} from './observation.ts';

/** What was seen of one stage of one control plane on one side. Null: not yet, or not now. */
type StageRow = Readonly<{
  /** Pods before anything happened. */
  before: number;
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
}>;

export type SideRow = Readonly<Record<Stage, StageRow>>;

/** One control plane, on both sides. */
export type PlaneRow = Readonly<{
  shoot: ShootNamespace;
  weeded: SideRow;
  unaided: SideRow;
  /** The services for which there is a weeder's machine. */
  services: ReadonlySet<ServiceKey>;
  /** Wrong deletions by the weeder, one sentence each. */
  faults: readonly string[];
  /** Bugs of ours that ended one of its machines. */
  bugs: number;
}>;

/** The simulation so far, as a plain value. `latest`: how late this machine was at worst while the weeder worked. */
export type ControlPlaneModel = StoryModel<Phase, PlaneRow> &
  Readonly<{
    /** Requests to the weeded seed during the story. */
    requests: RequestCounts;
  }>;

/** The state of every control plane on both sides, before anything happens. */
export type FirstViews = ReadonlyMap<ShootNamespace, Readonly<Record<Side, Readonly<Record<Stage, StageView>>>>>;

export const noRequests: RequestCounts = { all: 0, lists: 0, watches: 0, deletions: 0 };

/** The stage whose service this one waits for. */
const neededBy: Readonly<Record<Stage, Stage | undefined>> = {
  etcd: undefined,
  apiServers: 'etcd',
  controllers: 'apiServers',
};

export function firstControlPlanes(at: Instant, planes: FirstViews): ControlPlaneModel {
  const rows = [...planes].map(([shoot, views]): PlaneRow => {
    const side = (of: Side) => byStage((stage) => firstStage(views[of][stage], at));
    return { shoot, weeded: side('weeded'), unaided: side('unaided'), services: new Set(), faults: [], bugs: 0 };
  });
  return { ...firstStory(at, rows), requests: noRequests };
}

/** The model at the beginning of another outage. It knows the pods and services, and nothing of what happened before. */
export function beforeAnother(model: ControlPlaneModel, at: Instant, planes: FirstViews): ControlPlaneModel {
  const fresh = firstControlPlanes(at, planes);
  return anotherStory<PlaneRow, ControlPlaneModel>(model, fresh, ({ services }) => ({ services }));
}

/** Takes one observation into account. */
export function withObservation(model: ControlPlaneModel, seen: Observation): ControlPlaneModel {
  switch (seen.type) {
    case 'phase':
      return { ...model, phase: seen.phase, phaseAt: seen.at };
    case 'stage':
      return withStage(model, seen, (row) => afterChange(row, seen.view, seen.at));
    case 'service':
      return withStage(model, seen, (row) => ({ ...row, servingSince: seen.available ? seen.at : null }));
    case 'deletion':
      return afterDeletion(model, seen);
    case 'turn':
      return withRow(model, serviceOf(seen.turn.subject).namespace, (row) => afterTurn(row, seen.turn));
    case 'tick':
      if (model.phase === 'over') return model;
      return {
        ...model,
        latest: isWeederAtWork(model) ? Math.max(model.latest, seen.late) : model.latest,
        requests: seen.requests,
      };
    case 'missed':
    case 'remark':
      return withRemark(model, seen);
  }
}

/** Every pod that there was is there again, and ready. */
export function isWell(row: PlaneRow, side: Side): boolean {
  return stages.every((stage) => row[side][stage].wellSince !== null);
}

/** etcd is coming back, and the weeder's seed is not well yet. */
export function isWeederAtWork({ phase, rows }: ControlPlaneModel): boolean {
  return phase === 'recovery' && ![...rows.values()].every((row) => isWell(row, 'weeded'));
}

function firstStage(view: StageView, at: Instant): StageRow {
  return {
    before: view.pods,
    now: view,
    wellSince: view.ready === view.pods ? at : null,
    servingSince: view.ready > 0 ? at : null,
    longestBackOff: 0,
    deleted: 0,
    reaction: null,
  };
}

function afterChange(row: StageRow, view: StageView, at: Instant): StageRow {
  const isWhole = view.ready === row.before && view.pods === row.before;
  const backOff = view.backOffUntil === null || view.backOffUntil === row.now.backOffUntil ? 0 : view.backOffUntil - at;
  return {
    ...row,
    now: view,
    wellSince: isWhole ? (row.wellSince ?? at) : null,
    longestBackOff: Math.max(row.longestBackOff, backOff),
  };
}

function afterDeletion(model: ControlPlaneModel, seen: Extract<Observation, { type: 'deletion' }>): ControlPlaneModel {
  const { at, shoot, stage, fault, waitingSince } = seen;
  return withRow(model, shoot, (row) => {
    const faults = fault === null ? row.faults : [...row.faults, `${seen.pod} ${fault}`];
    if (stage === undefined) return { ...row, faults };
    const needed = neededBy[stage];
    const servingSince = needed === undefined ? null : row.weeded[needed].servingSince;
    const one = row.weeded[stage];
    const isFirst = model.phase === 'recovery' && fault === null && servingSince !== null && one.reaction === null;
    const reaction = isFirst ? at - Math.max(servingSince, waitingSince) : one.reaction;
    return { ...row, faults, weeded: { ...row.weeded, [stage]: { ...one, deleted: one.deleted + 1, reaction } } };
  });
}

function afterTurn(row: PlaneRow, { subject: service, event }: WeederTurn): PlaneRow {
  if (event.type !== 'ended') return { ...row, services: new Set(row.services).add(service) };
  const services = new Set(row.services);
  services.delete(service);
  return { ...row, services, bugs: row.bugs + (event.because === 'bug' ? 1 : 0) };
}

function withStage(
  model: ControlPlaneModel,
  { shoot, side, stage }: Readonly<{ shoot: ShootNamespace; side: Side; stage: Stage }>,
  change: (row: StageRow) => StageRow,
): ControlPlaneModel {
  return withRow(model, shoot, (row) => ({ ...row, [side]: { ...row[side], [stage]: change(row[side][stage]) } }));
}

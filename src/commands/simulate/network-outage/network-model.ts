import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { LeaseVerdictNote, PathVerdictNote, ShootState } from '../../../machines/shoot-language.ts';
import type { ShownVerdict } from './state-words.ts';
import type { Quiet } from '../story/play-story.ts';
import { anotherStory, firstStory, withRemark, withRow, type StoryModel } from '../story/story-model.ts';
import type { DependantView, Observation, Phase, ProbeCost, Threat } from './observation.ts';

/** One dependant of one shoot, as the seed stores it. Instants are in the outage; null: not yet. */
export type DependantRow = Readonly<{
  /** The replicas wanted before anything happened. */
  before: number;
  now: DependantView;
  /** The fewest replicas that were ever wanted. */
  least: number;
  /** When its last pod was gone. */
  downAt: Instant | null;
}>;

/** All that was seen of one shoot. */
export type ShootRow = Readonly<{
  shoot: ShootNamespace;
  state: ShootState;
  /** The last one; null before the first. */
  verdict: ShownVerdict | null;
  dependants: ReadonlyMap<DependantKey, DependantRow>;
  /** Null unless the outage hits the shoot. */
  threat: Threat | null;
  /** Its internal path fails, or failed. */
  unasked: boolean;
  /** Its internal path failed so often that the prober leaves it alone for a while. */
  leftAlone: boolean;
  /** Something was scaled down though nothing but its internal path failed. */
  scaledUnasked: boolean;
  /** When the first scale-down was commanded. */
  decidedAt: Instant | null;
  downAt: Instant | null;
  /** When everything was as before again, after it was down. */
  backAt: Instant | null;
  nodesMarked: number;
  healthyProbes: readonly ProbeCost[];
  /** Something was done to it since the last probe, so its next probe is not one of a connected shoot. */
  disturbed: boolean;
  /** How often a bug of ours ended its machine. */
  bugs: number;
}>;

/** The simulation so far, as a plain value. */
export type NetworkModel = StoryModel<Phase, ShootRow> &
  Readonly<{
    /** The shoots are of the older generation, which asks on two paths (SPEC 4.9). */
    twoPaths: boolean;
    /** When the outage healed; null before that. */
    healedAt: Instant | null;
    /** Null until the outage, or if the calm never came. */
    quiet: Quiet | null;
  }>;

/** The seed's first state, in the order of the table. */
export type FirstViews = ReadonlyMap<ShootNamespace, ReadonlyMap<DependantKey, DependantView>>;

export function firstModel(at: Instant, shoots: FirstViews, twoPaths = false): NetworkModel {
  const rows = [...shoots].map(([shoot, views]) => firstRow(shoot, views));
  return { ...firstStory(at, rows), twoPaths, healedAt: null, quiet: null };
}

function firstRow(shoot: ShootNamespace, views: ReadonlyMap<DependantKey, DependantView>): ShootRow {
  const dependants = [...views].map(([key, view]): [DependantKey, DependantRow] => [
    key,
    { before: view.replicas, now: view, least: view.replicas, downAt: null },
  ]);
  return {
    shoot,
    state: 'idle',
    verdict: null,
    dependants: new Map(dependants),
    threat: null,
    unasked: false,
    leftAlone: false,
    scaledUnasked: false,
    decidedAt: null,
    downAt: null,
    backAt: null,
    nodesMarked: 0,
    healthyProbes: [],
    disturbed: false,
    bugs: 0,
  };
}

/** The model at the beginning of another outage. It knows what the shoots do, and nothing of what happened before. */
export function beforeAnother(model: NetworkModel, at: Instant, shoots: FirstViews): NetworkModel {
  const fresh = firstModel(at, shoots, model.twoPaths);
  return anotherStory<ShootRow, NetworkModel>(model, fresh, ({ state, verdict, disturbed }) => ({
    state,
    verdict,
    disturbed,
  }));
}

/** Takes one observation into account. */
export function withObservation(model: NetworkModel, seen: Observation): NetworkModel {
  switch (seen.type) {
    case 'phase':
      return {
        ...model,
        phase: seen.phase,
        phaseAt: seen.at,
        healedAt: seen.phase === 'healing' ? seen.at : model.healedAt,
        quiet: seen.quiet ?? model.quiet,
        rows: new Map(
          [...model.rows].map(([shoot, row]) => [
            shoot,
            {
              ...row,
              threat: seen.threats.get(shoot) ?? row.threat,
              unasked: row.unasked || seen.unasked?.has(shoot) === true,
            },
          ]),
        ),
      };
    case 'turn':
      return withRow(model, seen.turn.subject, (row) => afterTurn(row, model.phase, seen.turn, seen.cost));
    case 'dependant':
      return withRow(model, seen.shoot, (row) => afterChange(row, model.phase, seen));
    case 'marked':
      return withRow(model, seen.shoot, (row) => ({ ...row, nodesMarked: row.nodesMarked + 1 }));
    case 'tick':
      return model.phase === 'over' ? model : { ...model, latest: Math.max(model.latest, seen.late) };
    case 'missed':
    case 'remark':
      return withRemark(model, seen);
  }
}

/** No dependant of it runs any more. Those that the operator wants left alone do not count. */
export function isDown({ dependants }: ShootRow): boolean {
  return [...dependants.values()].every(({ now }) => now.ignored || hasNone(now));
}

/** All dependants run as before, and none has an annotation of ours. */
export function isAsBefore({ dependants }: ShootRow): boolean {
  return [...dependants.values()].every(
    ({ before, now }) =>
      now.replicas === before && now.readyReplicas === before && !now.marked && now.record === undefined,
  );
}

/** Something of it was scaled down by the watchdog, and is not back. */
export function carriesMark({ dependants }: ShootRow): boolean {
  return [...dependants.values()].some(({ now }) => now.marked || now.record !== undefined);
}

function afterTurn(
  row: ShootRow,
  phase: Phase,
  { at, event, to, commands, notes }: ShootTurn,
  cost?: ProbeCost,
): ShootRow {
  const verdict = notes.find((note) => note.kind === 'verdict');
  const decides =
    phase !== 'calm' && commands.some(({ type, params }) => type === 'scale' && params.change.replicas === 0);
  const isHealthy = verdict !== undefined && foundNothing(verdict) && !row.disturbed;
  const counts = cost !== undefined && isHealthy && phase !== 'over';
  const isCalm = (to === 'probing' || to === 'idle') && !commands.some(({ type }) => type === 'scale');
  return {
    ...row,
    state: to,
    verdict: verdict ?? row.verdict,
    leftAlone: verdict === undefined && (row.leftAlone || notes.some(({ kind }) => kind === 'internalFailed')),
    decidedAt: row.decidedAt ?? (decides ? at : null),
    healthyProbes: counts ? [...row.healthyProbes, cost] : row.healthyProbes,
    // The requests made before a probe ended are counted with that probe.
    disturbed: !isCalm || (row.disturbed && verdict === undefined),
    bugs: row.bugs + (event.type === 'ended' && event.because === 'bug' ? 1 : 0),
  };
}

/** A verdict that cost no more than any of a connected shoot. */
function foundNothing(verdict: LeaseVerdictNote | PathVerdictNote): boolean {
  if (verdict.verdict !== 'connected') return false;
  return verdict.external !== undefined || (verdict.expired === 0 && !verdict.looked);
}

function afterChange(
  row: ShootRow,
  phase: Phase,
  { at, key, view }: Extract<Observation, { type: 'dependant' }>,
): ShootRow {
  const one = row.dependants.get(key);
  if (one === undefined) return row;
  const changed: DependantRow = {
    ...one,
    now: view,
    least: Math.min(one.least, view.replicas),
    downAt: one.downAt ?? (phase === 'outage' && hasNone(view) ? at : null),
  };
  const next = { ...row, dependants: new Map(row.dependants).set(key, changed) };
  const downAt = row.downAt ?? (phase === 'outage' && isDown(next) ? at : null);
  const isBack = phase === 'healing' && downAt !== null && isAsBefore(next);
  const isUnasked = phase === 'internalOutage' || phase === 'internalHealing';
  const scaledUnasked = row.scaledUnasked || (isUnasked && view.replicas < one.before);
  return { ...next, scaledUnasked, downAt, backAt: isBack ? (row.backAt ?? at) : phase === 'over' ? row.backAt : null };
}

function hasNone({ replicas, readyReplicas }: DependantView): boolean {
  return replicas === 0 && readyReplicas === 0;
}

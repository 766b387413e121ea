import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootState } from '../../../machines/shoot-language.ts';
import type { DependantView, Observation, Phase, ProbeCost, Quiet, Threat } from './observation.ts';

/** One dependant of one shoot, as the seed keeps it. Instants are of the outage; null: not yet. */
export type DependantRow = Readonly<{
  /** Wanted before anything happened. */
  before: number;
  now: DependantView;
  /** The fewest that were ever wanted. */
  least: number;
  /** No pod of it is left. */
  downAt: Instant | null;
}>;

/** All that was seen of one shoot. */
export type ShootRow = Readonly<{
  shoot: ShootNamespace;
  state: ShootState;
  /** The last one; null before the first. */
  verdict: Readonly<{ expired: number; candidates: number }> | null;
  dependants: ReadonlyMap<DependantKey, DependantRow>;
  /** Null while the shoot is spared. */
  threat: Threat | null;
  /** The first write that takes something down was commanded. */
  decidedAt: Instant | null;
  downAt: Instant | null;
  /** Everything is as it was, after it was down. */
  backAt: Instant | null;
  nodesMarked: number;
  healthyProbes: readonly ProbeCost[];
  /** Something was done to it since the last probe, whose price is not a healthy probe's. */
  disturbed: boolean;
  /** Bugs of ours that ended its machine. */
  bugs: number;
}>;

/** The simulation so far, as a plain value. */
export type NetworkModel = Readonly<{
  startedAt: Instant;
  phase: Phase;
  phaseAt: Instant;
  rows: ReadonlyMap<ShootNamespace, ShootRow>;
  /** Null until the outage, or where the calm never came. */
  quiet: Quiet | null;
  /** By how much this machine was late at worst, while the story lasted. */
  latest: Millis;
  /** What the story waited for in vain. */
  missed: readonly string[];
}>;

/** The seed's first state, in the order of the table. */
export type FirstViews = ReadonlyMap<ShootNamespace, ReadonlyMap<DependantKey, DependantView>>;

export function firstModel(at: Instant, shoots: FirstViews): NetworkModel {
  const rows = new Map<ShootNamespace, ShootRow>();
  for (const [shoot, views] of shoots) {
    const dependants = new Map<DependantKey, DependantRow>();
    for (const [key, view] of views) {
      dependants.set(key, { before: view.replicas, now: view, least: view.replicas, downAt: null });
    }
    rows.set(shoot, {
      shoot,
      state: 'idle',
      verdict: null,
      dependants,
      threat: null,
      decidedAt: null,
      downAt: null,
      backAt: null,
      nodesMarked: 0,
      healthyProbes: [],
      disturbed: false,
      bugs: 0,
    });
  }
  return { startedAt: at, phase: 'calm', phaseAt: at, rows, quiet: null, latest: 0, missed: [] };
}

/** Takes one observation into account. */
export function withObservation(model: NetworkModel, seen: Observation): NetworkModel {
  switch (seen.type) {
    case 'phase':
      return {
        ...model,
        phase: seen.phase,
        phaseAt: seen.at,
        quiet: seen.quiet ?? model.quiet,
        rows: new Map([...model.rows].map(([shoot, row]) => [shoot, threatened(row, seen.threats.get(shoot))])),
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
      return { ...model, missed: [...model.missed, seen.what] };
    case 'remark':
      return model;
  }
}

/** Nothing of it runs any more; what the operator told us to leave alone does not count. */
export function isDown({ dependants }: ShootRow): boolean {
  return [...dependants.values()].every(({ now }) => now.ignored || hasNone(now));
}

/** All of it runs as before, and nothing of ours is left on it. */
export function isAsBefore({ dependants }: ShootRow): boolean {
  return [...dependants.values()].every(
    ({ before, now }) =>
      now.replicas === before && now.readyReplicas === before && !now.marked && now.record === undefined,
  );
}

function threatened(row: ShootRow, threat: Threat | undefined): ShootRow {
  return threat === undefined ? row : { ...row, threat };
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
  const isHealthy = verdict?.verdict === 'connected' && verdict.expired === 0 && !verdict.looked && !row.disturbed;
  const counts = cost !== undefined && isHealthy && phase !== 'over';
  const isCalm = (to === 'probing' || to === 'idle') && !commands.some(({ type }) => type === 'scale');
  return {
    ...row,
    state: to,
    verdict: verdict ?? row.verdict,
    decidedAt: row.decidedAt ?? (decides ? at : null),
    healthyProbes: counts ? [...row.healthyProbes, cost] : row.healthyProbes,
    // Whatever was done before a probe ended is paid for with that probe.
    disturbed: !isCalm || (row.disturbed && verdict === undefined),
    bugs: row.bugs + (event.type === 'ended' && event.because === 'bug' ? 1 : 0),
  };
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
  return { ...next, downAt, backAt: isBack ? (row.backAt ?? at) : phase === 'over' ? row.backAt : null };
}

function hasNone({ replicas, readyReplicas }: DependantView): boolean {
  return replicas === 0 && readyReplicas === 0;
}

function withRow(model: NetworkModel, shoot: ShootNamespace, change: (row: ShootRow) => ShootRow): NetworkModel {
  const row = model.rows.get(shoot);
  return row === undefined ? model : { ...model, rows: new Map(model.rows).set(shoot, change(row)) };
}

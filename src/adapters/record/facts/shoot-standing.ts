import { downDependants } from '../../../domain/prober/down-dependants.ts';
import { judgeLifecycle } from '../../../domain/prober/cluster-view.ts';
import type { Verdict } from '../../../domain/prober/verdict.ts';
import type { StandingState } from '../../../domain/prober/standing.ts';
import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { ShootState } from '../../../machines/shoot-language.ts';
import { allPathProbes } from './path-probes.ts';

type ShootContext = ShootLanguage['Context'];

/**
 * How a shoot stands by what its machine knows, in the names of `status`, which sees the cluster alone. `context`: what the machine remembers
 * after its last turn; undefined where that is not known.
 */
export function standingAfter(state: ShootState, context: ShootContext | undefined): StandingState {
  switch (state) {
    case 'idle':
      return context === undefined ? 'leftAlone' : restingStanding(context);
    case 'probing':
      return context === undefined ? 'waiting' : probedStanding(context);
    case 'leaseFailed':
      return 'cutOff';
    case 'scalingDown':
      return 'scalingDown';
    case 'scaledDown':
      return (context?.probe.failuresInRow ?? 0) > 0 ? 'scaledDownNotAnswering' : 'scaledDown';
    case 'scalingUp':
      return 'scalingUp';
  }
}

/** Where a Cluster cannot be read, the machine keeps the last one that could, and pauses for another reason than that one gives. */
function restingStanding({ cluster, pause }: ShootContext): StandingState {
  if (pause === null) return 'waiting';
  const lifecycle = cluster === null ? undefined : judgeLifecycle(cluster);
  if (lifecycle === undefined || lifecycle.kind === 'start' || lifecycle.reason !== pause.because) return 'unreadable';
  return lifecycle.kind === 'stop' ? 'leftAlone' : 'waiting';
}

function probedStanding(context: ShootContext): StandingState {
  const { config, known, probe } = context;
  const all = Object.values(known);
  const down = downDependants(known);
  if (down.some(({ by }) => by === 'ours')) return all.some(isUp) ? 'partlyScaledDown' : 'scaledDown';
  // An optional one that may not be read holds nothing up, as one that is missing (SPEC 6.8).
  if (config.dependants.some(({ key, optional }) => !optional && (known[key]?.refusal ?? null) !== null))
    return 'unreadable';
  if (down.length > 0) return 'scaledDownByOthers';
  if (probe.failuresInRow > 0) return 'notAnswering';
  if (context.said.unjudged !== null) return 'unjudged';
  const verdict = lastVerdict(context);
  if (verdict === null) return 'waiting';
  // It is told only after a minute.
  return verdict === 'connected' || verdict === 'unjudged' ? 'watched' : verdict;
}

function isUp({ view }: ShootContext['known'][string]): boolean {
  return view?.found === true && !view.ignored && view.replicas > 0;
}

/** What the last verdict was; null before the first one. Two leases or none are needed for another one than `tooFew` (SPEC 5.3). */
export function lastVerdict({ outage, seen, paths, streak }: ShootContext): Verdict['kind'] | null {
  if (outage !== null) return 'cutOff';
  if (paths !== undefined) return streak.count === 0 ? null : streak.of;
  if (seen === null || seen.counted === null) return null;
  if (seen.unjudgedSince !== null) return 'unjudged';
  const { candidates } = seen.counted;
  return candidates === 1 || (candidates === 0 && hasCandidate(seen)) ? 'tooFew' : 'connected';
}

/** A candidate without a readable renewTime is not counted. */
function hasCandidate({ leases, nonCandidates }: NonNullable<ShootContext['seen']>): boolean {
  return leases.some(({ node }) => !nonCandidates.includes(node));
}

/** Why a shoot is left alone. `unreadable`: since its Cluster cannot be read. */
export type Pause = Readonly<{ reason: string; unreadable: boolean }>;

/** Whether a shoot is left alone from this turn on. A machine begins idle; one that finds the shoot paused says so. */
export function pauseIn({ event, from, to, notes }: TurnWithStates): Pause | undefined {
  if (to !== 'idle') return undefined;
  const paused = notes.find((note) => note.kind === 'paused');
  if (paused === undefined && (from === 'idle' || from === undefined)) return undefined;
  const unreadable = event.type === 'cluster.changed' && !event.reading.readable;
  return { reason: paused?.reason ?? 'it is no longer probed', unreadable };
}

type TurnWithStates = Pick<ShootTurn, 'event' | 'to' | 'notes'> & Readonly<{ from?: ShootState | undefined }>;

/** What no snapshot of a shoot tells: why its last probe told nothing, and when the prober brought a dependant to 0. */
export type ToldByTurns = Readonly<{
  failure?: ProbeFailure;
  downAt?: Readonly<Record<DependantKey, Instant>>;
}>;

/** Remembers it of all shoots. Every turn must pass, in order; one of a shoot that answers costs a look at its event. */
export function toldByTurns() {
  const told = new Map<ShootNamespace, ToldByTurns>();
  const paths = allPathProbes();
  return {
    observe(turn: Pick<ShootTurn, 'subject' | 'at' | 'event' | 'to' | 'commands' | 'notes'>): void {
      const { subject: shoot, at, event, notes } = turn;
      const failure = paths.observe(turn);
      if (event.type === 'ended') {
        told.delete(shoot);
        paths.forget(shoot);
        return;
      }
      const { failure: failed, ...before } = told.get(shoot) ?? {};
      const tells = event.type === 'probe.answered' || event.type === 'started' || notes.some(isVerdict);
      const isWritten = event.type === 'scale.answered' && event.answer.outcome === 'written';
      const lowered = isWritten && event.asked.change.replicas === 0 ? { [event.asked.key]: at } : undefined;
      if (failure === undefined && lowered === undefined && (failed === undefined || !tells)) return;
      const now = failure ?? (tells ? undefined : failed);
      const downAt = lowered === undefined ? {} : { downAt: { ...before.downAt, ...lowered } };
      told.set(shoot, { ...before, ...downAt, ...(now === undefined ? {} : { failure: now }) });
    },
    of: (shoot: ShootNamespace): ToldByTurns => told.get(shoot) ?? {},
  };
}

function isVerdict({ kind }: ShootTurn['notes'][number]): boolean {
  return kind === 'verdict';
}

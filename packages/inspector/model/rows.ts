import {
  lastVerdict,
  standingAfter,
  type ToldByTurns,
} from 'dependency-watchdog/adapters/record/facts/shoot-standing.ts';
import { shortName } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import { readRecord } from 'dependency-watchdog/domain/prober/due-change.ts';
import type { PartialOutage } from 'dependency-watchdog/domain/prober/partial-outage.ts';
import type { ProbeFailureReason } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { PathCount } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { KnownDependant, Step } from 'dependency-watchdog/domain/prober/scale-step.ts';
import type { StandingState } from 'dependency-watchdog/domain/prober/standing.ts';
import type { Verdict } from 'dependency-watchdog/domain/prober/verdict.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { leftOver } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import { joined } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import type { ShootLanguage, WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { Unjudged } from 'dependency-watchdog/machines/shoot-language.ts';
import { probeDueAt } from 'dependency-watchdog/machines/probe-plan.ts';
import type { PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import { probeStateOf } from './replayed-turn.ts';
import { flowScope, type ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';

/** Which machine, and where its last turn left it. */
export type LastTurn<State> = Readonly<{
  subject: string;
  state: State;
  /** Since when it is in that state; null where that was not seen. */
  since: Instant | null;
  lastAt: Instant;
}>;

/** How a shoot stands. */
export type ShootRow = Readonly<{
  shoot: string;
  state: ShootLanguage['State'];
  /** In the list of `status`. */
  standing: StandingState;
  /** Since when it is in that state; null where the journal begins later. */
  since: Instant | null;
  /** Of the last verdict; null before the first one. */
  verdict: Verdict['kind'] | null;
  expired: number;
  candidates: number;
  /** When the last probe was asked whose leases were judged. */
  judgedAt: Instant | null;
  /** Only of a shoot that is judged by two paths, which has no leases. */
  paths?: PathsRow;
  failuresInRow: number;
  /** Null while a probe is under way, and where none is planned. */
  nextProbeAt: Instant | null;
  /** Why nothing is probed; null while it is. */
  paused: string | null;
  down: readonly DownRow[];
  /** Names of dependants that may not be read, or whose last write was refused or failed. */
  refused: readonly string[];
  /** The part of it that is cut off (SPEC 5.6), why nobody can tell (SPEC 5.8), until when a shoot that comes and goes waits (SPEC 6.5); absent where none. */
  partial?: PartialOutage;
  unjudged?: Unjudged;
  waitsUntil?: Instant;
  lastAt: Instant;
}> &
  ToldByTurns;

/** What the two paths of a shoot told (SPEC 4.9). */
type PathsRow = Readonly<{
  /** How often in a row the external path has failed, or answered, as `verdict` says; null before the first verdict. */
  external: PathCount | null;
  /** Why it failed the last time; null where it answered. */
  reason: ProbeFailureReason | null;
  /** When it was last asked and answered; null where it never did. */
  carriedAt: Instant | null;
  /** How often in a row the internal path has failed. */
  internalFailures: number;
  /** Until when the shoot is left alone; null where it is not. */
  leftAloneUntil: Instant | null;
}>;

/** A dependant that is at 0, or on its way there. `byUs`: it bears our mark. `recorded`: the replicas that it will have again. */
type DownRow = Readonly<{ key: DependantKey; name: string; byUs: boolean; recorded: number | null }>;

/** How a service of the weeder stands. */
export type ServiceRow = Readonly<{
  /** `namespace/service`. */
  service: string;
  state: WeederLanguage['State'];
  since: Instant | null;
  readyEndpoints: number;
  endpoints: number;
  windowEndsAt: Instant | null;
  /** Pods in the open window. */
  deleted: number;
  /** Crash-looping pods that were not deleted. */
  crashLooping: number;
  lastAt: Instant;
}>;

/** `after`: where its last turn left the machine; undefined where no snapshot is known. */
export function shootRow(
  { subject, state, since, lastAt }: LastTurn<ShootLanguage['State']>,
  after: PlainOf<ShootLanguage> | undefined,
  told: ToldByTurns = {},
): ShootRow {
  const row = { shoot: subject, state, standing: standingAfter(state, after?.context), since, lastAt, ...told };
  if (after === undefined) return { ...row, ...unknown };
  const { context } = after;
  const { seen, probe, pause } = context;
  const counted = seen?.counted ?? null;
  return {
    ...row,
    verdict: lastVerdict(context),
    expired: counted?.expired ?? 0,
    candidates: counted?.candidates ?? 0,
    judgedAt: counted === null ? null : (seen?.askedAt ?? null),
    ...pathsOf(context, lastAt),
    failuresInRow: probe.failuresInRow,
    nextProbeAt: probeStateOf(after.value) === 'resting' ? (probeDueAt(context) ?? null) : null,
    paused: state === 'idle' ? (pause?.because ?? 'its Cluster was not seen yet') : null,
    down: downOf(context),
    refused: refusedOf(context),
    ...(state === 'idle' ? {} : remarksOf(context, lastAt)),
  };
}

const unknown = {
  verdict: null,
  expired: 0,
  candidates: 0,
  judgedAt: null,
  failuresInRow: 0,
  nextProbeAt: null,
  paused: null,
  down: [],
  refused: [],
} as const;

export function serviceRow(
  { subject, state, since, lastAt }: LastTurn<WeederLanguage['State']>,
  after: PlainOf<WeederLanguage> | undefined,
): ServiceRow {
  const { slices, window = null, pods = [] } = after?.context ?? {};
  const { ready, endpoints } = joined(slices ?? {});
  return {
    service: subject,
    state,
    since,
    readyEndpoints: ready,
    endpoints,
    windowEndsAt: window?.endsAt ?? null,
    deleted: window?.deleted ?? 0,
    crashLooping: leftOver(pods),
    lastAt,
  };
}

function remarksOf(
  { said: { partial, unjudged }, flow }: ShootContext,
  now: Instant,
): Pick<ShootRow, 'partial' | 'unjudged' | 'waitsUntil'> {
  const { notBefore = now } = flow ?? {};
  return {
    ...(partial === null ? {} : { partial }),
    ...(unjudged === null ? {} : { unjudged }),
    ...(notBefore > now ? { waitsUntil: notBefore } : {}),
  };
}

function pathsOf({ paths, streak, config, probe: { heldUntil } }: ShootContext, now: Instant): Pick<ShootRow, 'paths'> {
  if (paths === undefined) return {};
  const { carriedAt, internalFailures } = paths;
  const of = streak.of === 'cutOff' ? config.failureThreshold : config.successThreshold;
  const external = streak.count === 0 ? null : { count: streak.count, of };
  const leftAloneUntil = heldUntil !== null && heldUntil > now ? heldUntil : null;
  return { paths: { external, reason: paths.reason, carriedAt, internalFailures, leftAloneUntil } };
}

function downOf(context: ShootContext): readonly DownRow[] {
  const { known, dependants } = flowScope(context);
  const goesDown = context.flow?.aim === 'down';
  return dependants.flatMap(({ key }) => {
    const one = known[key];
    const view = one?.view;
    if (view?.found !== true || view.ignored) return [];
    if (view.replicas > 0 && !(goesDown && one?.writing !== null)) return [];
    const recorded = view.marked ? (readRecord(view.record) ?? null) : null;
    return [{ key, name: shortName(key), byUs: view.marked, recorded }];
  });
}

function refusedOf(context: ShootContext): readonly string[] {
  const { known, dependants } = flowScope(context);
  return dependants
    .filter(({ key }) => known[key]?.refusal != null || hasFailed(known[key], context.flow?.steps[key]))
    .map(({ key }) => shortName(key));
}

function hasFailed(known: KnownDependant | undefined, step: Step | undefined): boolean {
  return (step?.is === 'asking' || step?.is === 'backingOff') && (known?.tries?.failures ?? 0) > 0;
}

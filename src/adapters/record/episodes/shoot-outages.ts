import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ProbeFailure, ProbeFailureReason } from '../../../domain/prober/probe-failure.ts';
import type { PathCount } from '../../../domain/prober/shoot-path.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { LeaseCount, ScaleDirection, VerdictNote } from '../../../machines/shoot-language.ts';
import type { Witnessed } from '../facts/lease-witness.ts';
import { nameOf, type TurnName } from '../facts/turns.ts';
import type { FollowedTurn } from './episode.ts';
import { led, withScaled } from './outage-runs.ts';

/** One outage of one shoot, as its turns tell it. What did not happen, or happened before the journal begins, is null. */
export type ShootOutage = Readonly<{
  shoot: string;
  /** The first turn that tells of it. */
  began: TurnName;
  /** When the leases crossed the threshold; in the older generation, when the external path was first asked in vain. */
  cutOffAt: Instant | null;
  /** What the first scale-down was decided by; where nothing was decided, what the last verdict counted. */
  leases: LeaseCount | null;
  /** The same in the older generation (SPEC 4.9). */
  external: ExternalFailures | null;
  /** Who that was, and what was asked of the leases; absent where the journal does not tell. */
  witnessed?: Witnessed;
  decidedAt: Instant | null;
  /** When everything was down, and when the first node would have been marked. */
  downAt: Instant | null;
  firstMarkAt: Instant | null;
  /** The first verdict that no longer says cut off. */
  connectedAt: Instant | null;
  /** When everything was last down again that somebody else had raised, and when the first node would then have been marked. */
  downAgain: Readonly<{ at: Instant; firstMarkAt: Instant }> | null;
  /** When everything was brought back. */
  backAt: Instant | null;
  /** How often it was cut off again before everything was back. */
  again: number;
  endedAt: Instant | null;
  /** Why it ended while it was cut off: `the shoot is gone`. */
  endedBy: string | null;
  /** What changed replicas, in order: writes of ours, and what somebody else raised; `unnamedWrites` more are between the first and the last of them. */
  scaled: readonly Scaled[];
  unnamedWrites: number;
  /** Dependants that did not follow in time. */
  late: readonly Readonly<{ key: DependantKey; direction: ScaleDirection; timeout: Millis }>[];
  /** How far the shield went: no further than to count verdicts, on the way down, or there. */
  reached: 'leaseFailed' | 'scalingDown' | 'scaledDown';
  /** The first node's mark was due before everything was known to be down. */
  overdue: boolean;
  /** The processes that took part, each by its first turn since it began; `unnamedRuns` more are between the first and the last of them. */
  runs: readonly TurnName[];
  unnamedRuns: number;
  /** Something of it that bore our mark was raised. So it is an outage, even where no verdict tells that the shoot was cut off (SPEC 6.5). */
  ours: boolean;
  /** The machine has judged since it began. One that was only just started stands in `probing` whatever went before. */
  judged: boolean;
  /** The turns of its stages. */
  turns: Readonly<Partial<Record<OutageStage, TurnName>>>;
}>;

type OutageStage = 'cutOff' | 'decided' | 'down' | 'raised' | 'downAgain' | 'connected' | 'back' | 'ended';

/** `by`: who raised it where it was not the watchdog; empty where the seed does not remember. */
type Scaled = Readonly<{ key: DependantKey; from: number; to: number; at: Instant; by?: string }>;

/** How often in a row the external path failed, and why the last time. */
export type ExternalFailures = PathCount & Readonly<{ reason?: ProbeFailureReason; detail?: string }>;

/** Who spoke for the verdict of this turn. */
type Witness = Readonly<{ leases(): Witnessed | undefined; external(): ProbeFailure | undefined }>;

export type ShootTurn = FollowedTurn<ShootLanguage>;

/** The outage of one shoot after one more turn of it: none, one that goes on, or one that ended. Most turns change nothing, and cost nothing. */
export function nextOutage(
  open: readonly ShootOutage[],
  turn: ShootTurn,
  run: string,
  witness: Witness,
): readonly ShootOutage[] {
  const [goesOn] = open;
  const before = goesOn !== undefined && (isOutage(goesOn) || !isCutOff(turn)) ? goesOn : beginning(turn, run);
  if (before === undefined) return open;
  const after = ended(overdue(noted(scaled(led(before, turn, run), turn, run), turn, run, witness), turn), turn, run);
  return after === open[0] ? open : [after];
}

/** A way up that only raises what somebody else had scaled to 0 is none. */
export function isOutage({ cutOffAt, ours }: ShootOutage): boolean {
  return cutOffAt !== null || ours;
}

function isCutOff({ notes }: ShootTurn): boolean {
  return notes.some((note) => note.kind === 'verdict' && note.verdict === 'cutOff');
}

/** An outage that began before the journal does is seen by its way up alone. */
function beginning(turn: ShootTurn, run: string): ShootOutage | undefined {
  const { subject, from, to } = turn;
  if (!isCutOff(turn) && (to !== 'scalingUp' || from === 'scalingUp')) return undefined;
  return {
    shoot: subject,
    began: nameOf(turn, run),
    cutOffAt: null,
    leases: null,
    external: null,
    decidedAt: null,
    downAt: null,
    downAgain: null,
    firstMarkAt: null,
    connectedAt: null,
    backAt: null,
    again: 0,
    endedAt: null,
    endedBy: null,
    scaled: [],
    unnamedWrites: 0,
    late: [],
    reached: 'leaseFailed',
    runs: [],
    unnamedRuns: 0,
    ours: false,
    judged: false,
    overdue: false,
    turns: {},
  };
}

function scaled(outage: ShootOutage, turn: ShootTurn, run: string): ShootOutage {
  const { at, event, commands, to } = turn;
  let next = outage;
  const decides = commands.find(
    ({ type, params }) => type === 'scale' && params.urgent && params.change.replicas === 0,
  );
  if (decides?.type === 'scale' && next.decidedAt === null) {
    const turns = { ...next.turns, decided: nameOf(turn, run) };
    next = { ...next, decidedAt: at, firstMarkAt: decides.params.by ?? next.firstMarkAt, turns };
  }
  const raisesOurs = commands.some(
    ({ type, params }) => type === 'scale' && params.seen.marked && (params.change.replicas ?? 0) > 0,
  );
  if (raisesOurs && !next.ours) next = { ...next, ours: true };
  if (to === 'scalingDown' && next.reached === 'leaseFailed') next = { ...next, reached: 'scalingDown' };
  if (to === 'scaledDown' && next.reached !== 'scaledDown') next = { ...next, reached: 'scaledDown' };
  if (event.type !== 'scale.answered' || event.answer.outcome !== 'written') return next;
  const { key, seen, change } = event.asked;
  if (change.replicas === undefined) return next;
  return withScaled(next, { key, from: seen.replicas, to: change.replicas, at });
}

function noted(outage: ShootOutage, turn: ShootTurn, run: string, witness: Witness): ShootOutage {
  const { at, notes } = turn;
  let next = outage;
  for (const note of notes) {
    if (note.kind === 'raised')
      next = {
        ...withScaled(next, { key: note.key, from: 0, to: note.to, at, by: note.by ?? '' }),
        turns: { raised: nameOf(turn, run), ...next.turns },
      };
    if (note.kind === 'shielded')
      next = {
        ...next,
        ...(note.again ? { downAgain: { at, firstMarkAt: note.firstMarkAt } } : {}),
        downAt: next.downAt ?? at,
        firstMarkAt: next.downAt === null ? note.firstMarkAt : next.firstMarkAt,
        overdue: next.overdue || at > note.firstMarkAt,
        turns: { down: nameOf(turn, run), ...next.turns, ...(note.again ? { downAgain: nameOf(turn, run) } : {}) },
      };
    if (note.kind === 'stepTimedOut') {
      const { key, direction, timeout } = note;
      const isTold = next.late.some((one) => one.key === key && one.direction === direction);
      if (!isTold) next = { ...next, late: [...next.late, { key, direction, timeout }] };
    }
    if (note.kind !== 'verdict') continue;
    if (!next.judged) next = { ...next, judged: true };
    if (note.verdict === 'cutOff') {
      const counts = next.decidedAt === null || next.decidedAt === at;
      // Cut off again on the way up: the connection did not last.
      const { connected: _, ...turns } = next.turns;
      if (next.cutOffAt === null || next.connectedAt !== null)
        next = {
          ...next,
          cutOffAt: next.cutOffAt ?? note.crossedAt ?? at,
          again: next.again + (next.connectedAt === null ? 0 : 1),
          connectedAt: null,
          turns: { cutOff: nameOf(turn, run), ...turns },
        };
      if (counts) next = { ...next, ...spokenFor(next, note, witness, next.decidedAt === at) };
    } else if (next.connectedAt === null && (note.verdict !== 'unjudged' || turn.to === 'scalingUp'))
      // Where nobody can tell, it is back only if something goes up (SPEC 5.8).
      next = { ...next, connectedAt: at, turns: { ...next.turns, connected: nameOf(turn, run) } };
  }
  return next;
}

/** While nothing is decided, the same verdict may come every few seconds for hours. */
function spokenFor(outage: ShootOutage, note: VerdictNote, witness: Witness, decides: boolean): Partial<ShootOutage> {
  if (note.external !== undefined) {
    const { count, of } = note.external;
    // It may count on where nothing is left to scale down.
    if (!decides && outage.external !== null && count > of) return {};
    const reason = note.reason === undefined ? {} : { reason: note.reason };
    const detail = witness.external()?.detail;
    return { external: { count, of, ...reason, ...(detail === undefined ? {} : { detail }) } };
  }
  const { expired, candidates } = note;
  const isNew = outage.leases?.expired !== expired || outage.leases.candidates !== candidates;
  if (!isNew && !decides) return {};
  const witnessed = witness.leases();
  return { leases: { expired, candidates }, ...(witnessed === undefined ? {} : { witnessed }) };
}

function overdue(outage: ShootOutage, { at }: ShootTurn): ShootOutage {
  const { decidedAt, downAt, connectedAt, firstMarkAt } = outage;
  if (outage.overdue || decidedAt === null || firstMarkAt === null) return outage;
  return (downAt ?? connectedAt ?? at) > firstMarkAt ? { ...outage, overdue: true } : outage;
}

function ended(outage: ShootOutage, turn: ShootTurn, run: string): ShootOutage {
  const { at, event, from, to, notes } = turn;
  const name = () => nameOf(turn, run);
  // A bug, or another process that takes over, ends no outage: the machine that starts next finds it.
  if (event.type === 'ended')
    return event.because === 'gone'
      ? { ...outage, endedAt: at, endedBy: 'the Cluster is gone', turns: { ...outage.turns, ended: name() } }
      : outage;
  if (to === 'probing' && outage.connectedAt !== null && outage.judged) {
    const back = from === 'scalingUp';
    return {
      ...outage,
      endedAt: at,
      backAt: back ? at : null,
      turns: back ? { ...outage.turns, back: name() } : outage.turns,
    };
  }
  // A machine begins idle. One that finds the shoot paused says so.
  const paused = notes.find((note) => note.kind === 'paused');
  if (to !== 'idle' || (paused === undefined && (from === 'idle' || from === undefined))) return outage;
  const reason = paused?.reason ?? 'it is no longer probed';
  const unreadable = event.type === 'cluster.changed' && !event.reading.readable;
  return {
    ...outage,
    endedAt: at,
    endedBy: unreadable ? `its Cluster cannot be read: ${reason}` : reason,
    turns: { ...outage.turns, ended: name() },
  };
}

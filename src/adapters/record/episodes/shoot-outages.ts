import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ProbeFailure, ProbeFailureReason } from '../../../domain/prober/probe-failure.ts';
import type { PathCount } from '../../../domain/prober/shoot-path.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { LeaseCount, ScaleDirection, ShootNote, VerdictNote } from '../../../machines/shoot-language.ts';
import type { Witnessed } from '../facts/lease-witness.ts';
import { pauseIn } from '../facts/shoot-standing.ts';
import { nameOf, type TurnName } from '../facts/turns.ts';
import { pauseWords } from '../words/shoot-words.ts';
import type { FollowedTurn } from './episode.ts';
import { afterWrite, type Asked, type Writing } from './outage-odds.ts';
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
  /** What was asked before, and how the writes of the way down went: why it took so long, if it did. */
  asked: Asked | null;
  writing: Writing;
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
  /** Dependants that did not follow in time; `since`: one that was to go up was ready in the end. */
  late: readonly Readonly<{ key: DependantKey; direction: ScaleDirection; timeout: Millis; since?: 'ready' }>[];
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

/** An outage of which nothing is known yet. */
const unknown = {
  cutOffAt: null,
  leases: null,
  external: null,
  decidedAt: null,
  asked: null,
  writing: { first: {}, slowest: 0, refused: false },
  downAt: null,
  firstMarkAt: null,
  connectedAt: null,
  downAgain: null,
  backAt: null,
  again: 0,
  endedAt: null,
  endedBy: null,
  scaled: [],
  unnamedWrites: 0,
  late: [],
  reached: 'leaseFailed',
  overdue: false,
  runs: [],
  unnamedRuns: 0,
  ours: false,
  judged: false,
  turns: {},
} satisfies Omit<ShootOutage, 'shoot' | 'began'>;

type OutageStage = 'cutOff' | 'decided' | 'down' | 'raised' | 'downAgain' | 'connected' | 'back' | 'ended';

/** `by`: who raised it where it was not the watchdog; empty where the seed does not remember. */
type Scaled = Readonly<{ key: DependantKey; from: number; to: number; at: Instant; by?: string }>;

/** How often in a row the external path failed, and why the last time. */
export type ExternalFailures = PathCount & Readonly<{ reason?: ProbeFailureReason; detail?: string }>;

/** Who spoke for the verdict of this turn. */
type Witness = Readonly<{ leases(): Witnessed | undefined; external(): ProbeFailure | undefined; asked?(): Asked }>;

export type ShootTurn = FollowedTurn<ShootLanguage>;

/** The outage of one shoot after one more turn of it: none, one that goes on, or one that ended. Most turns change nothing, and cost nothing. */
export function outagesOf(witness: Witness) {
  let outage: ShootOutage;
  let turn: ShootTurn;
  let run: string;

  return (open: readonly ShootOutage[], next: ShootTurn, itsRun: string): readonly ShootOutage[] => {
    turn = next;
    run = itsRun;
    const [goesOn] = open;
    const before = goesOn !== undefined && (isOutage(goesOn) || !isCutOff(turn)) ? goesOn : beginning(turn, run);
    if (before === undefined) return open;
    outage = led(before, turn, run);
    tellWrites(turn);
    tellReady(turn);
    for (const note of turn.notes) tellNote(note, turn);
    const { decidedAt, downAt, connectedAt, firstMarkAt } = outage;
    const seenAt = downAt ?? connectedAt ?? turn.at;
    if (!outage.overdue && decidedAt !== null && firstMarkAt !== null && seenAt > firstMarkAt)
      change({ overdue: true });
    tellEnd(turn);
    return outage === goesOn ? open : [outage];
  };

  function change(changes: Partial<ShootOutage>): void {
    outage = { ...outage, ...changes };
  }

  /** A stage begins with this turn. */
  function reach(stage: OutageStage, changes: Partial<ShootOutage>): void {
    change({ turns: { ...outage.turns, [stage]: nameOf(turn, run) }, ...changes });
  }

  function tellWrites({ at, event, commands, to }: ShootTurn): void {
    for (const { type, params } of commands) {
      if (type !== 'scale') continue;
      const { urgent, seen, by, change: write } = params;
      if (urgent && write.replicas === 0 && outage.decidedAt === null)
        reach('decided', { decidedAt: at, asked: witness.asked?.() ?? null, firstMarkAt: by ?? outage.firstMarkAt });
      if (seen.marked && (write.replicas ?? 0) > 0 && !outage.ours) change({ ours: true });
    }
    if (to === 'scalingDown' && outage.reached === 'leaseFailed') change({ reached: 'scalingDown' });
    if (to === 'scaledDown' && outage.reached !== 'scaledDown') change({ reached: 'scaledDown' });
    if (event.type !== 'scale.answered') return;
    const { key, seen, change: write } = event.asked;
    if (write.replicas === 0 && outage.downAt === null) change({ writing: afterWrite(outage.writing, event) });
    if (event.answer.outcome !== 'written') return;
    if (write.replicas !== undefined) outage = withScaled(outage, { key, from: seen.replicas, to: write.replicas, at });
  }

  function tellReady({ event }: ShootTurn): void {
    if (event.type !== 'dependant.changed' || !event.view.found || event.view.readyReplicas === 0) return;
    const isReady = ({ key, direction, since }: ShootOutage['late'][number]) =>
      key === event.key && direction === 'up' && since === undefined;
    if (outage.late.some(isReady))
      change({ late: outage.late.map((one) => (isReady(one) ? { ...one, since: 'ready' } : one)) });
  }

  function tellNote(note: ShootNote, { at, to }: ShootTurn): void {
    if (note.kind === 'raised') {
      outage = withScaled(outage, { key: note.key, from: 0, to: note.to, at, by: note.by ?? '' });
      if (outage.turns.raised === undefined) reach('raised', {});
    }
    if (note.kind === 'shielded') {
      const { firstMarkAt, again } = note;
      if (outage.downAt === null) reach('down', { downAt: at, firstMarkAt });
      if (again) reach('downAgain', { downAgain: { at, firstMarkAt } });
      if (at > firstMarkAt) change({ overdue: true });
    }
    if (note.kind === 'stepTimedOut') {
      const { key, direction, timeout } = note;
      const isTold = outage.late.some((one) => one.key === key && one.direction === direction);
      if (!isTold) change({ late: [...outage.late, { key, direction, timeout }] });
    }
    if (note.kind === 'verdict') tellVerdict(note, at, to);
  }

  function tellVerdict(note: VerdictNote, at: Instant, to: ShootTurn['to']): void {
    if (!outage.judged) change({ judged: true });
    if (note.verdict !== 'cutOff') {
      // Where nobody can tell, it is back only if something goes up (SPEC 5.8).
      if (outage.connectedAt === null && (note.verdict !== 'unjudged' || to === 'scalingUp'))
        reach('connected', { connectedAt: at });
      return;
    }
    const decides = outage.decidedAt === at;
    if (outage.cutOffAt === null) reach('cutOff', { cutOffAt: note.crossedAt ?? at });
    if (outage.connectedAt !== null) {
      // Cut off again on the way up: the connection did not last.
      const { connected: _, ...turns } = outage.turns;
      change({ again: outage.again + 1, connectedAt: null, turns });
    }
    if (decides || outage.decidedAt === null) change(spokenFor(outage, note, witness, decides));
  }

  function tellEnd({ at, event, from, to }: ShootTurn): void {
    // A bug, or another process that takes over, ends no outage: the machine that starts next finds it.
    if (event.type === 'ended') {
      if (event.because === 'gone') reach('ended', { endedAt: at, endedBy: 'the Cluster is gone' });
      return;
    }
    if (to === 'probing' && outage.connectedAt !== null && outage.judged) {
      if (from === 'scalingUp') reach('back', { backAt: at });
      change({ endedAt: at });
      return;
    }
    const pause = pauseIn(turn);
    if (pause !== undefined) reach('ended', { endedAt: at, endedBy: pauseWords(pause) });
  }
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
  const { subject: shoot, from, to } = turn;
  if (!isCutOff(turn) && (to !== 'scalingUp' || from === 'scalingUp')) return undefined;
  return { shoot, began: nameOf(turn, run), ...unknown };
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

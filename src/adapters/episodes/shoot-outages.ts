import type { JournalTurnOf } from '../journal/journal-line.ts';
import type { LeaseAccount } from '../../domain/prober/lease-account.ts';
import type { DependantKey } from '../../domain/prober/dependant.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { LeaseCount, ShootState } from '../../machines/shoot-language.ts';

/** One outage of one shoot, as its turns tell it. What did not happen, or happened before the journal begins, is null. */
export type ShootOutage = Readonly<{
  shoot: string;
  /** The first turn that tells of it. */
  beganAt: Instant;
  /** When the leases crossed the threshold. */
  cutOffAt: Instant | null;
  /** What the first scale-down was decided by; where nothing was decided, what the last verdict counted. */
  leases: LeaseCount | null;
  /** Which ones these were; absent where the journal does not tell. */
  account?: LeaseAccount;
  decidedAt: Instant | null;
  /** When everything was down, and when the first node would have been marked. */
  downAt: Instant | null;
  firstMarkAt: Instant | null;
  /** The first verdict that no longer says cut off. */
  healedAt: Instant | null;
  /** When everything was back. */
  backAt: Instant | null;
  endedAt: Instant | null;
  /** Why it ended without a healing: `the shoot is gone`. */
  endedBy: string | null;
  /** Every write that changed replicas, in order. */
  scaled: readonly Readonly<{ key: DependantKey; from: number; to: number; at: Instant }>[];
}>;

/** Of a journal, or as it is taken. */
type ShootTurn = Omit<JournalTurnOf<ShootLanguage>, 'from' | 'before'> & Readonly<{ from?: ShootState | undefined }>;

/** The outages of one shoot after one more turn of it; the last one may go on. Most turns change nothing, and cost nothing. */
export function nextOutages(outages: readonly ShootOutage[], turn: ShootTurn): readonly ShootOutage[] {
  const last = outages.at(-1);
  if (last === undefined || last.endedAt !== null) {
    const begun = beginning(turn);
    return begun === undefined ? outages : [...outages, advanced(begun, turn)];
  }
  const next = advanced(last, turn);
  return next === last ? outages : [...outages.slice(0, -1), next];
}

/** The same, with the leases that spoke for what the last outage was decided by. `account` is asked only where that is another verdict than before. */
export function withAccount(
  before: readonly ShootOutage[],
  after: readonly ShootOutage[],
  account: () => LeaseAccount | undefined,
): readonly ShootOutage[] {
  const last = after.at(-1);
  if (last === undefined || last.leases === null || last.leases === before.at(-1)?.leases) return after;
  const told = account();
  return told === undefined ? after : [...after.slice(0, -1), { ...last, account: told }];
}

/** An outage that began before the journal does is seen by its way up alone. */
function beginning({ subject, at, from, to, notes }: ShootTurn): ShootOutage | undefined {
  const cutOff = notes.some((note) => note.kind === 'verdict' && note.verdict === 'cutOff');
  if (!cutOff && (to !== 'scalingUp' || from === 'scalingUp')) return undefined;
  return {
    shoot: subject,
    beganAt: at,
    cutOffAt: null,
    leases: null,
    decidedAt: null,
    downAt: null,
    firstMarkAt: null,
    healedAt: null,
    backAt: null,
    endedAt: null,
    endedBy: null,
    scaled: [],
  };
}

function advanced(before: ShootOutage, turn: ShootTurn): ShootOutage {
  return ended(noted(scaled(before, turn), turn), turn);
}

function scaled(outage: ShootOutage, { at, event, commands }: ShootTurn): ShootOutage {
  // A journal of version 2 has no note `decided`.
  const decides = commands.some(
    ({ type, params }) => type === 'scale' && params.urgent && params.change.replicas === 0,
  );
  const decidedAt = outage.decidedAt ?? (decides ? at : null);
  if (event.type !== 'scale.answered' || event.answer.outcome !== 'written')
    return decidedAt === outage.decidedAt ? outage : { ...outage, decidedAt };
  const { key, seen, change } = event.asked;
  if (change.replicas === undefined) return outage;
  const write = { key, from: seen.replicas, to: change.replicas, at };
  return { ...outage, scaled: [...outage.scaled, write] };
}

function noted(outage: ShootOutage, { at, notes }: ShootTurn): ShootOutage {
  let next = outage;
  for (const note of notes) {
    if (note.kind === 'shielded') next = { ...next, downAt: at, firstMarkAt: note.firstMarkAt };
    if (note.kind !== 'verdict') continue;
    const { expired, candidates } = note;
    if (note.verdict === 'cutOff') {
      const counts = next.decidedAt === null || next.decidedAt === at;
      // Cut off again on the way up: it was no healing.
      const [cutOffAt, leases] = [
        next.cutOffAt ?? note.crossedAt ?? at,
        counts ? { expired, candidates } : next.leases,
      ];
      if (cutOffAt !== next.cutOffAt || leases !== next.leases || next.healedAt !== null)
        next = { ...next, cutOffAt, leases, healedAt: null };
    } else if (next.healedAt === null) next = { ...next, healedAt: at };
  }
  return next;
}

function ended(outage: ShootOutage, { at, event, from, to, notes }: ShootTurn): ShootOutage {
  // A bug, or another process that takes over, ends no outage: the machine that starts next finds it.
  if (event.type === 'ended')
    return event.because === 'gone' ? { ...outage, endedAt: at, endedBy: 'the Cluster is gone' } : outage;
  if (to === 'probing' && outage.healedAt !== null)
    return { ...outage, endedAt: at, backAt: from === 'scalingUp' ? at : null };
  if (to !== 'idle' || from === 'idle' || from === undefined) return outage;
  const paused = notes.find((note) => note.kind === 'paused');
  return { ...outage, endedAt: at, endedBy: paused?.reason ?? 'it is no longer probed' };
}

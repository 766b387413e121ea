import { spreadBackoff, type Backoff } from '../backoff.ts';
import type { Millis, Instant } from '../time.ts';
import type { PodOrigin, PodRef, PodView, Waits } from './pod.ts';

/** The outcome of one pod's deletion (SPEC 7.3). */
export type DeletionAnswer =
  /** The seed has taken it: the pod is gone, or ends. */
  | Readonly<{ outcome: 'deleted' }>
  /** There is no pod of that name (404). */
  | Readonly<{ outcome: 'gone' }>
  /** There is another pod of that name, which was not touched (409 on the UID). */
  | Readonly<{ outcome: 'replaced' }>
  /** The same incarnation was deleted before, for another service. */
  | Readonly<{ outcome: 'deletedBefore' }>
  /** Not sent: it was withdrawn while it waited. */
  | Readonly<{ outcome: 'withdrawn' }>
  /** 429; `retryAfter` as the server asked for, not yet clamped. */
  | Readonly<{ outcome: 'throttled'; retryAfter?: Millis }>
  /** The seed said no, or did not answer. `reason` is the status or a word (`conflict` where the pod is no longer as it was seen, a 409 on its version), `detail` one line for the operator. */
  | Readonly<{ outcome: 'failed'; reason: string; detail: string }>;

/** A window lasts minutes: a longer pause would be as good as giving up. */
const range: Backoff = { first: 1_000, longest: 30_000 };

/**
 * How long to wait after the `failures`-th failure of a deletion in a row (1 or more), spread by `chance` in [0, 1). A
 * pause that the server `asked` for counts as well, up to a minute.
 */
export function deletionBackoff(failures: number, chance: number, asked: Millis = 0): Millis {
  return Math.ceil(Math.max(spreadBackoff(failures, range, chance), Math.min(asked, 60_000)));
}

/** How far the deletion of one incarnation has come. `done`: it needs no more, whoever did it (S8). `conflicts`: answers in a row that the pod is no longer as it was seen. */
type DeletionStep =
  | Readonly<{ step: 'none' }>
  | Readonly<{ step: 'asked'; number: number; failures: number; conflicts: number }>
  /** `notBefore`: the end of the first pause, or of what the seed asked for; the rest of the wait is for failures of one window. */
  | Readonly<{ step: 'failed'; failures: number; conflicts: number; retryAt: Instant; notBefore: Instant }>
  | Readonly<{ step: 'done' }>;

export type KnownPod = Readonly<{
  pod: PodRef;
  /** As last told; absent where it no longer crash-loops. */
  waits?: Waits;
  origin: PodOrigin;
  deletion: DeletionStep;
  /** No watch shows it any more. It is kept until the answer that it waits for has come. */
  lost?: true;
}>;

/**
 * The pods that crash-loop, or whose deletion was asked for, in the order in which they were first seen. It is a list and not
 * a record by uid: thousands of pods may come in one answer, each makes a copy, and to copy a record costs a thousand times
 * as much.
 */
export type PodLedger = readonly KnownPod[];

const untouched: DeletionStep = { step: 'none' };

export function podOf(ledger: PodLedger, uid: string): KnownPod | undefined {
  return ledger.find(({ pod }) => pod.uid === uid);
}

export function recordPod(ledger: PodLedger, view: PodView): PodLedger {
  const { name, uid } = view;
  const deletion = podOf(ledger, uid)?.deletion ?? untouched;
  const known = { pod: { name, uid }, origin: originOf(view), deletion };
  if (view.state === 'waiting') return having(ledger, { ...known, waits: view.waits });
  return deletion.step === 'none' ? without(ledger, uid) : having(ledger, known);
}

function originOf({ owner, createdAt, spared }: PodView): PodOrigin {
  return {
    ...(owner === undefined ? {} : { owner }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(spared === undefined ? {} : { spared }),
  };
}

/** A deletion that is under way is remembered until it is answered: the pod may be seen again before that. */
export function forgetPod(ledger: PodLedger, { uid }: PodRef): PodLedger {
  const known = podOf(ledger, uid);
  return known?.deletion.step === 'asked' ? having(ledger, asLost(known)) : without(ledger, uid);
}

/** The window is over, and no watch shows pods any more. */
export function forgetPods(ledger: PodLedger): PodLedger {
  return ledger.filter(({ deletion }) => deletion.step === 'asked').map(asLost);
}

function asLost({ pod, origin, deletion }: KnownPod): KnownPod {
  return { pod, origin, deletion, lost: true };
}

/** A new window: a seed that refused or did not answer in the last one may be well now. A watch that is half open still is. */
export function triedAnew(ledger: PodLedger): PodLedger {
  return ledger.map((known) => {
    const { deletion } = known;
    if (deletion.step !== 'failed') return known;
    return { ...known, deletion: { ...deletion, failures: 0, retryAt: deletion.notBefore } };
  });
}

export function askDeletion(ledger: PodLedger, known: KnownPod, number: number): PodLedger {
  const { failures, conflicts } = known.deletion.step === 'failed' ? known.deletion : { failures: 0, conflicts: 0 };
  return having(ledger, { ...known, deletion: { step: 'asked', number, failures, conflicts } });
}

/** Undefined where nobody waits for the answer. `chance` in [0, 1) spreads the next try. */
export function applyAnswer(
  ledger: PodLedger,
  number: number,
  answer: DeletionAnswer,
  { at, chance }: Readonly<{ at: Instant; chance: number }>,
): PodLedger | undefined {
  const known = ledger.find(({ deletion }) => deletion.step === 'asked' && deletion.number === number);
  if (known?.deletion.step !== 'asked') return undefined;
  if (known.lost) return without(ledger, known.pod.uid);
  return having(ledger, { ...known, deletion: stepAfter(answer, known.deletion, at, chance) });
}

function stepAfter(
  answer: DeletionAnswer,
  { failures, conflicts }: Readonly<{ failures: number; conflicts: number }>,
  at: Instant,
  chance: number,
): DeletionStep {
  switch (answer.outcome) {
    case 'deleted':
    case 'gone':
    case 'replaced':
    case 'deletedBefore':
      return { step: 'done' };
    case 'withdrawn': {
      // This is no failure, but it must not be asked for again in the same instant: without the right to write, each try is withdrawn at once.
      const retryAt = at + deletionBackoff(1, chance);
      return { step: 'failed', failures, conflicts, retryAt, notBefore: retryAt };
    }
    case 'throttled':
    case 'failed': {
      const asked = answer.outcome === 'throttled' ? answer.retryAfter : undefined;
      return {
        step: 'failed',
        failures: failures + 1,
        conflicts: isConflict(answer) ? conflicts + 1 : 0,
        retryAt: at + deletionBackoff(failures + 1, chance, asked),
        notBefore: at + deletionBackoff(1, chance, asked),
      };
    }
  }
}

function isConflict(answer: DeletionAnswer): boolean {
  return answer.outcome === 'failed' && answer.reason === 'conflict';
}

/** Of the deletion of that number: whether its answer would be the second in a row that the pod is no longer as it was seen, or the fourth, and so on. */
export function mustList(ledger: PodLedger, number: number, answer: DeletionAnswer): boolean {
  const asked = ledger.find(({ deletion }) => deletion.step === 'asked' && deletion.number === number)?.deletion;
  return isConflict(answer) && asked?.step === 'asked' && asked.conflicts % 2 === 1;
}

/** Numbers of the deletions under way. */
export function askedNumbers(ledger: PodLedger): readonly number[] {
  const numbers: number[] = [];
  // This runs for each pod at each turn: the array's own methods take ten times as long.
  for (const { deletion } of ledger) if (deletion.step === 'asked') numbers.push(deletion.number);
  return numbers;
}

/** When a pod may go at the earliest, as far as its owner is concerned. */
export type MayGo = (origin: PodOrigin) => Instant;

type DuePod = KnownPod & Readonly<{ waits: Waits }>;

/** Those that could be deleted now, in the order in which they were seen (SPEC 7.3). */
export function duePods(ledger: PodLedger, at: Instant, mayGo: MayGo): readonly DuePod[] {
  return ledger.filter((known): known is DuePod => dueAt(known, mayGo) <= at);
}

/** The next instant at which a pod may be tried again, or may go at last; undefined where there is none to come. */
export function nextDueAt(ledger: PodLedger, mayGo: MayGo): Instant | undefined {
  const next = ledger
    .map((known) => dueAt(known, mayGo))
    .filter(Number.isFinite)
    .reduce((least, one) => Math.min(least, one), Infinity);
  return next === Infinity ? undefined : next;
}

/** Still in CrashLoopBackOff, never deleted, and not such as never are. */
export function leftOver(ledger: PodLedger): number {
  return ledger.filter(
    ({ waits, deletion, origin }) => waits !== undefined && deletion.step !== 'done' && origin.spared === undefined,
  ).length;
}

/** So many of those that no selector picks are named (SPEC 7.7). */
const mostNamed = 10;

export type Unselected = Readonly<{ count: number; names: readonly string[] }>;

/** Those that crash-loop, and that no selector picks. */
export function unselectedIn(ledger: PodLedger): Unselected {
  const missed = ledger.filter(({ waits, origin }) => waits !== undefined && origin.spared === 'unselected');
  return { count: missed.length, names: missed.slice(0, mostNamed).map(({ pod }) => pod.name) };
}

function dueAt({ waits, deletion, origin }: KnownPod, mayGo: MayGo): Instant {
  if (waits === undefined || origin.spared !== undefined) return Infinity;
  if (deletion.step === 'none') return mayGo(origin);
  return deletion.step === 'failed' ? deletion.retryAt : Infinity;
}

function having(ledger: PodLedger, known: KnownPod): PodLedger {
  const index = ledger.findIndex(({ pod }) => pod.uid === known.pod.uid);
  return index === -1 ? [...ledger, known] : ledger.with(index, known);
}

function without(ledger: PodLedger, uid: string): PodLedger {
  return ledger.filter(({ pod }) => pod.uid !== uid);
}

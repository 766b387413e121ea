import { backoff, type Backoff } from '../backoff.ts';
import { writesAtOnce, type Dependant, type ScaleStep } from './dependant.ts';
import { dueChange, hasArrived, readRecord, type Aim } from './due-change.ts';
import type { ResourceChange } from './resource-change.ts';
import type { PresentResource, ResourceView } from './resource-view.ts';
import type { Instant, Millis } from '../time.ts';

/** What is known of one dependant. */
export type Known = Belief &
  Readonly<{
    /** Its watch can be relied on (SPEC 6.6). */
    live: boolean;
    /** The read that is under way. */
    reading: Reading | null;
    /** The number of the write that is under way. */
    writing: number | null;
    /** When something told of it for the last time, or a question about it came to nothing. */
    heardAt: Instant | null;
    /** We may not read it (403); null as long as we may (SPEC 6.8). */
    refusal: Readonly<{ times: number; againAt: Instant }> | null;
  }>;

/** Null until something told. `outdated`: a write met a newer resource than the view, so it is read before the next one. */
type Belief = Readonly<{ view: null }> | Readonly<{ view: ResourceView; outdated: boolean }>;

export type Reading = Readonly<{
  number: number;
  /** `ordinary`: what is not urgent may wait for longer than a way down has (SPEC 1.2). */
  bucket: 'ordinary' | 'urgent';
  /** Something told of the resource meanwhile, and may be newer than what the read shows (SPEC 6.6). */
  overtaken: boolean;
}>;

export const unknown: Known = { view: null, live: false, reading: null, writing: null, heardAt: null, refusal: null };

/** Whether there is a view that a write can go by. */
export function isUpToDate(known: Known | undefined): known is Known & Readonly<{ view: ResourceView }> {
  return known !== undefined && known.view !== null && !known.outdated;
}

/** How a dependant has fared in this flow: since when it is tried, and how often that came to nothing. */
type Tries = Readonly<{ since: Instant; failures: number; write: StepWrite }>;

/** `inherited`: a write of the flow before was under way when this one began, and counts as our own (SPEC 6.1, 6.3). */
type StepWrite = 'none' | 'inherited' | 'own';

/** Where one dependant stands in a flow. */
export type Step =
  /** Its level is not reached, or nothing was tried yet. */
  | Readonly<{ is: 'pending'; write: StepWrite }>
  /** The configured initial delay runs. */
  | Readonly<{ is: 'delayed'; until: Instant; write: StepWrite }>
  /** A read or a write is under way. */
  | (Readonly<{ is: 'asking' }> & Tries)
  /** What failed may be tried again then. */
  | (Readonly<{ is: 'backingOff'; until: Instant }> & Tries)
  /** Written; replicas have to follow. `readAt`: when to ask, where no watch tells. */
  | Readonly<{ is: 'settling'; until: Instant; readAt: Instant }>
  | Readonly<{ is: 'done' }>
  /** Not done in time, or missing, on the way up: it goes on with the next connected verdict (SPEC 6.1). */
  | Readonly<{ is: 'stuck' }>;

/** A step that a write or a delay has still to be decided for. */
export type OpenStep = Extract<Step, { write: StepWrite }>;

/** Of a read that is refused (SPEC 6.8). */
const refusalBackoff: Backoff = { first: 30_000, longest: 3_600_000 };

/** Somebody may grant it later, and nobody will tell us: it is asked for again, with pauses that grow to an hour (SPEC 6.8). */
export function refusedAgain({ refusal }: Pick<Known, 'refusal'>, at: Instant): Known['refusal'] {
  const times = (refusal?.times ?? 0) + 1;
  return { times, againAt: at + backoff(times, refusalBackoff) };
}

export function mayBeRead({ refusal }: Pick<Known, 'refusal'>, at: Instant): boolean {
  return refusal === null || at >= refusal.againAt;
}

/** What the flow wants next of the world, or has to say. */
export type FlowAsk =
  | Readonly<{ ask: 'write'; dependant: Dependant; seen: PresentResource; change: ResourceChange }>
  | Readonly<{ ask: 'read'; dependant: Dependant }>
  | Readonly<{ ask: 'sayTimedOut'; dependant: Dependant; timeout: Millis }>
  | Readonly<{ ask: 'sayUnreadable'; dependant: Dependant; record: string }>;

/** A resource whose watch is out is asked for once a second while it is awaited (SPEC 6.6). */
export const readPause: Millis = 1_000;

export const pending: Step = { is: 'pending', write: 'none' };

export function scaleStep(dependant: Dependant, aim: Aim): ScaleStep {
  return aim === 'down' ? dependant.scaleDown : dependant.scaleUp;
}

/** The instant, and since when the flow is at its level. */
export type LevelMoment = Readonly<{ aim: Aim; levelAt: Instant; at: Instant }>;

/** `late`: the dependant's time is up, which is said once; on the way down the next level waits for it no longer. */
type Moved = Readonly<{ step: Step; asks: readonly FlowAsk[]; late?: true }>;

const done: Moved = { step: { is: 'done' }, asks: [] };

/** Takes one dependant of the current level as far as what is known allows. */
export function moveStep(step: Step, dependant: Dependant, known: Known | undefined, now: LevelMoment): Moved {
  switch (step.is) {
    case 'done':
    case 'stuck':
      return { step, asks: [] };
    case 'settling':
      return settle(step, dependant, known, now);
    case 'backingOff':
      if (now.at < step.until || isBusy(known, now.aim)) return { step, asks: [] };
      return assess(step, dependant, known, now);
    // A delay runs only for as long as something is due (SPEC 6.2).
    case 'delayed':
    case 'pending':
    case 'asking':
      if (isBusy(known, now.aim)) return { step, asks: [] };
      return assess(step, dependant, known, now);
  }
}

/** The step with what was tried so far; a step that was never tried begins `at`. */
export function triesOf(step: OpenStep, at: Instant): Tries {
  const { write } = step;
  return 'since' in step ? { since: step.since, failures: step.failures, write } : { since: at, failures: 0, write };
}

/** Decides from what is known whether a write is due, and only then lets the delay run, once (SPEC 6.2). */
function assess(step: OpenStep, dependant: Dependant, known: Known | undefined, now: LevelMoment): Moved {
  const { aim, levelAt, at } = now;
  const { write: written } = step;
  const asking = { is: 'asking', ...triesOf(step, at) } as const;
  if (!isUpToDate(known)) {
    if (known === undefined || mayBeRead(known, at)) return { step: asking, asks: [{ ask: 'read', dependant }] };
    return aim === 'down' ? done : { step: { is: 'stuck' }, asks: [] };
  }
  const { view } = known;
  if (!view.found) return missing(dependant, aim);

  const change = dueChange(view, aim, writesAtOnce(dependant.ref));
  const { initialDelay, timeout } = scaleStep(dependant, aim);
  if (change === undefined) {
    if (written === 'none') return done;
    // The answer may show that it has arrived, and nothing else need ever come to say so.
    const settling = { is: 'settling', until: at + timeout, readAt: at + readPause } as const;
    return settle(settling, dependant, known, now);
  }

  const write: FlowAsk = { ask: 'write', dependant, seen: view, change };
  // Someone took the resource out of our hands: only a left-over mark is taken away, and nothing waits for it (SPEC 6.7).
  if (view.ignored) return { step: { is: 'done' }, asks: [write] };

  // A delay that runs goes on where the flow had to go back to a lower level meanwhile.
  const until = step.is === 'delayed' ? step.until : levelAt + initialDelay;
  if (written !== 'own' && at < until) return { step: { is: 'delayed', until, write: written }, asks: [] };

  const raised = aim !== 'down' && change.replicas !== undefined;
  const record = raised && view.record !== undefined && readRecord(view.record) === undefined ? view.record : undefined;
  const said: FlowAsk[] = record === undefined ? [] : [{ ask: 'sayUnreadable', dependant, record }];
  return { step: { ...asking, write: 'own' }, asks: [write, ...said] };
}

function missing(dependant: Dependant, aim: Aim): Moved {
  return dependant.optional || aim === 'down' ? done : { step: { is: 'stuck' }, asks: [] };
}

function settle(
  step: Step & { is: 'settling' },
  dependant: Dependant,
  known: Known | undefined,
  { aim, at }: LevelMoment,
): Moved {
  const view = known?.view ?? null;
  if (view?.found === false) return missing(dependant, aim);
  if (view !== null && (view.ignored || hasArrived(view, aim))) return done;
  // Written, and nobody will tell what came of it.
  if (aim === 'down' && known !== undefined && !known.live && !mayBeRead(known, at)) return done;
  const isLate = at >= step.until;
  // Down is waited for as long as it takes, though not by the next level; up waits for another connected verdict (SPEC 6.1).
  if (isLate && aim !== 'down') return { step: { is: 'stuck' }, asks: [], late: true };
  const awaited = isLate ? { ...step, until: at + scaleStep(dependant, aim).timeout } : step;
  const late = isLate ? { late: true as const } : {};
  if (known?.live === true || isReading(known, aim) || at < settlingReadAt(step, known))
    return { step: awaited, asks: [], ...late };
  return { step: { ...awaited, readAt: at + readPause }, asks: [{ ask: 'read', dependant }], ...late };
}

function settlingReadAt({ readAt }: Step & { is: 'settling' }, known: Known | undefined): Instant {
  return Math.max(readAt, known?.refusal?.againAt ?? 0);
}

/** The next instant at which time alone moves the step. */
export function stepWakeAt(step: Step, aim: Aim, known: Known | undefined): Instant | undefined {
  switch (step.is) {
    case 'delayed':
    case 'backingOff':
      return isBusy(known, aim) ? undefined : step.until;
    case 'settling':
      return known?.live === true || isReading(known, aim)
        ? step.until
        : Math.min(step.until, settlingReadAt(step, known));
    case 'pending':
    case 'asking':
    case 'done':
    case 'stuck':
      return undefined;
  }
}

/**
 * Whether the next move has to wait for an answer. On the way down a read under way is not waited for where a view is
 * there: the write is guarded by its version.
 */
function isBusy(known: Known | undefined, aim: Aim): boolean {
  if (known === undefined) return false;
  if (known.writing !== null) return true;
  return isReading(known, aim) && (aim !== 'down' || !isUpToDate(known));
}

/** Whether a read is under way that this aim can wait for: a way down asks for itself rather than wait for the ordinary bucket. */
function isReading(known: Known | undefined, aim: Aim): boolean {
  return known !== undefined && known.reading !== null && !(aim === 'down' && known.reading.bucket === 'ordinary');
}

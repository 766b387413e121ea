import { backoff, type Backoff } from '../backoff.ts';
import { writesAtOnce, type Dependant, type ScaleStep } from './dependant.ts';
import { dueChange, hasArrived, readRecord, type Aim } from './due-change.ts';
import type { ResourceChange } from './resource-change.ts';
import type { PresentResource, ResourceView } from './resource-view.ts';
import type { Instant, Millis } from '../time.ts';

/** What is known of one dependant. A read or write that is under way is named by its number. */
export type Known = Readonly<{
  /** Null until something told. */
  view: ResourceView | null;
  /** Its watch can be relied on (SPEC 6.6). */
  live: boolean;
  /** A write met a newer resource than the view: read before the next one. */
  outdated: boolean;
  reading: number | null;
  /** The read stands in the bucket of what is not urgent, maybe for longer than a way down has (SPEC 1.2). */
  slow: boolean;
  /** Something told of the resource while it was being read: then that may be newer than what the read shows (SPEC 6.6). */
  overtaken: boolean;
  writing: number | null;
  /** When something told of it for the last time, or a question about it came to nothing. */
  heardAt: Instant | null;
  /** We may not read it (403); null as long as we may (SPEC 6.8). */
  refusal: Readonly<{ times: number; againAt: Instant }> | null;
}>;

/** How a dependant has fared in this flow: whether it was written, how often it failed, since when it is tried. */
type Tries = Readonly<{
  since: Instant | null;
  failures: number;
  wrote: boolean;
  /** A write of the flow before was still under way when this one began; what it does is awaited as our own (SPEC 6.1, 6.3). */
  inherited: boolean;
}>;

/** Where one dependant stands in a flow. */
export type Step =
  /** Its level is not reached, or an answer is awaited. */
  | (Readonly<{ is: 'waiting' }> & Tries)
  /** Until the configured delay is over, or a failure may be tried again. */
  | (Readonly<{ is: 'pausing'; until: Instant }> & Tries)
  /** Written; replicas have to follow. `readAt`: when to ask, where no watch tells. */
  | Readonly<{ is: 'settling'; until: Instant; readAt: Instant }>
  | Readonly<{ is: 'done' }>
  /** Not done in time, or missing, on the way up: it goes on with the next connected verdict (SPEC 6.1). */
  | Readonly<{ is: 'stuck' }>;

/** Of a read that is refused (SPEC 6.8). */
const refusalBackoff: Backoff = { first: 30_000, longest: 3_600_000 };

/** Somebody may grant it later, and nobody will tell us: it is asked for again, with pauses that grow to an hour (SPEC 6.8). */
export function refusedAgain({ refusal }: Known, at: Instant): Known['refusal'] {
  const times = (refusal?.times ?? 0) + 1;
  return { times, againAt: at + backoff(times, refusalBackoff) };
}

export function mayBeRead({ refusal }: Known, at: Instant): boolean {
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
export const waiting = {
  is: 'waiting',
  since: null,
  failures: 0,
  wrote: false,
  inherited: false,
} as const satisfies Step;

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
    case 'pausing':
      // A failure is waited out; a delay only for as long as something is due (SPEC 6.2).
      if ((step.since !== null && now.at < step.until) || isBusy(known, now.aim)) return { step, asks: [] };
      return assess(step, dependant, known, now);
    case 'waiting':
      if (isBusy(known, now.aim)) return { step, asks: [] };
      return assess(step, dependant, known, now);
  }
}

/** Decides from what is known whether a write is due, and only then lets the delay run, once (SPEC 6.2). */
function assess(step: Step & Tries, dependant: Dependant, known: Known | undefined, now: LevelMoment): Moved {
  const { aim, levelAt, at } = now;
  const { failures, wrote, inherited } = step;
  const tries: Tries = { since: step.since ?? at, failures, wrote, inherited };
  const view = known?.view ?? null;
  if (known === undefined || view === null || known.outdated) {
    if (known === undefined || mayBeRead(known, at))
      return { step: { is: 'waiting', ...tries }, asks: [{ ask: 'read', dependant }] };
    return aim === 'down' ? done : { step: { is: 'stuck' }, asks: [] };
  }
  if (!view.found) return missing(dependant, aim);

  const change = dueChange(view, aim, writesAtOnce(dependant.ref));
  const { initialDelay, timeout } = scaleStep(dependant, aim);
  if (change === undefined) {
    if (!wrote && !inherited) return done;
    // The answer may show that it has arrived, and nothing else need ever come to say so.
    const settling = { is: 'settling', until: at + timeout, readAt: at + readPause } as const;
    return settle(settling, dependant, known, now);
  }

  const write: FlowAsk = { ask: 'write', dependant, seen: view, change };
  // Someone took the resource out of our hands: only a left-over mark is taken away, and nothing waits for it (SPEC 6.7).
  if (view.ignored) return { step: { is: 'done' }, asks: [write] };

  // A delay that runs goes on where the flow had to go back to a lower level meanwhile.
  const until = step.is === 'pausing' && step.since === null ? step.until : levelAt + initialDelay;
  if (!wrote && at < until)
    return { step: { is: 'pausing', until, since: null, failures: 0, wrote, inherited }, asks: [] };

  const raised = aim !== 'down' && change.replicas !== undefined;
  const record = raised && view.record !== undefined && readRecord(view.record) === undefined ? view.record : undefined;
  const said: FlowAsk[] = record === undefined ? [] : [{ ask: 'sayUnreadable', dependant, record }];
  return { step: { is: 'waiting', ...tries, wrote: true }, asks: [write, ...said] };
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
  if (step.is === 'pausing') return isBusy(known, aim) ? undefined : step.until;
  if (step.is === 'settling')
    return known?.live === true || isReading(known, aim)
      ? step.until
      : Math.min(step.until, settlingReadAt(step, known));
  return undefined;
}

/**
 * Whether the next move has to wait for an answer. On the way down a read under way is not waited for where a view is
 * there: the write is guarded by its version.
 */
function isBusy(known: Known | undefined, aim: Aim): boolean {
  if (known === undefined) return false;
  if (known.writing !== null) return true;
  return isReading(known, aim) && (aim !== 'down' || known.view === null || known.outdated);
}

/** Whether a read is under way that this aim can wait for: a way down asks for itself where one is slow. */
function isReading(known: Known | undefined, aim: Aim): boolean {
  return known !== undefined && known.reading !== null && !(aim === 'down' && known.slow);
}

import { backoff, type Backoff } from '../backoff.ts';
import { writesAtOnce, type Dependant, type ScaleStep } from './dependant.ts';
import { dueChange, hasArrived, readRecord, type Aim } from './due-change.ts';
import type { ResourceChange, PresentResource, ResourceView } from './resource-view.ts';
import { readPause, type Tries } from './tries.ts';
import type { Instant, Millis } from '../time.ts';

/** What is known of one dependant. */
export type KnownDependant = Belief &
  Readonly<{
    /** Its watch can be relied on (SPEC 6.6). */
    live: boolean;
    /** The read that is under way. */
    reading: Reading | null;
    /** The number of the write that is under way. */
    writing: number | null;
    /** When it was last heard of, or a read of it failed. */
    heardAt: Instant | null;
    /** We may not read it (403); null as long as we may (SPEC 6.8). */
    refusal: Readonly<{ times: number; againAt: Instant }> | null;
    /** What became of our last writes; null before the first. */
    tries: Tries | null;
  }>;

/** `view` is null until it was heard of. `outdated`: a write met a newer resource than the view, so a read comes before the next write. */
type Belief = Readonly<{ view: null }> | Readonly<{ view: ResourceView; outdated: boolean }>;

export type Reading = Readonly<{
  number: number;
  /** `ordinary`: what is not urgent may wait for longer than a way down has (SPEC 1.2). */
  bucket: 'ordinary' | 'urgent';
  /** The resource was heard of meanwhile, and that may be newer than what the read shows (SPEC 6.6). */
  overtaken: boolean;
}>;

export const unknown: KnownDependant = {
  view: null,
  live: false,
  reading: null,
  writing: null,
  heardAt: null,
  refusal: null,
  tries: null,
};

/** Whether there is a view that a write can go by. */
export function isUpToDate(
  known: KnownDependant | undefined,
): known is KnownDependant & Readonly<{ view: ResourceView }> {
  return known !== undefined && known.view !== null && !known.outdated;
}

/** `inherited`: a write of the flow before was under way when this one began, and counts as our own (SPEC 6.1, 6.3). */
type StepWrite = 'none' | 'inherited' | 'own';

/** Where one dependant stands in a flow. */
export type Step =
  /** Its level is not reached, or nothing was tried yet. */
  | Readonly<{ is: 'pending'; write: StepWrite }>
  /** The configured initial delay runs. */
  | Readonly<{ is: 'delayed'; until: Instant; write: StepWrite }>
  /** A read or a write is under way. */
  | Readonly<{ is: 'asking'; write: StepWrite }>
  /** A read or write failed, or was undone, and may be tried again at `until`. */
  | Readonly<{ is: 'backingOff'; until: Instant; write: StepWrite }>
  /** Written; replicas have to follow. `readAt`: when to ask, where no watch tells. */
  | Readonly<{ is: 'settling'; readAt: Instant }>
  /** `until`: the end of the delay that ran when nothing was due any more; it goes on if something is again. */
  | Readonly<{ is: 'done'; until?: Instant }>
  /** Not done in time, missing, or without our mark and a new look at the Cluster, on the way up: it goes on with the next connected verdict (SPEC 6.1). */
  | Readonly<{ is: 'stuck' }>;

/** A step for which a write or a delay must still be decided. */
type OpenStep = Extract<Step, { write: StepWrite }>;

/** For a read that is refused (SPEC 6.8). */
const refusalBackoff: Backoff = { first: 30_000, longest: 3_600_000 };

/** The permission may come later, and nobody would tell us: we ask again, with back-off (SPEC 6.8). */
export function refusedAgain({ refusal }: Pick<KnownDependant, 'refusal'>, at: Instant): KnownDependant['refusal'] {
  const times = (refusal?.times ?? 0) + 1;
  return { times, againAt: at + backoff(times, refusalBackoff) };
}

export function mayBeRead({ refusal }: Pick<KnownDependant, 'refusal'>, at: Instant): boolean {
  return refusal === null || at >= refusal.againAt;
}

/** What the flow wants to be done or said next. */
export type FlowAsk =
  | Readonly<{ ask: 'write'; dependant: Dependant; seen: PresentResource; change: ResourceChange }>
  | Readonly<{ ask: 'read'; dependant: Dependant }>
  | Readonly<{ ask: 'sayTimedOut'; dependant: Dependant; timeout: Millis }>
  | Readonly<{ ask: 'sayUnreadable'; dependant: Dependant; record: string }>;

export const pending: Step = { is: 'pending', write: 'none' };

export function scaleStep(dependant: Dependant, aim: Aim): ScaleStep {
  return aim === 'down' ? dependant.scaleDown : dependant.scaleUp;
}

/** Now, and since when the flow is at its level; `notBefore` as the flow has it. */
export type LevelMoment = Readonly<{
  aim: Aim;
  levelAt: Instant;
  notBefore?: Instant;
  clusterUntil?: Instant;
  at: Instant;
}>;

type Moved = Readonly<{ step: Step; asks: readonly FlowAsk[] }>;

const done: Moved = { step: { is: 'done' }, asks: [] };

/** Moves one dependant of the current level as far as possible with what is known. */
export function moveStep(step: Step, dependant: Dependant, known: KnownDependant | undefined, now: LevelMoment): Moved {
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

/** The next write that the aim wants, by all that is known. */
export function dueFor({ ref }: Dependant, { view, tries }: KnownDependant, aim: Aim): ResourceChange | undefined {
  return view === null ? undefined : dueChange(view, aim, writesAtOnce(ref), tries?.undone ? tries.asked : undefined);
}

/** The end of the back-off, where it still runs. What became of the other direction holds nothing up. */
function backsOffUntil(known: KnownDependant | undefined, { aim, at }: LevelMoment): Instant | undefined {
  const tries = known?.tries ?? null;
  if (tries === null || (tries.direction === 'down') !== (aim === 'down')) return undefined;
  return at < tries.againAt ? tries.againAt : undefined;
}

/** Decides whether a write is due. Only then does the delay run, and once (SPEC 6.2). */
function assess(step: OpenStep, dependant: Dependant, known: KnownDependant | undefined, now: LevelMoment): Moved {
  const { aim, levelAt, notBefore = -Infinity, clusterUntil = Infinity, at } = now;
  const { write: written } = step;
  const againAt = backsOffUntil(known, now);
  if (!isUpToDate(known) && (known === undefined || mayBeRead(known, at)))
    return againAt === undefined
      ? { step: { is: 'asking', write: written }, asks: [{ ask: 'read', dependant }] }
      : { step: { is: 'backingOff', until: againAt, write: written }, asks: [] };
  const { view } = known;
  // Nobody shows a newer view. A way down tries its write with the old one, which guards it (SPEC 6.8).
  if (view === null) return missing(dependant, aim);
  if (aim !== 'down' && !isUpToDate(known)) return { step: { is: 'stuck' }, asks: [] };
  if (!view.found) return missing(dependant, aim);

  const change = dueFor(dependant, known, aim);
  if (change === undefined) {
    if (written === 'none') return step.is === 'delayed' ? { step: { is: 'done', until: step.until }, asks: [] } : done;
    // The answer may show that it has arrived. No other news needs to come after it.
    return settle({ is: 'settling', readAt: at + readPause }, dependant, known, now);
  }

  const write: FlowAsk = { ask: 'write', dependant, seen: view, change };
  // Someone told us to ignore the resource: only a left-over mark is removed, and nothing waits for that (SPEC 6.7).
  if (view.ignored) return againAt === undefined ? { step: { is: 'done' }, asks: [write] } : done;

  // A running delay is kept when the flow had to go back to a lower level meanwhile.
  const until = step.is === 'delayed' ? step.until : levelAt + scaleStep(dependant, aim).initialDelay;
  // What was undone has no new delay (SPEC 6.9), but nothing was written before `notBefore`.
  if ((written !== 'own' || at < notBefore) && at < until)
    return { step: { is: 'delayed', until, write: written }, asks: [] };
  if (againAt !== undefined) return { step: { is: 'backingOff', until: againAt, write: written }, asks: [] };
  // The shoot may have been put to sleep meanwhile.
  if (aim === 'upAll' && !view.marked && at > clusterUntil) return { step: { is: 'stuck' }, asks: [] };

  const raised = aim !== 'down' && change.replicas !== undefined;
  const record = raised && view.record !== undefined && readRecord(view.record) === undefined ? view.record : undefined;
  const said: FlowAsk[] = record === undefined ? [] : [{ ask: 'sayUnreadable', dependant, record }];
  return { step: { is: 'asking', write: 'own' }, asks: [write, ...said] };
}

/** It does not exist, or nobody may read it and nobody ever could, so that we brought none of it down (SPEC 6.8). */
function missing(dependant: Dependant, aim: Aim): Moved {
  return dependant.optional || aim === 'down' ? done : { step: { is: 'stuck' }, asks: [] };
}

function settle(
  step: Step & { is: 'settling' },
  dependant: Dependant,
  known: KnownDependant | undefined,
  { aim, at }: LevelMoment,
): Moved {
  const view = known?.view ?? null;
  if (view?.found === false) return missing(dependant, aim);
  if (view !== null && (view.ignored || hasArrived(view, aim))) return done;
  // It is written, and nothing will show its replicas.
  if (aim === 'down' && known !== undefined && !known.live && !mayBeRead(known, at)) return done;
  if (known?.live === true || isReading(known, aim) || at < settlingReadAt(step, known)) return { step, asks: [] };
  return { step: { ...step, readAt: at + readPause }, asks: [{ ask: 'read', dependant }] };
}

function settlingReadAt({ readAt }: Step & { is: 'settling' }, known: KnownDependant | undefined): Instant {
  return Math.max(readAt, known?.refusal?.againAt ?? 0);
}

/** The next instant at which time alone moves the step. */
export function stepWakeAt(step: Step, aim: Aim, known: KnownDependant | undefined): Instant | undefined {
  switch (step.is) {
    case 'delayed':
    case 'backingOff':
      return isBusy(known, aim) ? undefined : step.until;
    case 'settling':
      return known?.live === true || isReading(known, aim) ? undefined : settlingReadAt(step, known);
    case 'pending':
    case 'asking':
    case 'done':
    case 'stuck':
      return undefined;
  }
}

/**
 * Whether the next move must wait for an answer. A way down does not wait for a read where it has a view: the write is guarded
 * by the view's version.
 */
function isBusy(known: KnownDependant | undefined, aim: Aim): boolean {
  if (known === undefined) return false;
  if (known.writing !== null) return true;
  return isReading(known, aim) && (aim !== 'down' || !isUpToDate(known));
}

/** Whether a read is under way that this aim can wait for: a way down asks for itself rather than wait for the ordinary bucket. */
function isReading(known: KnownDependant | undefined, aim: Aim): boolean {
  return known !== undefined && known.reading !== null && !(aim === 'down' && known.reading.bucket === 'ordinary');
}

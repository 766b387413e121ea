import { writesAtOnce, type Dependant, type DependantKey, type ScaleStep } from './dependant.ts';
import { dueChange, hasArrived, readRecord, type Aim } from './due-change.ts';
import type { ResourceChange } from './resource-change.ts';
import type { PresentResource, ResourceView } from './resource-view.ts';
import type { Instant, Millis } from './time.ts';

/** What is known of one dependant. A read or write that is under way is named by its number. */
export type Known = Readonly<{
  /** Null until something told. */
  view: ResourceView | null;
  /** Its watch can be relied on (SPEC 6.6). */
  live: boolean;
  /** A write met a newer resource than the view: read before the next one. */
  outdated: boolean;
  reading: number | null;
  writing: number | null;
}>;

/** How a dependant has fared in this flow: whether it was written, how often it failed, since when it is tried. */
type Tries = Readonly<{ since: Instant | null; failures: number; wrote: boolean }>;

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

/** One way down or up through all levels (SPEC 6.1), as a plain value. */
export type ScaleFlow = Readonly<{
  aim: Aim;
  level: number;
  levelAt: Instant;
  steps: Readonly<Record<DependantKey, Step>>;
}>;

/** What the flow wants next of the world, or has to say. */
export type FlowAsk =
  | Readonly<{ ask: 'write'; dependant: Dependant; seen: PresentResource; change: ResourceChange }>
  | Readonly<{ ask: 'read'; dependant: Dependant }>
  | Readonly<{ ask: 'sayTimedOut'; dependant: Dependant; timeout: Millis }>
  | Readonly<{ ask: 'sayUnreadable'; dependant: Dependant; record: string }>;

/** What a flow moves through: the dependants in the configuration's order, and what is known of each. */
export type FlowWorld = Readonly<{
  dependants: readonly Dependant[];
  known: Readonly<Record<DependantKey, Known>>;
}>;

type Advanced = Readonly<{ flow: ScaleFlow; asks: readonly FlowAsk[] }>;

/** A resource whose watch is out is asked for once a second while it is awaited (SPEC 6.6). */
const readPause: Millis = 1_000;
const firstRetry: Millis = 250;
const longestRetry: Millis = 5_000;

const untried = { since: null, failures: 0, wrote: false } as const;
const waiting = { is: 'waiting', ...untried } as const satisfies Step;

export function beginFlow(aim: Aim, dependants: readonly Dependant[], at: Instant): ScaleFlow {
  const steps = Object.fromEntries(dependants.map(({ key }) => [key, waiting]));
  const levels = dependants.map((dependant) => scaleStep(dependant, aim).level);
  return { aim, level: Math.min(...levels), levelAt: at, steps };
}

export function isFinished(flow: ScaleFlow): boolean {
  return Object.values(flow.steps).every(({ is }) => is === 'done');
}

/** A verdict of the same direction: what is stuck goes on, what someone undid is done again, without a new delay (SPEC 6.1, 6.9). */
export function renewFlow(flow: ScaleFlow, aim: Aim, world: FlowWorld): ScaleFlow {
  const steps: Record<DependantKey, Step> = { ...flow.steps };
  for (const { key, ref } of world.dependants) {
    const step = steps[key] ?? waiting;
    const view = world.known[key]?.view;
    const undone = view != null && dueChange(view, aim, writesAtOnce(ref)) !== undefined;
    if (step.is === 'stuck') steps[key] = waiting;
    else if (undone && (step.is === 'done' || step.is === 'settling')) steps[key] = { ...waiting, wrote: true };
  }
  return { ...flow, aim, steps };
}

/** Moves every dependant of the current level, and on through the levels, as far as what is known allows (SPEC 6.1). */
export function advanceFlow(flow: ScaleFlow, world: FlowWorld, at: Instant): Advanced {
  const asks: FlowAsk[] = [];
  let now = flow;
  for (;;) {
    const level = currentLevel(now, world.dependants);
    if (level === undefined) return { flow: now, asks };
    if (level !== now.level) now = { ...now, level, levelAt: at };

    const steps: Record<DependantKey, Step> = { ...now.steps };
    for (const dependant of world.dependants) {
      if (scaleStep(dependant, now.aim).level !== level) continue;
      const moved = moveStep(steps[dependant.key] ?? waiting, dependant, now, world.known[dependant.key], at);
      steps[dependant.key] = moved.step;
      asks.push(...moved.asks);
    }
    now = { ...now, steps };
    if (currentLevel(now, world.dependants) === level) return { flow: now, asks };
  }
}

/**
 * A read or write of this dependant came to nothing: it is tried again after a pause that grows, until the
 * dependant's time-out has passed since the first try (SPEC 6.1, 6.6). The first conflicts are tried again at once,
 * on fresh data.
 */
export function failStep(
  flow: ScaleFlow,
  dependant: Dependant,
  at: Instant,
  failure: 'read' | 'write' | 'conflict',
): Advanced {
  const step = flow.steps[dependant.key];
  if (step === undefined || (step.is !== 'waiting' && step.is !== 'pausing')) return { flow, asks: [] };
  const since = step.since ?? at;
  const failures = step.failures + 1;
  if (at - since >= scaleStep(dependant, flow.aim).timeout) {
    const { step: over, asks } = timedOut(dependant, flow.aim);
    return { flow: withStep(flow, dependant.key, over), asks };
  }
  const growing = Math.min(longestRetry, firstRetry * 2 ** Math.min(failures - 1, 20));
  const pause =
    failure === 'read' ? Math.max(readPause, growing) : failure === 'conflict' && failures <= 3 ? 0 : growing;
  return {
    flow: withStep(flow, dependant.key, { ...step, is: 'pausing', until: at + pause, since, failures }),
    asks: [],
  };
}

/** The next instant at which time alone moves the flow; undefined where it waits for an answer or a verdict. */
export function flowWakeAt(flow: ScaleFlow, world: FlowWorld): Instant | undefined {
  const instants = world.dependants
    .filter((dependant) => scaleStep(dependant, flow.aim).level === flow.level)
    .map(({ key }) => stepWakeAt(flow.steps[key] ?? waiting, flow.aim, world.known[key]))
    .filter((at) => at !== undefined);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

function stepWakeAt(step: Step, aim: Aim, known: Known | undefined): Instant | undefined {
  if (step.is === 'pausing') return isBusy(known, aim) ? undefined : step.until;
  if (step.is === 'settling')
    return known?.live === true || known?.reading != null ? step.until : Math.min(step.until, step.readAt);
  return undefined;
}

function scaleStep(dependant: Dependant, aim: Aim): ScaleStep {
  return aim === 'down' ? dependant.scaleDown : dependant.scaleUp;
}

function withStep(flow: ScaleFlow, key: DependantKey, step: Step): ScaleFlow {
  return { ...flow, steps: { ...flow.steps, [key]: step } };
}

function currentLevel(flow: ScaleFlow, dependants: readonly Dependant[]): number | undefined {
  const open = dependants.filter(({ key }) => (flow.steps[key] ?? waiting).is !== 'done');
  return open.length === 0 ? undefined : Math.min(...open.map((dependant) => scaleStep(dependant, flow.aim).level));
}

/**
 * Whether the next move has to wait for an answer. On the way down a read under way is not waited for where a view is
 * there: the write is guarded by its version, and a read may sit in the slower bucket.
 */
function isBusy(known: Known | undefined, aim: Aim): boolean {
  if (known === undefined) return false;
  if (known.writing !== null) return true;
  return known.reading !== null && (aim !== 'down' || known.view === null || known.outdated);
}

type Moved = Readonly<{ step: Step; asks: readonly FlowAsk[] }>;

const done: Moved = { step: { is: 'done' }, asks: [] };

function moveStep(step: Step, dependant: Dependant, flow: ScaleFlow, known: Known | undefined, at: Instant): Moved {
  switch (step.is) {
    case 'done':
    case 'stuck':
      return { step, asks: [] };
    case 'settling':
      return settle(step, dependant, flow, known, at);
    case 'pausing':
      if (at < step.until || isBusy(known, flow.aim)) return { step, asks: [] };
      return assess(step, dependant, flow, known, at);
    case 'waiting':
      if (isBusy(known, flow.aim)) return { step, asks: [] };
      return assess(step, dependant, flow, known, at);
  }
}

/** Decides from what is known whether a write is due, and only then lets the delay run, once (SPEC 6.2). */
function assess(
  step: Step & Tries,
  dependant: Dependant,
  flow: ScaleFlow,
  known: Known | undefined,
  at: Instant,
): Moved {
  const tries: Tries = { since: step.since ?? at, failures: step.failures, wrote: step.wrote };
  const view = known?.view ?? null;
  if (view === null || known?.outdated === true)
    return { step: { is: 'waiting', ...tries }, asks: [{ ask: 'read', dependant }] };
  if (!view.found) return missing(dependant, flow.aim);

  const change = dueChange(view, flow.aim, writesAtOnce(dependant.ref));
  const { initialDelay, timeout } = scaleStep(dependant, flow.aim);
  if (change === undefined)
    return step.wrote ? { step: { is: 'settling', until: at + timeout, readAt: at + readPause }, asks: [] } : done;

  const write: FlowAsk = { ask: 'write', dependant, seen: view, change };
  // Someone took the resource out of our hands: only a left-over mark is taken away, and nothing waits for it (SPEC 6.7).
  if (view.ignored) return { step: { is: 'done' }, asks: [write] };

  const until = flow.levelAt + initialDelay;
  if (!tries.wrote && at < until) return { step: { is: 'pausing', until, ...untried }, asks: [] };

  const raised = flow.aim !== 'down' && change.replicas !== undefined;
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
  flow: ScaleFlow,
  known: Known | undefined,
  at: Instant,
): Moved {
  const view = known?.view ?? null;
  if (view?.found === false) return missing(dependant, flow.aim);
  if (view !== null && (view.ignored || hasArrived(view, flow.aim))) return done;
  if (at >= step.until) return timedOut(dependant, flow.aim);
  if (known?.live === true || known?.reading != null || at < step.readAt) return { step, asks: [] };
  return { step: { ...step, readAt: at + readPause }, asks: [{ ask: 'read', dependant }] };
}

/** Down goes on to the next level, since every further second counts; up waits for another connected verdict (SPEC 6.1). */
function timedOut(dependant: Dependant, aim: Aim): Moved {
  const said: FlowAsk = { ask: 'sayTimedOut', dependant, timeout: scaleStep(dependant, aim).timeout };
  return { step: { is: aim === 'down' ? 'done' : 'stuck' }, asks: [said] };
}

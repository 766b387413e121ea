import { writesAtOnce, type Dependant, type DependantKey } from './dependant.ts';
import { dueChange, type Aim } from './due-change.ts';
import {
  moveStep,
  readPause,
  scaleStep,
  stepWakeAt,
  timedOut,
  waiting,
  type FlowAsk,
  type Known,
  type Step,
} from './scale-step.ts';
import type { Instant, Millis } from './time.ts';

/** One way down or up through all levels (SPEC 6.1), as a plain value. */
export type ScaleFlow = Readonly<{
  aim: Aim;
  level: number;
  levelAt: Instant;
  steps: Readonly<Record<DependantKey, Step>>;
}>;

/** What a flow moves through: the dependants in the configuration's order, and what is known of each. */
export type FlowWorld = Readonly<{
  dependants: readonly Dependant[];
  known: Readonly<Record<DependantKey, Known>>;
}>;

type Advanced = Readonly<{ flow: ScaleFlow; asks: readonly FlowAsk[] }>;

const firstRetry: Millis = 250;
const longestRetry: Millis = 5_000;

export function beginFlow(aim: Aim, { dependants, known }: FlowWorld, at: Instant): ScaleFlow {
  const begun = ({ key }: Dependant): Step => ({ ...waiting, inherited: (known[key]?.writing ?? null) !== null });
  const steps = Object.fromEntries(dependants.map((dependant) => [dependant.key, begun(dependant)]));
  const levels = dependants.map((dependant) => scaleStep(dependant, aim).level);
  return { aim, level: Math.min(...levels), levelAt: at, steps };
}

export function isFinished(flow: ScaleFlow): boolean {
  return Object.values(flow.steps).every(({ is }) => is === 'done');
}

/**
 * A verdict of the same direction: what is stuck goes on, what someone undid is done again, without a new delay
 * (SPEC 6.1, 6.9). What is due only since the aim has widened from ours to all has had none.
 */
export function renewFlow(flow: ScaleFlow, aim: Aim, world: FlowWorld): ScaleFlow {
  const steps: Record<DependantKey, Step> = { ...flow.steps };
  for (const { key, ref } of world.dependants) {
    const step = steps[key] ?? waiting;
    const view = world.known[key]?.view;
    const undone = view != null && dueChange(view, aim, writesAtOnce(ref)) !== undefined;
    if (step.is === 'stuck') steps[key] = waiting;
    else if (undone && (step.is === 'done' || step.is === 'settling'))
      steps[key] = { ...waiting, wrote: flow.aim === aim };
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
      const moved = moveStep(steps[dependant.key] ?? waiting, dependant, world.known[dependant.key], { ...now, at });
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
  // Of the flow before this one: nothing has been tried here yet.
  if (scaleStep(dependant, flow.aim).level !== flow.level) return { flow, asks: [] };
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

function withStep(flow: ScaleFlow, key: DependantKey, step: Step): ScaleFlow {
  return { ...flow, steps: { ...flow.steps, [key]: step } };
}

function currentLevel(flow: ScaleFlow, dependants: readonly Dependant[]): number | undefined {
  const open = dependants.filter(({ key }) => (flow.steps[key] ?? waiting).is !== 'done');
  return open.length === 0 ? undefined : Math.min(...open.map((dependant) => scaleStep(dependant, flow.aim).level));
}

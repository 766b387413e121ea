import { backoff, type Backoff } from '../backoff.ts';
import { writesAtOnce, type Dependant, type DependantKey } from './dependant.ts';
import { dueChange, type Aim } from './due-change.ts';
import {
  moveStep,
  readPause,
  scaleStep,
  stepWakeAt,
  triesOf,
  pending,
  type FlowAsk,
  type Known,
  type Step,
} from './scale-step.ts';
import { earliest, type Instant } from '../time.ts';

/** One way down or up through all levels (SPEC 6.1), as a plain value. */
export type ScaleFlow = Readonly<{
  aim: Aim;
  beganAt: Instant;
  /** It has commanded a change of replicas; on the way up, of what bears our mark. */
  wrote: boolean;
  level: number;
  levelAt: Instant;
  steps: Readonly<Record<DependantKey, Step>>;
  /** Not done within their timeout, and said to be late. On the way down they are still tried, and no level waits for them. */
  late: readonly DependantKey[];
}>;

/** What a flow moves through: the dependants in the configuration's order, and what is known of each. */
export type FlowScope = Readonly<{
  dependants: readonly Dependant[];
  known: Readonly<Record<DependantKey, Known>>;
}>;

type Advanced = Readonly<{ flow: ScaleFlow; asks: readonly FlowAsk[] }>;

/** For a read or write that failed (SPEC 6.8). */
const retryBackoff: Backoff = { first: 250, longest: 5_000 };

export function beginFlow(aim: Aim, { dependants, known }: FlowScope, at: Instant): ScaleFlow {
  const begun = ({ key }: Dependant): Step => ({
    is: 'pending',
    write: (known[key]?.writing ?? null) === null ? 'none' : 'inherited',
  });
  const steps = Object.fromEntries(dependants.map((dependant) => [dependant.key, begun(dependant)]));
  const levels = dependants.map((dependant) => scaleStep(dependant, aim).level);
  return { aim, beganAt: at, wrote: false, level: Math.min(...levels), levelAt: at, steps, late: [] };
}

/** On the way down pods that are still ending are waited for: a controller-manager that ends may act. The next level has begun before (SPEC 6.1). */
export function isFinished({ aim, steps }: ScaleFlow, { known }: FlowScope): boolean {
  return Object.entries(steps).every(([key, { is }]) => {
    const view = known[key]?.view;
    return is === 'done' && !(aim === 'down' && view?.found === true && !view.ignored && view.ending !== undefined);
  });
}

/**
 * Applies a verdict of the same direction: what is stuck goes on, and what someone undid is done again without a new delay
 * (SPEC 6.1, 6.9). What is due only because the aim widened from ours to all has had no delay yet, and gets one.
 */
export function renewFlow(flow: ScaleFlow, aim: Aim, scope: FlowScope): ScaleFlow {
  const steps: Record<DependantKey, Step> = { ...flow.steps };
  // A stuck step starts again with its whole timeout.
  const late = flow.late.filter((key) => steps[key]?.is !== 'stuck');
  for (const { key, ref } of scope.dependants) {
    const step = steps[key] ?? pending;
    const view = scope.known[key]?.view;
    const undone = view != null && dueChange(view, aim, writesAtOnce(ref)) !== undefined;
    if (step.is === 'stuck') steps[key] = pending;
    else if (undone && (step.is === 'done' || step.is === 'settling'))
      steps[key] = { is: 'pending', write: flow.aim === aim ? 'own' : 'none' };
  }
  return { ...flow, aim, steps, late };
}

/** Moves every dependant of the current level, then the next levels, as far as possible with what is known (SPEC 6.1). */
export function advanceFlow(flow: ScaleFlow, scope: FlowScope, at: Instant): Advanced {
  const asks: FlowAsk[] = [];
  let now = flow;
  for (;;) {
    const level = currentLevel(now, scope.dependants);
    if (level !== now.level) now = { ...now, level, levelAt: at };

    const steps: Record<DependantKey, Step> = { ...now.steps };
    let { late } = now;
    for (const dependant of scope.dependants) {
      const { key } = dependant;
      if (!isUnderWay(now, dependant)) continue;
      const moved = moveStep(steps[key] ?? pending, dependant, scope.known[key], { ...now, at });
      steps[key] = moved.step;
      asks.push(...moved.asks);
      if (moved.late !== true || isPassedBy(now.aim, late, key)) continue;
      late = [...late, key];
      asks.push(sayTimedOut(dependant, now.aim));
    }
    now = { ...now, steps, late };
    if (currentLevel(now, scope.dependants) === level)
      return { flow: { ...now, wrote: now.wrote || asks.some(changesOurs) }, asks };
  }
}

/**
 * A read or write of this dependant failed. It is tried again with back-off for as long as the flow goes on (SPEC 6.6, 6.8).
 * That it is late is said once. The first conflicts are tried again at once, on fresh data.
 */
export function failStep(
  flow: ScaleFlow,
  dependant: Dependant,
  at: Instant,
  failure: 'read' | 'write' | 'conflict',
): Advanced {
  const step = flow.steps[dependant.key];
  if (step === undefined || !('write' in step)) return { flow, asks: [] };
  // The failure belongs to the flow before this one: this one has not tried the dependant yet.
  if (!isUnderWay(flow, dependant)) return { flow, asks: [] };
  const tries = triesOf(step, at);
  const failures = tries.failures + 1;
  const isLate = at - tries.since >= scaleStep(dependant, flow.aim).timeout;
  const isNew = isLate && !flow.late.includes(dependant.key);
  const usual = backoff(failures, retryBackoff);
  const pause = failure === 'read' ? Math.max(readPause, usual) : failure === 'conflict' && failures <= 3 ? 0 : usual;
  const steps = {
    ...flow.steps,
    [dependant.key]: { ...tries, is: 'backingOff', until: at + pause, failures } as const,
  };
  if (!isNew) return { flow: { ...flow, steps }, asks: [] };
  return {
    flow: { ...flow, steps, late: [...flow.late, dependant.key] },
    asks: [sayTimedOut(dependant, flow.aim)],
  };
}

/** The next instant at which time alone moves the flow; undefined where it waits for an answer or a verdict. */
export function flowWakeAt(flow: ScaleFlow, scope: FlowScope): Instant | undefined {
  const underWay = scope.dependants.filter((dependant) => isUnderWay(flow, dependant));
  return earliest(underWay.map(({ key }) => stepWakeAt(flow.steps[key] ?? pending, flow.aim, scope.known[key])));
}

/** What somebody else had scaled to 0 is raised, too, and was no outage of ours (SPEC 6.5). */
function changesOurs(ask: FlowAsk): boolean {
  if (ask.ask !== 'write' || ask.change.replicas === undefined) return false;
  return ask.change.replicas === 0 || ask.seen.marked;
}

function sayTimedOut(dependant: Dependant, aim: Aim): FlowAsk {
  return { ask: 'sayTimedOut', dependant, timeout: scaleStep(dependant, aim).timeout };
}

/** Its level is the current one, or the flow has gone on without it. Where it had to go back to a lower level meanwhile, that one comes first. */
function isUnderWay({ aim, level, late }: ScaleFlow, dependant: Dependant): boolean {
  const own = scaleStep(dependant, aim).level;
  return own === level || (own < level && isPassedBy(aim, late, dependant.key));
}

/** On the way down every second counts. On the way up a wrong order may do harm, so nothing is passed by (SPEC 6.1). */
function isPassedBy(aim: Aim, late: readonly DependantKey[], key: DependantKey): boolean {
  return aim === 'down' && late.includes(key);
}

/** The lowest that the flow waits for; else the highest of those that it has gone on without. */
function currentLevel(flow: ScaleFlow, dependants: readonly Dependant[]): number {
  const open = dependants.filter(({ key }) => (flow.steps[key] ?? pending).is !== 'done');
  const levelOf = (dependant: Dependant): number => scaleStep(dependant, flow.aim).level;
  const awaited = open.filter(({ key }) => !isPassedBy(flow.aim, flow.late, key));
  return awaited.length > 0 ? Math.min(...awaited.map(levelOf)) : Math.max(flow.level, ...open.map(levelOf));
}

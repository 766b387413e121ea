import type { Dependant, DependantKey } from './dependant.ts';
import { hasArrived, type Aim } from './due-change.ts';
import {
  dueFor,
  moveStep,
  scaleStep,
  stepWakeAt,
  pending,
  unknown,
  type FlowAsk,
  type KnownDependant,
  type Step,
} from './scale-step.ts';
import { earliest, type Instant, type Millis } from '../time.ts';

/** One way down or up through all levels (SPEC 6.1), as a plain value. */
export type ScaleFlow = Readonly<{
  aim: Aim;
  beganAt: Instant;
  /** It has commanded a change of replicas; on the way up, of what bears our mark. */
  wrote: boolean;
  level: number;
  levelAt: Instant;
  /** No level begins before: a shoot that comes and goes waits for that (SPEC 6.5). */
  notBefore?: Instant;
  /** Until then what the last verdict knew of the Cluster is good enough to raise what bears no mark (SPEC 3.5). */
  clusterUntil?: Instant;
  steps: Readonly<Record<DependantKey, Step>>;
  /** When those that are not done yet were first asked for: their time-outs count from then on, whatever was tried or undone since. */
  triedAt: Readonly<Record<DependantKey, Instant>>;
  /** Not done within their timeout, and said to be late. */
  late: readonly DependantKey[];
  /** On the way down they are still tried, and no level waits for them any more. */
  passed: readonly DependantKey[];
}>;

/** What a flow moves through: the dependants in the configuration's order, and what is known of each. */
export type FlowScope = Readonly<{
  dependants: readonly Dependant[];
  known: Readonly<Record<DependantKey, KnownDependant>>;
  /** When a controller-manager that still runs may mark the first node; absent where there is nothing to come before. */
  firstMarkAt?: Instant;
}>;

type Advanced = Readonly<{ flow: ScaleFlow; asks: readonly FlowAsk[] }>;

/** So long a level is waited for on the way down at most, as by the Go program (SPEC 6.1); a controller-manager was seen to need 4 s to end. */
const levelTime: Millis = 5_000;

/** And so long at least: in a well seed pods have ended by then, so that the order is kept however late it is. */
const leastLevelTime: Millis = 1_000;

export function beginFlow(aim: Aim, { dependants, known }: FlowScope, at: Instant): ScaleFlow {
  const begun = ({ key }: Dependant): Step => ({
    is: 'pending',
    write: (known[key]?.writing ?? null) === null ? 'none' : 'inherited',
  });
  const steps = Object.fromEntries(dependants.map((dependant) => [dependant.key, begun(dependant)]));
  const levels = dependants.map((dependant) => scaleStep(dependant, aim).level);
  return {
    aim,
    beganAt: at,
    wrote: false,
    level: Math.min(...levels),
    levelAt: at,
    steps,
    triedAt: {},
    late: [],
    passed: [],
  };
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
  const triedAt = { ...flow.triedAt };
  // A stuck step starts again with its whole timeout.
  const late = flow.late.filter((key) => steps[key]?.is !== 'stuck');
  for (const dependant of scope.dependants) {
    const { key } = dependant;
    const step = steps[key] ?? pending;
    const known = scope.known[key];
    const undone = known !== undefined && dueFor(dependant, known, aim) !== undefined;
    if (step.is === 'stuck') {
      steps[key] = pending;
      delete triedAt[key];
    } else if (undone && step.is === 'done' && step.until !== undefined && flow.aim === aim) {
      steps[key] = { is: 'delayed', until: step.until, write: 'none' };
    } else if (undone && (step.is === 'done' || step.is === 'settling'))
      steps[key] = { is: 'pending', write: flow.aim === aim ? 'own' : 'none' };
  }
  return { ...flow, aim, steps, triedAt, late };
}

/** Moves every dependant of the current level, then the next levels, as far as possible with what is known (SPEC 6.1). */
export function advanceFlow(flow: ScaleFlow, scope: FlowScope, at: Instant): Advanced {
  const asks: FlowAsk[] = [];
  let now = flow;
  for (;;) {
    const level = currentLevel(now, scope);
    if (level !== now.level) now = { ...now, level, levelAt: Math.max(at, now.notBefore ?? at) };
    for (const dependant of scope.dependants) {
      // What is asked for in this turn is under way, though `known` does not tell yet.
      const isAsked = asks.some((one) => one.dependant === dependant && (one.ask === 'read' || one.ask === 'write'));
      if (isAsked || !isUnderWay(now, dependant, scope)) continue;
      const moved = moveDependant(now, dependant, scope, at);
      now = moved.flow;
      asks.push(...moved.asks);
    }
    if (currentLevel(now, scope) === level)
      return { flow: { ...now, wrote: now.wrote || asks.some(changesOurs) }, asks };
  }
}

/** The next instant at which time alone moves the flow; undefined where it waits for an answer or a verdict. */
export function flowWakeAt(flow: ScaleFlow, scope: FlowScope): Instant | undefined {
  const underWay = scope.dependants.filter((dependant) => isUnderWay(flow, dependant, scope));
  return earliest(
    underWay.flatMap((dependant) => {
      const { key } = dependant;
      const { lateAt, passedAt } = endsOf(flow, dependant, scope);
      return [
        stepWakeAt(flow.steps[key] ?? pending, flow.aim, scope.known[key]),
        flow.late.includes(key) ? undefined : lateAt,
        flow.passed.includes(key) ? undefined : passedAt,
      ];
    }),
  );
}

/** One step of one dependant, and what its time-outs come to. That it is late is said once. */
function moveDependant(flow: ScaleFlow, dependant: Dependant, scope: FlowScope, at: Instant): Advanced {
  const { key } = dependant;
  const { aim } = flow;
  const before = flow.steps[key] ?? pending;
  const { step, asks } = moveStep(before, dependant, scope.known[key], { ...flow, at });
  const { [key]: triedBefore, ...others } = flow.triedAt;
  const without = { ...flow, steps: { ...flow.steps, [key]: step }, triedAt: others };
  if (step.is === 'done' || step.is === 'stuck')
    return { flow: { ...without, passed: flow.passed.filter((one) => one !== key) }, asks };

  // On the way up the replicas have their whole time once they are written.
  const isWritten = aim !== 'down' && step.is === 'settling' && before.is !== 'settling';
  const triedAt = step.is === 'delayed' ? undefined : isWritten ? at : (triedBefore ?? at);
  if (triedAt === undefined) return { flow: without, asks };
  const moved = { ...without, triedAt: { ...others, [key]: triedAt } };
  const { lateAt = Infinity, passedAt = Infinity } = endsOf(moved, dependant, scope);
  const isPassed = at >= passedAt && !flow.passed.includes(key);
  const passed = isPassed ? [...flow.passed, key] : flow.passed;
  if (at < lateAt) return { flow: { ...moved, passed }, asks };
  const late = flow.late.includes(key) ? flow.late : [...flow.late, key];
  const said: FlowAsk[] =
    late === flow.late ? [] : [{ ask: 'sayTimedOut', dependant, timeout: scaleStep(dependant, aim).timeout }];
  // A way up waits for another connected verdict (SPEC 6.1).
  if (aim !== 'down' && step.is === 'settling')
    return { flow: { ...without, steps: { ...flow.steps, [key]: { is: 'stuck' } }, late }, asks: said };
  return { flow: { ...moved, late, passed }, asks: [...asks, ...said] };
}

/** When a dependant that was asked for is late, and on the way down when its level is waited for no longer (SPEC 6.1). */
function endsOf(
  { aim, steps, triedAt }: ScaleFlow,
  dependant: Dependant,
  scope: FlowScope,
): Readonly<{ lateAt?: Instant; passedAt?: Instant }> {
  const since = triedAt[dependant.key];
  if (since === undefined || steps[dependant.key]?.is === 'done') return {};
  const { timeout } = scaleStep(dependant, aim);
  const lateAt = since + timeout;
  const waiting = aim === 'down' ? levelsAfter(dependant, scope) : 0;
  if (waiting === 0) return { lateAt };
  // Each level after this one may need as long as this one has.
  const left = (scope.firstMarkAt ?? Infinity) - waiting * levelTime - since;
  return { lateAt, passedAt: since + Math.min(timeout, levelTime, Math.max(left, leastLevelTime)) };
}

/** How many levels with something that is not at 0 yet come after that of this dependant on the way down. */
function levelsAfter({ scaleDown: { level } }: Dependant, { dependants, known }: FlowScope): number {
  const mayRun = dependants.filter(({ key, scaleDown }) => {
    const view = known[key]?.view ?? null;
    return scaleDown.level > level && (view === null || (view.found && !view.ignored && view.replicas > 0));
  });
  return new Set(mayRun.map(({ scaleDown }) => scaleDown.level)).size;
}

/** What somebody else had scaled to 0 is raised, too, and was no outage of ours (SPEC 6.5). */
function changesOurs(ask: FlowAsk): boolean {
  if (ask.ask !== 'write' || ask.change.replicas === undefined) return false;
  return ask.change.replicas === 0 || ask.seen.marked;
}

/** Its level is the current one, or the flow has gone on without it. Where it had to go back to a lower level meanwhile, that one comes first. */
function isUnderWay(flow: ScaleFlow, dependant: Dependant, scope: FlowScope): boolean {
  const own = scaleStep(dependant, flow.aim).level;
  return own === flow.level || (own < flow.level && isPassedBy(flow, dependant, scope));
}

/**
 * On the way down every second counts. On the way up a wrong order may do harm, so only that is passed by which has what its level is
 * waited for: it runs, and what else is tried is undone each time (SPEC 6.1, 6.8).
 */
function isPassedBy({ aim, passed }: ScaleFlow, { key }: Dependant, { known }: FlowScope): boolean {
  if (aim === 'down') return passed.includes(key);
  const { view, tries } = known[key] ?? unknown;
  return tries?.direction === 'up' && tries.undone && view?.found === true && hasArrived(view, aim);
}

/** The lowest that the flow waits for; else the highest of those that it has gone on without. */
function currentLevel(flow: ScaleFlow, scope: FlowScope): number {
  const open = scope.dependants.filter(({ key }) => (flow.steps[key] ?? pending).is !== 'done');
  const levelOf = (dependant: Dependant): number => scaleStep(dependant, flow.aim).level;
  const awaited = open.filter((dependant) => !isPassedBy(flow, dependant, scope));
  return awaited.length > 0 ? Math.min(...awaited.map(levelOf)) : Math.max(flow.level, ...open.map(levelOf));
}

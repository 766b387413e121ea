import type { ClusterReading } from '../domain/prober/cluster-view.ts';
import { judgeLifecycle } from '../domain/prober/lifecycle.ts';
import { writesAtOnce, type DependantKey } from '../domain/prober/dependant.ts';
import { dueChange, type Aim } from '../domain/prober/due-change.ts';
import { isOlder } from '../domain/resource-version.ts';
import type { ResourceView } from '../domain/prober/resource-view.ts';
import { advanceFlow, beginFlow, failStep, renewFlow, type ScaleFlow } from '../domain/prober/scale-flow.ts';
import { refusedAgain, type FlowAsk, type Known } from '../domain/prober/scale-step.ts';
import type { Instant } from '../domain/time.ts';
import { flowWorld, type Decision, type ShootContext } from './shoot-context.ts';
import type { ShootCommand, ShootEvent } from './shoot-language.ts';

type Of<Type extends ShootEvent['type']> = Extract<ShootEvent, { type: Type }>;

const nothing: Decision = { change: {}, commands: [] };

/** Remembers what the Cluster says, and why the shoot rests if it does (SPEC 3). */
export function keepCluster(context: ShootContext, reading: ClusterReading, rests: boolean): Decision {
  if (!reading.readable) {
    // It was probed unless it rested for a reason; before the first readable Cluster there is none, and no probe.
    const probed = context.cluster !== null && context.pausedBecause === null;
    const interrupted = context.interrupted || probed;
    return paused({ ...context, interrupted }, reading.problem, { interrupted });
  }
  const { cluster } = reading;
  if (!rests) return { change: { cluster, pausedBecause: null, interrupted: false }, commands: [] };
  const lifecycle = judgeLifecycle(cluster);
  const reason = lifecycle.kind === 'start' ? 'the shoot is about to be probed' : lifecycle.reason;
  return paused(context, reason, { cluster, interrupted: false });
}

/** Where the stream of Clusters is out, only what carries our mark goes on upwards, until a verdict was held against the Cluster (SPEC 3.5). */
export function keepClusterWatch(context: ShootContext, { at, live }: Of<'cluster.watched'>): Decision {
  const now = { ...context, clusterLive: live };
  const decision = context.flow?.aim === 'upAll' && !live ? renew(now, 'upOurs', at) : nothing;
  return { ...decision, change: { clusterLive: live, ...decision.change } };
}

/** What a rest does away with: the flow, its writes that still wait, and the counts (S3). */
export function standDown(context: ShootContext): Decision {
  const change: Partial<ShootContext> = {
    flow: null,
    flowWrote: false,
    crossing: null,
    streak: { cutOff: 0, connected: 0 },
    leases: [],
    nonCandidates: [],
  };
  return { change, commands: withdrawals(context) };
}

export function bidFarewell(context: ShootContext): Decision {
  return paused(context, 'the shoot is gone', { cluster: null, interrupted: false });
}

export function keepView(context: ShootContext, { at, key, view, rewound }: Of<'dependant.changed'>): Decision {
  return advance(learn(context, key, view, { at, isVoid: rewound === true }), at);
}

export function keepWatch(context: ShootContext, { at, key, live }: Of<'dependant.watched'>): Decision {
  return advance(withKnown(context, key, { live }), at);
}

/** A late answer to a write is told by its number; nobody waits for it any more. */
export function keepWritten(context: ShootContext, { at, key, number, answer }: Of<'scale.answered'>): Decision {
  if (context.known[key]?.writing !== number) return nothing;
  const after = withKnown(context, key, { writing: null });
  switch (answer.outcome) {
    case 'written':
      return advance(learn(after, key, answer.view, { at }), at);
    case 'missing':
      return advance(learn(after, key, { found: false }, { at }), at);
    case 'withdrawn':
      // Taken back for this flow's sake, the way is free at once. A write of this flow that was not sent is another
      // matter: whoever forbids writing will go on to, and asking again at once would be a loop without an end.
      return isTried(after, key) ? retry(after, key, at, 'write') : advance(after, at);
    case 'conflict':
      return retry(withKnown(after, key, { outdated: true }), key, at, 'conflict');
    case 'failed':
      // It may have been written all the same: what stands there has to be seen before the next try.
      return retry(withKnown(after, key, { outdated: true }), key, at, 'write');
  }
}

export function keepRead(context: ShootContext, { at, key, number, answer }: Of<'read.answered'>): Decision {
  const known = context.known[key];
  if (known?.reading !== number) return nothing;
  const after = withKnown(context, key, { reading: null, outdated: false, heardAt: at });
  switch (answer.outcome) {
    case 'read':
      // A GET tells how it is. Where that is older than what was known when it was asked, the seed was restored from a backup.
      return advance(learn(after, key, answer.view, { at, isVoid: !known.overtaken }), at);
    case 'refused': {
      const refused = withKnown(after, key, { refusal: refusedAgain(known, at) });
      const { change, commands } = advance(refused, at);
      const note: ShootCommand = { type: 'note', params: { kind: 'dependantRefused', key, detail: answer.detail } };
      return { change, commands: known.refusal === null ? [note, ...commands] : commands };
    }
    case 'failed':
      // An old view still serves: a write that goes by it is refused if it is too old.
      return known.view === null ? retry(after, key, at, 'read') : advance(after, at);
  }
}

/** A fresh flow; writes of the last one that still wait are taken back, those that were sent are waited for (SPEC 6.3). */
export function begin(context: ShootContext, aim: Aim, at: Instant): Decision {
  const flow = beginFlow(aim, flowWorld(context), at);
  const known = aim === 'down' ? asksAnew(context.known, at) : context.known;
  const { change, commands } = advance({ ...context, known, flow, flowWrote: false }, at);
  return { change, commands: [...withdrawals(context), ...commands] };
}

export function renew(context: ShootContext, aim: Aim, at: Instant): Decision {
  if (context.flow === null) return nothing;
  return advance({ ...context, flow: renewFlow(context.flow, aim, flowWorld(context)) }, at);
}

/** Lets the flow take every step that is possible now. */
export function advance(context: ShootContext, at: Instant): Decision {
  if (context.flow === null) return { change: { known: context.known, flow: null }, commands: [] };
  const { flow, asks } = advanceFlow(context.flow, flowWorld(context), at);
  return command({ ...context, flow }, asks);
}

/** What may not be read may be granted by now: a way down that left it out would be one for nothing. */
function asksAnew(known: ShootContext['known'], at: Instant): ShootContext['known'] {
  const asked = ({ refusal, ...one }: Known): Known => ({ ...one, refusal: refusal && { ...refusal, againAt: at } });
  return Object.fromEntries(Object.entries(known).map(([key, one]) => [key, asked(one)]));
}

/**
 * Everything is down by our hand; said once for each crossing, whatever has to be taken down again (SPEC 9.2). Of what may
 * not be read nobody can say that it is down.
 */
export function sayShielded({ crossing, flowWrote, known }: ShootContext): Decision {
  if (crossing === null || crossing.said || !flowWrote) return nothing;
  if (Object.values(known).some(({ refusal }) => refusal !== null)) return nothing;
  const { crossedAt, firstMarkAt } = crossing;
  return {
    change: { crossing: { ...crossing, said: true } },
    commands: [{ type: 'note', params: { kind: 'shielded', crossedAt, firstMarkAt } }],
  };
}

/** Whether a flow with this aim would have anything to do, or to find out (SPEC 6.2). */
export function isAnythingDue(context: ShootContext, aim: Aim): boolean {
  return context.config.dependants.some(({ key, ref }) => {
    const known = context.known[key];
    if (known === undefined) return false;
    if (known.writing !== null) return true;
    // What may not be read is asked for by the probes, with growing pauses; a way down asks once for itself (SPEC 6.8).
    if (known.view === null || known.outdated) return known.refusal === null || aim === 'down';
    return dueChange(known.view, aim, writesAtOnce(ref)) !== undefined;
  });
}

function retry(
  context: ShootContext,
  key: DependantKey,
  at: Instant,
  failure: 'read' | 'write' | 'conflict',
): Decision {
  const dependant = context.config.dependants.find((one) => one.key === key);
  if (context.flow === null || dependant === undefined) return advance(context, at);
  const { flow, asks } = failStep(context.flow, dependant, at, failure);
  const said = command({ ...context, flow }, asks);
  const moved = advance({ ...context, ...said.change }, at);
  return { change: { ...said.change, ...moved.change }, commands: [...said.commands, ...moved.commands] };
}

function isTried({ flow }: ShootContext, key: DependantKey): boolean {
  const step = flow?.steps[key];
  return step?.is === 'waiting' && step.wrote;
}

/** Numbers what the flow asks for, and remembers that it is under way. */
function command(context: ShootContext & { flow: ScaleFlow }, asks: readonly FlowAsk[]): Decision {
  const urgent = context.flow.aim === 'down';
  const direction = urgent ? 'down' : 'up';
  const commands: ShootCommand[] = [];
  const known: Record<DependantKey, Known> = { ...context.known };
  let { numbered, flowWrote } = context;

  for (const wanted of asks) {
    const { key, ref } = wanted.dependant;
    const one = known[key];
    if (one === undefined) continue;
    switch (wanted.ask) {
      case 'write': {
        const number = ++numbered;
        const { seen, change } = wanted;
        known[key] = { ...one, writing: number };
        flowWrote ||= change.replicas !== undefined;
        commands.push({ type: 'scale', params: { number, key, ref, seen, change, urgent } });
        break;
      }
      case 'read':
        known[key] = { ...one, reading: ++numbered, slow: !urgent, overtaken: false };
        commands.push({ type: 'read', params: { number: numbered, key, ref, urgent } });
        break;
      case 'sayTimedOut':
        commands.push({ type: 'note', params: { kind: 'stepTimedOut', key, direction, timeout: wanted.timeout } });
        break;
      case 'sayUnreadable':
        commands.push({ type: 'note', params: { kind: 'recordUnreadable', key, record: wanted.record } });
        break;
    }
  }
  return { change: { flow: context.flow, known, numbered, flowWrote }, commands };
}

/** Takes the view unless something newer is known: our own answers may outrun the watch (SPEC 6.6). Where that `isVoid`, it does not count. */
function learn(
  context: ShootContext,
  key: DependantKey,
  view: ResourceView,
  { at, isVoid = false }: Readonly<{ at: Instant; isVoid?: boolean }>,
): ShootContext {
  const seen = context.known[key]?.view;
  if (seen != null && !isVoid && isOlder(view.resourceVersion, seen.resourceVersion)) return context;
  const moved = view.resourceVersion === undefined || view.resourceVersion !== seen?.resourceVersion;
  const learned = { view, overtaken: true, heardAt: at, refusal: null };
  return withKnown(context, key, moved ? { ...learned, outdated: false } : learned);
}

function withKnown(context: ShootContext, key: DependantKey, change: Partial<Known>): ShootContext {
  const known = context.known[key];
  // A dependant that is not configured is none of ours.
  return known === undefined ? context : { ...context, known: { ...context.known, [key]: { ...known, ...change } } };
}

function withdrawals(context: ShootContext): readonly ShootCommand[] {
  return Object.values(context.known).flatMap(({ writing }) =>
    writing === null ? [] : [{ type: 'withdraw' as const, params: { number: writing } }],
  );
}

function paused(context: ShootContext, reason: string, change: Partial<ShootContext>): Decision {
  const said = context.pausedBecause === reason;
  return {
    change: { ...change, pausedBecause: reason },
    commands: said ? [] : [{ type: 'note', params: { kind: 'paused', reason } }],
  };
}

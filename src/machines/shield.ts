import { backoff, type Backoff } from '../domain/backoff.ts';
import type { DependantKey } from '../domain/prober/dependant.ts';
import type { Aim } from '../domain/prober/due-change.ts';
import { advanceFlow, beginFlow, isFinished, renewFlow, type ScaleFlow } from '../domain/prober/scale-flow.ts';
import { dueFor, isUpToDate, type FlowAsk, type KnownDependant } from '../domain/prober/scale-step.ts';
import { sent } from '../domain/prober/tries.ts';
import type { Instant, Millis } from '../domain/time.ts';
import {
  flowScope,
  leasePolicy,
  note,
  remember,
  type Decision,
  type Descents,
  type ShootContext,
} from './shoot-context.ts';
import type { ShootCommand, ShootCommands, ShootEventOf } from './shoot-language.ts';

/** While the stream of Clusters is out, a way up goes on only with what carries our mark, until a verdict was checked against the Cluster (SPEC 3.5). */
export function recordClusterWatch(context: ShootContext, { at, live }: ShootEventOf<'cluster.watched'>): Decision {
  const now = { ...context, clusterLive: live };
  return context.flow?.aim === 'upAll' && !live ? renew(now, 'upOurs', at) : remember(now);
}

/** A fresh flow. Writes of the last one that still wait are taken back, those that were sent are waited for (SPEC 6.3). */
export function begin(context: ShootContext, aim: Aim, at: Instant): Decision {
  const known = aim === 'down' ? asksAnew(context.known, at) : context.known;
  const wait = aim === 'down' ? 0 : waitOfReturn(context, at);
  // Its levels begin that much later: a delay holds up nothing else.
  const begun = { ...beginFlow(aim, flowScope(context), at), ...clusterServes(aim, at) };
  const flow = wait === 0 ? begun : { ...begun, levelAt: at + wait, notBefore: at + wait };
  const { commands, ...decision } = advance({ ...context, known, flow }, at);
  const waits =
    wait === 0 ? [] : [note({ kind: 'returnWaits', until: at + wait, descents: context.descents?.count ?? 0 })];
  return { ...decision, commands: [...withdrawals(context), ...commands, ...waits] };
}

/** Without a scale-down for so long, a shoot no longer comes and goes (SPEC 6.5). As the log has it (SPEC 9.4). */
const comesAndGoesFor: Millis = 600_000;

/** Kubelets renew, and a gateway that is restarted is back, within some ten seconds. More than two minutes nobody's pods should wait to be placed. */
export const returnWait: Backoff = { first: 15_000, longest: 120_000 };

function waitOfReturn({ descents, known }: ShootContext, at: Instant): Millis {
  if (descents === null || descents.count < 2 || at - descents.lastAt >= comesAndGoesFor) return 0;
  return isHeldDown(known) ? backoff(descents.count - 1, returnWait) : 0;
}

/** Something is at 0 by our hand. */
function isHeldDown(known: ShootContext['known']): boolean {
  return Object.values(known).some(({ view }) => view?.found === true && view.marked && view.replicas === 0);
}

/** What was refused came to nothing, and what somebody else raised in the outage comes down once more in the same one. */
function descentsAfter({ descents, known, outage }: ShootContext, { wrote, beganAt }: ScaleFlow): Descents | null {
  if (!wrote || outage?.raisedAt !== undefined || !isHeldDown(known)) return descents;
  const goesOn = descents !== null && beganAt - descents.lastAt < comesAndGoesFor;
  return { lastAt: beganAt, count: goesOn ? descents.count + 1 : 1 };
}

export function renew(context: ShootContext, aim: Aim, at: Instant): Decision {
  if (context.flow === null) return remember(context);
  const flow = { ...renewFlow(context.flow, aim, flowScope(context)), ...clusterServes(aim, at) };
  return advance({ ...context, flow }, at);
}

/** Two probes of a shoot on its way up, and the time that they take. Where none is answered, or a delay is long, the Cluster of the last verdict is old. */
const clusterLasts: Millis = 12_000;

function clusterServes(aim: Aim, at: Instant): Pick<ScaleFlow, 'clusterUntil'> {
  return aim === 'upAll' ? { clusterUntil: at + clusterLasts } : {};
}

/** Lets the flow take every step that is possible now. */
export function advance(context: ShootContext, at: Instant): Decision {
  if (context.flow === null) return remember(context);
  const { flow, asks } = advanceFlow(context.flow, flowScope(context), at);
  return command({ ...context, flow }, asks, at);
}

/**
 * Ends the flow, and says what a finished one has brought about. That all is down is said once for each crossing,
 * whatever has to be taken down again (SPEC 9.2).
 */
export function endFlow(context: ShootContext): Decision {
  const { flow, outage } = context;
  const descents = flow?.aim === 'down' ? descentsAfter(context, flow) : context.descents;
  const after = { ...context, flow: null, descents };
  if (flow === null || !isFinished(flow, flowScope(context))) return remember(after);
  if (flow.aim !== 'down')
    return remember(after, flow.wrote ? [note({ kind: 'restored', begunAt: flow.beganAt })] : []);
  if (outage === null || (outage.stage === 'shielded' && outage.raisedAt === undefined)) return remember(after);
  // What may not be read may be running: nobody can say that all is down.
  const allSeen = Object.values(context.known).every(({ refusal }) => refusal === null);
  if (!flow.wrote || !allSeen) return recordAllDown(after);
  const { raisedAt, ...first } = outage;
  const { crossedAt, firstMarkAt } = first;
  const when =
    raisedAt === undefined
      ? { crossedAt, firstMarkAt }
      : { again: true as const, crossedAt: raisedAt, firstMarkAt: raisedAt + leasePolicy(context).grace };
  const shielded = note({ kind: 'shielded', ...when, ...judgedBy(context) });
  return remember({ ...after, outage: { ...first, stage: 'shielded' } }, [shielded]);
}

/** All is down without a scale-down of this outage: whatever is scaled down later in it decides nothing any more. */
export function recordAllDown(context: ShootContext): Decision {
  const { outage } = context;
  if (outage?.stage !== 'crossed') return remember(context);
  return remember({ ...context, outage: { ...outage, stage: 'decided' } });
}

/** Whether a flow with this aim would have anything to do, or to find out (SPEC 6.2). */
export function isAnythingDue(context: ShootContext, aim: Aim): boolean {
  return context.config.dependants.some((dependant) => {
    const known = context.known[dependant.key];
    if (known === undefined) return false;
    if (known.writing !== null) return true;
    // What may not be read is asked for by the probes, with back-off; a way down asks once for itself (SPEC 6.8).
    if (!isUpToDate(known)) return known.refusal === null || aim === 'down';
    return dueFor(dependant, known, aim) !== undefined;
  });
}

/** Takes back every write that still waits for the rate limit. */
export function withdrawals(context: ShootContext): readonly ShootCommand[] {
  return Object.values(context.known).flatMap(({ writing }) =>
    writing === null ? [] : [{ type: 'withdraw' as const, params: { number: writing } }],
  );
}

/** A permission to read may have been granted meanwhile: a way down tries again at once. */
function asksAnew(known: ShootContext['known'], at: Instant): ShootContext['known'] {
  const asked = ({ refusal, ...one }: KnownDependant): KnownDependant => ({
    ...one,
    refusal: refusal && { ...refusal, againAt: at },
  });
  return Object.fromEntries(Object.entries(known).map(([key, one]) => [key, asked(one)]));
}

/** Said of an outage only where two paths told of it. */
function judgedBy({ paths }: ShootContext): Readonly<{ paths?: true }> {
  return paths === undefined ? {} : { paths: true };
}

/** What the last verdict counted. One that may end this way down tells nothing of why it began. */
function causeOf({ seen, paths, streak, config }: ShootContext): Pick<ShootCommands['scale'], 'leases' | 'external'> {
  if (paths !== undefined)
    return streak.of === 'cutOff' ? { external: { count: streak.count, of: config.failureThreshold } } : {};
  return seen === null || seen.counted === null ? {} : { leases: seen.counted };
}

/** Numbers what the flow asks for, and remembers that it is under way. */
function command(context: ShootContext & { flow: ScaleFlow }, asks: readonly FlowAsk[], at: Instant): Decision {
  const urgent = context.flow.aim === 'down';
  const direction = urgent ? 'down' : 'up';
  const because = urgent ? causeOf(context) : {};
  const by = urgent && context.outage !== null ? { by: context.outage.firstMarkAt } : {};
  const commands: ShootCommand[] = [];
  const known: Record<DependantKey, KnownDependant> = { ...context.known };
  let { numbered, outage } = context;

  for (const wanted of asks) {
    const { key, ref } = wanted.dependant;
    const one = known[key];
    if (one === undefined) continue;
    switch (wanted.ask) {
      case 'write': {
        const number = ++numbered;
        const { seen, change } = wanted;
        known[key] = { ...one, writing: number, tries: sent(one.tries, direction, wanted, at) };
        commands.push({ type: 'scale', params: { number, key, ref, seen, change, urgent, ...by, ...because } });
        // A left-over mark that is taken away brings nothing down.
        if (urgent && change.mark !== false && outage?.stage === 'crossed') {
          commands.push(note({ kind: 'decided', crossedAt: outage.crossedAt, ...judgedBy(context) }));
          outage = { ...outage, stage: 'decided' };
        }
        break;
      }
      case 'read':
        // While the seed asks for patience, one more would wait with each probe.
        if (one.reading !== null) commands.push({ type: 'withdraw', params: { number: one.reading.number } });
        known[key] = {
          ...one,
          reading: { number: ++numbered, bucket: urgent ? 'urgent' : 'ordinary', overtaken: false },
        };
        commands.push({ type: 'read', params: { number: numbered, key, ref, urgent, ...by } });
        break;
      case 'sayTimedOut':
        commands.push(note({ kind: 'stepTimedOut', key, direction, timeout: wanted.timeout }));
        break;
      case 'sayUnreadable':
        commands.push(note({ kind: 'recordUnreadable', key, record: wanted.record }));
        break;
    }
  }
  return { context: { ...context, known, numbered, outage }, commands };
}

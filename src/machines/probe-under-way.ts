import type { ClusterAnswer } from '../domain/prober/cluster-view.ts';
import type { Instant, Millis } from '../domain/time.ts';
import type { AskedProbe, MachineEvent, ShootContext } from './shoot-context.ts';

/** An effect that has not answered so long after its deadline never will. The probe then counts as failed. */
const lostAfter: Millis = 1_000;

/** Undefined where none was asked. */
export function probeLostAt({ probe: { asked } }: ShootContext): Instant | undefined {
  return asked === null ? undefined : asked.deadlineAt + lostAfter;
}

type Answer = Readonly<{ number: number; at: Instant }>;

/**
 * Whether this is of the probe that is under way, and in its time. A process that stood still takes what came meanwhile before its timers fire: that
 * tells how the shoot was, and the probe is lost (SPEC 4.4).
 */
export function isCurrentProbe({ probe: { asked } }: ShootContext, { number, at }: Answer): boolean {
  return asked !== null && number === asked.number && at < asked.deadlineAt + lostAfter;
}

/** What a GET showed of the Cluster that this probe waits for; what the stream has told since it was asked for wins (SPEC 3.5). */
export function clusterGot(context: ShootContext, event: MachineEvent): ClusterAnswer | undefined {
  if (event.type !== 'candidates.answered' && event.type !== 'cluster.answered') return undefined;
  return isCurrentProbe(context, event) && context.probe.asked?.cluster === 'asked' ? event.cluster : undefined;
}

/** The probe that is under way from now on. */
export function beginProbe(
  context: ShootContext,
  at: Instant,
  patience: Millis,
): Readonly<{ context: ShootContext; asked: AskedProbe }> {
  const number = context.numbered + 1;
  const asked: AskedProbe = { number, askedAt: at, deadlineAt: at + patience };
  return { context: { ...context, numbered: number, probe: { ...context.probe, asked } }, asked };
}

import type { LookupFunction } from 'node:net';
import type { ProbeStage } from '../../domain/probe-failure.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant } from '../../domain/time.ts';
import type { Answer, Clock } from '../../effects/ports.ts';
import { joinedLookup } from './joined-lookup.ts';
import { operatorLine } from '../words/operator-line.ts';
import { garbled, ProbeFailed } from './probe-failed.ts';
import { shootAccesses, type KubeconfigText } from './shoot-access.ts';
import { shootConnection, type ShootConnection } from './shoot-connection.ts';
import { longestAttempt, shortestAttempt, startsInTurn } from './shoot-limits.ts';
import { turnstile } from './turnstile.ts';

export type ShootProbeOptions = Readonly<{
  /** What the watch on the Secrets holds; asked anew for each probe (SPEC 4.1). Undefined where there is none. */
  kubeconfigOf: (shoot: ShootNamespace) => KubeconfigText | undefined;
  clock: Clock;
  /** Told of each request to a shoot: its status, or the ProbeFailureReason for which there is none. */
  onRequest: (seen: Readonly<{ code: string }>) => void;
  /** Stands in for the machine's resolver. */
  lookup?: LookupFunction;
}>;

export type ShootProbe = Readonly<{
  shoot: ShootNamespace;
  deadlineAt: Instant;
  signal: AbortSignal;
  /** Where the probe begins. */
  stage: ProbeStage;
  /** All that it may receive. */
  mostBytes: number;
}>;

/** Work on a fresh connection; `enter` says which stage comes next. */
export type ShootWork<Value> = (connection: ShootConnection, enter: (stage: ProbeStage) => void) => Promise<Value>;

// Made once: an error is dear to make, and each probe ends with one of these.
const timeIsUp = new ProbeFailed({ reason: 'timeout', detail: 'the shoot had not answered by the probe’s deadline' });
const givenUp = new ProbeFailed({ reason: 'timeout', detail: 'the probe was given up' });

/**
 * Gives what carries out one probe: opens its connection, ends it at the deadline (SPEC 4.3), and makes an answer of whatever
 * happened. The look-up of the name is bounded like the rest: it is no longer waited for, though a thread may still hang in it.
 */
export function shootProbes(
  options: ShootProbeOptions,
): <Value>(probe: ShootProbe, work: ShootWork<Value>) => Promise<Answer<Value>> {
  const { clock, onRequest } = options;
  const lookup = joinedLookup(options.lookup);
  const pass = turnstile(startsInTurn);
  const accessOf = shootAccesses(options.kubeconfigOf);

  const carryOut = async <Value>(
    { shoot, deadlineAt, signal, mostBytes }: ShootProbe,
    work: (connection: ShootConnection) => Promise<Value>,
  ): Promise<Value> => {
    await pass();
    const timeLeft = deadlineAt - clock.now();
    if (timeLeft <= 0 || signal.aborted) throw timeIsUp;
    const connection = shootConnection({
      access: accessOf(shoot),
      // An instant may carry a fraction; this must not.
      attemptTimeout: Math.min(longestAttempt, Math.max(shortestAttempt, Math.round(timeLeft / 4))),
      mostBytes,
      now: () => clock.now(),
      onRequest,
      lookup,
    });
    const abort = () => connection.cut(givenUp);
    const deadline = clock.wakeAt(deadlineAt).subscribe(() => connection.cut(timeIsUp));
    signal.addEventListener('abort', abort);
    try {
      return await work(connection);
    } finally {
      deadline.unsubscribe();
      signal.removeEventListener('abort', abort);
      connection.cut(givenUp);
    }
  };

  return async (probe, work) => {
    let stage = probe.stage;
    try {
      const value = await carryOut(probe, (connection) =>
        work(connection, (next) => {
          stage = next;
        }),
      );
      return { ok: true, value };
    } catch (error) {
      return { ok: false, failure: { stage, ...failureOf(error) } };
    }
  };
}

/** What is no ProbeFailed is a bug of ours in reading an answer that somebody else chose: it must cost that shoot its probe, and no more. */
function failureOf(error: unknown): ProbeFailed['failure'] {
  if (error instanceof ProbeFailed) return error.failure;
  return garbled(`reading the answer failed: ${operatorLine(String(error))}`).failure;
}

import { isIP, type LookupFunction } from 'node:net';
import type { ProbeStage } from '../../domain/prober/probe-failure.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Answer, Clock } from '../../effects/ports.ts';
import { operatorLine } from '../words/secrets.ts';
import { garbled, ProbeFailed } from '../reading/probe-failed.ts';
import { withDeadline } from '../clock/deadline.ts';
import {
  longestAttempt,
  mostOutsideLookups,
  mostSlowLookups,
  shortestAttempt,
  startsInTurn,
} from '../reading/shoot-limits.ts';
import { pacer } from '../reading/pacer.ts';
import { joinedLookup } from './joined-lookup.ts';
import { shootAccesses, type KubeconfigSource, type ProbeSecret } from './shoot-access.ts';
import { shootConnection, type Connect, type ShootConnection } from './shoot-connection.ts';

export type ShootProbeOptions = Readonly<{
  kubeconfigOf: KubeconfigSource;
  clock: Clock;
  /** Called for each request to a shoot with its status, or with the ProbeFailureReason where there is none. */
  onRequest: (seen: Readonly<{ code: string }>) => void;
  /** Replaces the machine's resolver. */
  lookup?: LookupFunction;
  /** Replaces TLS. */
  connect?: Connect | undefined;
}>;

export type ShootProbe = Readonly<{
  shoot: ShootNamespace;
  /** The one with the kubeconfig. */
  secret: ProbeSecret;
  deadlineAt: Instant;
  /** When its answer is needed; of those that wait, the ones that are needed sooner begin first. */
  by?: Instant | undefined;
  signal: AbortSignal;
  /** The first part opens the connection. The last part goes on with it where the first has just been answered. `only`: one part is all. */
  part: 'first' | 'last' | 'only';
  /** The first stage of this part. */
  stage: ProbeStage;
  /** For everything that it receives. */
  mostBytes: number;
}>;

/** The work on a connection of this probe. It calls `enter` when the next stage begins. */
export type ShootWork<Value> = (connection: ShootConnection, enter: (stage: ProbeStage) => void) => Promise<Value>;

// Made only once: an error is expensive to make, and each probe ends with one of these.
const timeIsUp = new ProbeFailed({ reason: 'timeout', detail: "the shoot had not answered by the probe's deadline" });
const tooLate = new ProbeFailed({
  reason: 'local',
  detail: 'this machine was too late to ask: the path had less than half of its time',
});
const unresolved = new ProbeFailed({
  reason: 'local',
  detail: "this machine's resolver had not answered by the deadline",
});
const setBack = new ProbeFailed({ reason: 'local', detail: "this machine's clock was set back meanwhile" });
const givenUp = new ProbeFailed({ reason: 'timeout', detail: 'the probe was given up' });

/**
 * Returns a function that carries out one part of a probe: it opens the connection or goes on with it, ends it at the deadline
 * (SPEC 4.3), and makes an answer of everything that happens. The look-up of the name is bounded too: after the deadline nobody waits for
 * it, though a thread may still hang in it.
 */
export function shootProbes(
  options: ShootProbeOptions,
): <Value>(probe: ShootProbe, work: ShootWork<Value>) => Promise<Answer<Value>> {
  const { clock, onRequest, connect = shootConnection } = options;
  const lookup = joinedLookup(clock, options.lookup);
  const outside = { most: mostOutsideLookups, mostSlow: mostSlowLookups };
  const outsideLookup = joinedLookup(clock, options.lookup, outside);
  const pass = pacer(startsInTurn);
  const turn = pacer(1);
  const accessOf = shootAccesses(options.kubeconfigOf);

  // If the nodes are listed right after the leases, that is still the same probe, and the handshake would be half of its
  // cost. No connection is kept longer: it may be dead a moment later, and would look like an outage.
  const idle = idlePool<ShootConnection>((connection) => connection.close());

  /** `onAddress` is called when the address is known, and so all that is waited for is the shoot. */
  const connectionTo = (
    { shoot, secret, stage }: ShootProbe,
    timeLeft: Millis,
    onAddress: () => void,
  ): ShootConnection => {
    const access = accessOf(shoot, secret);
    if (isIP(access.credentials.server.host) !== 0) onAddress();
    const find = stage === 'external' ? outsideLookup : lookup;
    return connect({
      access,
      // An instant may carry a fraction; this must not.
      attemptTimeout: Math.min(longestAttempt, Math.max(shortestAttempt, Math.round(timeLeft / 4))),
      now: () => clock.now(),
      onRequest,
      lookup: (name, how, found, recalled) => {
        let isOld = false;
        const tell: typeof found = (...answer) => {
          if (!isOld) onAddress();
          found(...answer);
        };
        const recall: typeof recalled = (told) => {
          isOld = true;
          void told.then(({ answer }) => answer[0] === null && onAddress());
          recalled?.(told);
        };
        find(name, how, tell, recalled && recall);
      },
      turn,
    });
  };

  const carryOut = async <Value>(
    probe: ShootProbe,
    work: (connection: ShootConnection) => Promise<Value>,
  ): Promise<Value> => {
    const { shoot, deadlineAt, by, signal, part, mostBytes } = probe;
    const answered = part === 'last' ? idle.take(shoot) : undefined;
    const wantedAt = clock.now();
    if (answered === undefined) await pass(by, wantedAt);
    const timeLeft = deadlineAt - clock.now();
    if (timeLeft <= 0 || signal.aborted) {
      answered?.cut(givenUp);
      throw part === 'only' ? tooLate : timeIsUp;
    }
    let addressAt: Instant | undefined;
    const onAddress = (): void => {
      addressAt = clock.now();
    };
    const connection = answered ?? connectionTo(probe, timeLeft, onAddress);
    connection.allow(mostBytes);
    // A path is judged by its own silence: the time that this machine or its resolver took does not count against it (SPEC 4.9).
    const timeOut = (): ProbeFailed => {
      if (part !== 'only') return timeIsUp;
      if (addressAt === undefined) return unresolved;
      return deadlineAt - addressAt <= (deadlineAt - wantedAt) / 2 ? tooLate : timeIsUp;
    };
    return withDeadline(clock, deadlineAt, signal, async (cut) => {
      const end = () => connection.cut(cut.reason === 'deadline' ? timeOut() : givenUp);
      // The deadline may have passed while the connection was prepared. A signal that is aborted calls nobody any more.
      if (cut.aborted) end();
      else cut.addEventListener('abort', end);
      try {
        const value = await work(connection);
        // The shoot's clock would seem to differ from ours by that step, and its leases to have expired (SPEC 4.4).
        if (clock.now() < wantedAt) throw setBack;
        if (part === 'first') idle.keep(shoot, connection);
        else connection.close();
        return value;
      } catch (error) {
        connection.cut(givenUp);
        throw error;
      }
    });
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

/** Any other error is a bug of ours in reading an answer that a stranger chose. It must cost that shoot its probe, and nothing else. */
function failureOf(error: unknown): ProbeFailed['failure'] {
  if (error instanceof ProbeFailed) return error.failure;
  return garbled(`reading the answer failed: ${operatorLine(String(error))}`).failure;
}

/** Keeps each connection until the work of this turn of the event loop is done, and then closes those that nobody has taken. */
function idlePool<Kept>(close: (kept: Kept) => void) {
  const all = new Map<string, Kept>();
  const closeAll = (): void => {
    const left = [...all.values()];
    all.clear();
    for (const one of left) close(one);
  };

  return {
    keep(key: string, kept: Kept): void {
      const before = all.get(key);
      if (before !== undefined) close(before);
      if (all.size === 0) setImmediate(closeAll);
      all.set(key, kept);
    },
    /** Hands the connection over to this caller alone; undefined where there is none, or it was closed. */
    take(key: string): Kept | undefined {
      const kept = all.get(key);
      all.delete(key);
      return kept;
    },
  };
}

import { hasTwoPaths, type ProberConfig } from '../../domain/prober/prober-config.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { Turn, Turns } from '../../effects/turn.ts';
import type { Languages } from '../../machines/kinds.ts';
import { byKind } from '../record/facts/turns.ts';
import type { Reply, Route } from './http-server.ts';

/** Whether the process does its work (SPEC 9.3), as `/healthz` and `/readyz` tell it. */
export type Health = Readonly<{
  /** Every turn is a sign of life. */
  observe(turn: Turn): void;
  /** The first lists of the seed are in; said once. */
  ready(): void;
  routes: Readonly<Record<'/healthz' | '/readyz', Route>>;
}>;

/** Longer than a probed shoot can be without a turn: the longest pause before a probe, and a minute of reserve. */
export function longestSilence(config: ProberConfig): Millis {
  const { initialDelay, probeInterval, probeTimeout, backoffJitterFactor } = config;
  const heldBack: Millis = 60_000;
  const leftAlone = hasTwoPaths(config) ? config.internalProbeFailureBackOffDuration : 0;
  return Math.max(initialDelay, probeInterval, heldBack, leftAlone) * (1 + backoffJitterFactor) + probeTimeout + 60_000;
}

/** Longer than a service with an open window can be without a turn, since the window's end is one; and a minute of reserve. */
export function longestWeederSilence({ watchDuration }: WeederConfig): Millis {
  return watchDuration + 60_000;
}

/** By kind of machine, the states in which its next turn comes by itself, whatever the world does. */
const owingStates: { readonly [Kind in keyof Languages]: Readonly<Record<Languages[Kind]['State'], boolean>> } = {
  shoot: { idle: false, probing: true, leaseFailed: true, scalingDown: true, scaledDown: true, scalingUp: true },
  weeder: { down: false, recovering: true, relapsed: true, settled: false },
};

type HealthOptions = Readonly<{
  clock: Readonly<{ now(): Instant }>;
  longestSilence: Millis;
  /** Says which of the first lists are missing, and why; empty where that is not known. */
  missing?: () => string;
}>;

/**
 * A process that answers here has an event loop that runs. Its machines could still be dead: the process is sick when a
 * turn is owed (a shoot is to be probed, a window is open) and none was taken for `longestSilence`.
 */
export function createHealth(options: HealthOptions): Health {
  const { clock, missing = () => '' } = options;
  const owing = new Set<string>();
  let lastTurnAt = clock.now();
  let ready = false;

  const isOwed = byKind<Turns, boolean>({
    shoot: ({ event, to }) => event.type !== 'ended' && owingStates.shoot[to],
    weeder: ({ event, to }) => event.type !== 'ended' && owingStates.weeder[to],
  });
  const isTurning = () => owing.size === 0 || clock.now() - lastTurnAt <= options.longestSilence;
  return {
    observe(turn) {
      // Not the turn's own instant: it counts that the turn was told just now.
      lastTurnAt = clock.now();
      if (isOwed(turn)) owing.add(turn.subject);
      else owing.delete(turn.subject);
    },
    ready() {
      ready = true;
    },
    routes: {
      '/healthz': (query) => reply(query, 'turns', isTurning(), 'there is work to do, and no turn was taken'),
      '/readyz': (query) =>
        reply(query, 'lists', ready, `the first lists of the seed are not in yet${colon(missing())}`),
    },
  };
}

function colon(text: string): string {
  return text === '' ? '' : `: ${text}`;
}

/** As Kubernetes' own components answer; `?verbose` names the check. */
function reply(query: URLSearchParams, check: string, ok: boolean, problem: string): Reply {
  const verdict = ok ? `[+]${check} ok\n` : `[-]${check} failed: ${problem}\n`;
  return {
    status: ok ? 200 : 503,
    contentType: 'text/plain; charset=utf-8',
    body: ok && !query.has('verbose') ? 'ok' : verdict,
  };
}

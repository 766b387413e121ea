import type { ProberConfig } from '../../domain/prober-config.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { Reply, Route } from './http-server.ts';

/** Whether the process does its work (SPEC 9.3), as `/healthz` and `/readyz` tell it. */
export type Health = Readonly<{
  /** Every turn is a sign of life. */
  observe(turn: ShootTurn): void;
  /** The first lists of the seed are in; said once. */
  ready(): void;
  routes: Readonly<Record<'/healthz' | '/readyz', Route>>;
}>;

/** Longer than any probed shoot can be without a turn: whatever holds a probe back, and a minute for good measure. */
export function longestSilence({
  initialDelay,
  probeInterval,
  probeTimeout,
  backoffJitterFactor,
}: ProberConfig): Millis {
  const heldBack: Millis = 60_000;
  return Math.max(initialDelay, probeInterval, heldBack) * (1 + backoffJitterFactor) + probeTimeout + 60_000;
}

/**
 * A process that answers here has an event loop that turns; what could still be dead is what it is there for. So it is
 * sick when there are shoots to be probed and none has had a turn for `longestSilence`.
 */
export function createHealth(
  options: Readonly<{ clock: Readonly<{ now(): Instant }>; longestSilence: Millis }>,
): Health {
  const { clock } = options;
  const probed = new Set<ShootNamespace>();
  let lastTurnAt = clock.now();
  let ready = false;

  const isTurning = () => probed.size === 0 || clock.now() - lastTurnAt <= options.longestSilence;
  return {
    observe({ shoot, event, to }) {
      // Not the turn's own instant: what counts is that it was told just now.
      lastTurnAt = clock.now();
      if (event.type === 'ended' || to === 'idle') probed.delete(shoot);
      else probed.add(shoot);
    },
    ready() {
      ready = true;
    },
    routes: {
      '/healthz': (query) => reply(query, 'turns', isTurning(), 'shoots are to be probed, and no turn was taken'),
      '/readyz': (query) => reply(query, 'lists', ready, 'the first lists of the seed are not in yet'),
    },
  };
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

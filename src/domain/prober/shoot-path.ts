import type { Instant, Millis } from '../time.ts';
import type { ProbeFailure } from './probe-failure.ts';

/** A way to a shoot's API server (SPEC 4.9): `internal` straight to its service, `external` through the load balancer, as the kubelets go. */
export type ShootPath = 'internal' | 'external';

/** What a question on a path told. `untold`: it never came to the network, so it says nothing about the path. */
export type PathTold = 'answered' | 'failed' | 'untold';

/** What came of one question on the way out; undefined where the API server answered it (SPEC 4.9). */
export function judgePath(failure: ProbeFailure | undefined): PathTold {
  switch (failure?.reason) {
    case undefined:
    // An API server that refuses us, or is busy, was reached all the same.
    case 'unauthorized':
    case 'throttled':
      return 'answered';
    case 'kubeconfig':
    case 'local':
      return 'untold';
    case 'unreachable':
    case 'certificate':
    case 'timeout':
    case 'refused':
    case 'garbled':
    case 'tooLarge':
      return 'failed';
  }
}

/** So many times in a row, of so many that it takes. */
export type PathCount = Readonly<{ count: number; of: number }>;

/** What both paths come to where the internal one answers (SPEC 4.9). `external`: how often in a row the external one has failed, or answered. */
export type PathVerdict =
  | Readonly<{
      kind: 'cutOff';
      external: PathCount;
      /** When the first of the questions was asked that failed. */
      crossedAt: Instant;
      /** When the kube-controller-manager would mark the first node at the earliest. */
      firstMarkAt: Instant;
    }>
  | Readonly<{ kind: 'connected'; external: PathCount }>;

/**
 * A path that drops packets costs each question its whole time. Three of them, one after the other, and the interval before them must fit into the
 * 30 s that are left of a grace of 40 s when a path breaks just before the kubelets renew: an eighth of the grace does it (SPEC 4.9).
 */
const patienceFraction = 0.125;

/** Kubelets renew so often. So the last renewal is no older than this when their path breaks. */
const renewEvery: Millis = 10_000;

const leastPause: Millis = 1_000;

/** How long both paths have to answer. */
export function pathPatience(probeTimeout: Millis, grace: Millis): Millis {
  return Math.min(probeTimeout, patienceFraction * grace);
}

/** From one question to the next while it is counted how often the external path fails. This is at most three times the usual rate, so it needs no budget. */
export function pauseWhileCounting(probeInterval: Millis): Millis {
  return Math.min(probeInterval, Math.max(leastPause, Math.round(probeInterval / 3)));
}

/**
 * When the kube-controller-manager would mark the first node at the earliest: a grace after its last renewal, which came no more than one renewal before
 * the external path last carried. `carriedAt`: when it was last asked and answered, null where it never did; `failedAt`: when it was first asked and
 * did not answer. No lease is known, so the true instant may be later by an interval.
 */
export function firstMarkAfter(carriedAt: Instant | null, failedAt: Instant, grace: Millis): Instant {
  // Nothing was known for so long that it tells nothing either: the API server was away, say, and its kube-controller-manager began anew.
  const known = carriedAt !== null && failedAt - carriedAt < grace;
  return (known ? carriedAt : failedAt) - renewEvery + grace;
}

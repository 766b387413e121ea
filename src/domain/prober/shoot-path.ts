import type { Instant } from '../time.ts';
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

import type { Registry } from 'prom-client';
import { makers } from './makers.ts';

const delaySeconds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60, 120, 300];

/** The weeder's metrics (SPEC 9.2). A service has a series once one of its pods was deleted; no pod has one. */
export function weederInstruments(registry: Registry) {
  const { counter, gauge, histogram } = makers(registry);
  return {
    weedersActive: gauge('dwd_weeders_active', 'Services whose dependants are being watched: their window is open.'),
    podsWeeded: counter('dwd_pods_weeded_total', 'Pods deleted in CrashLoopBackOff.', 'namespace', 'service'),
    deletions: counter('dwd_pod_deletions_total', 'Deletions of pods, by what came of them.', 'result'),
    deletionFailures: counter(
      'dwd_pod_deletion_failures_total',
      'Deletions of pods that failed, by the status or a word; each is tried again within its window.',
      'reason',
    ),
    deletionsHeld: counter(
      'dwd_pod_deletions_held_total',
      'Pods that had to wait, since as many deletions as a service may have were under way.',
    ),
    weedingDelay: histogram(
      'dwd_weeding_delay_seconds',
      'From the turn in which a service became available to the answer of its first deletion.',
      delaySeconds,
    ),
  };
}

export type WeederInstruments = ReturnType<typeof weederInstruments>;

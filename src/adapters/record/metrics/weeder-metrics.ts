import type { MetricList } from './metric.ts';

const delaySeconds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60, 120, 300];

/** The weeder's. A service has a series once one of its pods was deleted; no pod has one. */
export const weederMetrics = {
  weedersActive: {
    name: 'dwd_weeders_active',
    kind: 'gauge',
    role: 'weeder',
    help: 'Services whose dependants are watched: they became available less than watchDuration ago.',
  },
  podsWeeded: {
    name: 'dwd_pods_weeded_total',
    kind: 'counter',
    labels: ['namespace', 'service'],
    role: 'weeder',
    help: 'Crash-looping pods that were deleted.',
    more: "A service's series comes with its first one, and goes when its last EndpointSlice goes.",
  },
  deletions: {
    name: 'dwd_pod_deletions_total',
    kind: 'counter',
    labels: ['result'],
    role: 'weeder',
    help: 'Deletions, by their result.',
    more: '`deleted`; `gone` (there is no such pod any more); `replaced` (another pod has its name, and was left alone); `deletedBefore` (for another service that the pod depends on); `withdrawn` (the service was down again before it was sent, or this process may not write); `throttled` (429); `failed`.',
  },
  deletionFailures: {
    name: 'dwd_pod_deletion_failures_total',
    kind: 'counter',
    labels: ['reason'],
    role: 'weeder',
    help: 'Deletions that failed, by their status, or a word if no answer came.',
    more: 'Each is tried again within its window, with back-off.',
  },
  deletionsHeld: {
    name: 'dwd_pod_deletions_held_total',
    kind: 'counter',
    role: 'weeder',
    help: 'Pods that had to wait, since 10 deletions of their service were under way already.',
  },
  podsSpared: {
    name: 'dwd_pods_spared_total',
    kind: 'counter',
    labels: ['reason'],
    role: 'weeder',
    help: 'Pods that began to crash-loop within a window and did not go, or not at once.',
    more: '`mirror` (the kubelet makes it from a file); `noController` (nobody would make another one); `unselected` (no selector of the configuration picks it; the log names it); `pause` (its predecessor was deleted already, so the pods of its owner go after pauses that grow).',
    unused: 'The pod itself is what is ill, and whoever watches over it is told.',
  },
  weedingDelay: {
    name: 'dwd_weeding_delay_seconds',
    kind: 'histogram',
    buckets: delaySeconds,
    role: 'weeder',
    help: 'From the turn in which a service became available to the answer to the first deletion; once for each window.',
    more: 'If a service was down again before anything was deleted, the time counts from its last return. A pod that begins to crash-loop later in the window makes it long: look at the lower buckets.',
  },
} as const satisfies MetricList;

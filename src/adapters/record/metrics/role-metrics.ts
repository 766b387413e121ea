import { counter, gauge, histogram, ofRole } from './metric.ts';

const probeSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The shoots, as the prober sees them. A shoot has one series of its own, and more only after something failed: a scrape of 1,000 shoots must stay cheap. */
export const shootMetrics = ofRole('prober', {
  probesActive: gauge('dwd_probes_active', {
    help: 'Shoots that are being probed.',
  }),
  shoots: gauge('dwd_shoots', {
    labels: ['state'],
    help: 'Shoots in each state; those that nobody guards at present are in none.',
    more: 'The states are those of `dwd_shoot_state`.',
  }),
  shootState: gauge('dwd_shoot_state', {
    labels: ['shoot', 'state'],
    help: "Always 1, for the shoot's present state.",
    more: 'The states: `idle` (left alone), `probing` (watched, or not answering), `leaseFailed` (cut off, and not yet often enough to be scaled down), `scalingDown`, `scaledDown`, `scalingUp` (connected again). Its other states have no series.',
  }),
  shootsFlapping: gauge('dwd_shoots_flapping', {
    labels: ['shoot'],
    help: 'Always 1, for a shoot that was scaled down, or had to wait before it was scaled up, 3 times within 10 minutes, until neither happened for 10 minutes.',
  }),
  probeFailures: counter('dwd_probe_failures_total', {
    labels: ['shoot', 'probe', 'reason'],
    help: 'Probes that gave no information about the nodes; with two paths, those that found one of them without an answer.',
    more: '`probe` is what was asked: `apiserver` (`/version`), `lease`, `node` or `machine`, and with two paths `internal` or `external`.<br>`reason` is `kubeconfig`, `unreachable`, `certificate`, `timeout`, `unauthorized`, `throttled`, `refused`, `garbled`, `tooLarge`, `local`, `lost` or `slow`.<br>`local`: no connection could be opened here, or the clock was set back.<br>`lost`: a fault of the watchdog.<br>`slow`: the external path timed out, and the internal one was slow as well.<br>With two paths 401, 403 and 429 are answers, and `external` counts only where the internal path answered. Its `kubeconfig`, `local`, `lost` and `slow` say nothing about the path. All other reasons lead to a scale-down.',
  }),
  probeDuration: histogram('dwd_probe_duration_seconds', {
    buckets: probeSeconds,
    help: 'From the command to probe to its answer, failures included.',
    more: 'Two paths: to the last answer that was waited for.',
  }),
  internalPathFailed: gauge('dwd_internal_path_failed', {
    labels: ['shoot'],
    help: 'Always 1, for a shoot whose internal path has failed `failureThreshold` times in a row, until it answers; only with two paths.',
    more: 'Nothing new is scaled there, and the shoot is left alone for `internalProbeFailureBackOffDuration` after each failure. The external path is not asked.',
  }),
  unreadableClusters: gauge('dwd_unreadable_clusters', {
    labels: ['shoot'],
    help: 'Always 1, for a shoot that is paused because its Cluster cannot be read.',
  }),
  clockDifference: gauge('dwd_shoot_clock_difference_seconds', {
    labels: ['shoot'],
    help: "The difference between a shoot's clock and ours, for a shoot where it is more than 3 s.",
    more: 'A shoot may have several API servers, with a clock each. If all shoots differ at once, our clock is wrong.',
  }),
  clockDifferences: counter('dwd_shoot_clock_differences_total', {
    help: "How often a shoot's clock was found to differ from ours by more than 3 s; once until they agree again.",
    unused: '`dwd_shoot_clock_difference_seconds` shows the same while it lasts.',
  }),
  leasesAhead: gauge('dwd_leases_ahead', {
    labels: ['shoot'],
    help: 'Leases whose renewTime is ahead of the time by more than 3 s, for a shoot that has such leases.',
    more: 'They are judged by when they were seen to move; the log names them.',
  }),
  shootsWithLeasesAhead: counter('dwd_shoots_with_leases_ahead_total', {
    help: 'How often leases of a shoot were found ahead of the time; once until none was found for 10 minutes.',
    unused: '`dwd_leases_ahead` shows the same while it lasts.',
  }),
  partialOutages: gauge('dwd_shoots_partly_cut_off', {
    help: 'Shoots of which a zone or a pool is cut off, while the other nodes renew their leases.',
    more: 'Nothing is scaled down there. The log and the inspector name the shoots, and the zones.',
  }),
  unjudgedShoots: gauge('dwd_unjudged_shoots', {
    labels: ['shoot'],
    help: 'Always 1, for a shoot that has nodes, and whose leases could not tell whether it is cut off.',
    more: 'It is not protected. The log says why.',
  }),
  lateShoots: gauge('dwd_shoots_with_late_leases', {
    help: 'Shoots in which a fifth of the leases, and two at least, were not renewed for half of the grace, and which are not cut off.',
    more: 'Each outage passes here for some seconds.',
  }),
  leasesNotRenewed: gauge('dwd_leases_not_renewed', {
    labels: ['shoot'],
    help: 'Leases that nobody renews though their nodes are Ready, for a shoot that has such leases and is not cut off.',
    more: 'If more and more kubelets of a shoot stop renewing, the shoot looks cut off; the log names the nodes.',
  }),
  shootsWithLeasesNotRenewed: counter('dwd_shoots_with_leases_not_renewed_total', {
    help: 'How often such leases of a shoot were found; once until they are renewed again.',
    unused: '`dwd_leases_not_renewed` shows the same while it lasts.',
  }),
  shootsWithLeasesLeftOut: counter('dwd_shoots_with_leases_left_out_total', {
    help: 'How often a shoot was found with more than 10,000 leases, of which the oldest are left out; once until it has fewer.',
    unused: 'the shoot is guarded all the same; the log names it.',
  }),
  spentEarlyProbes: counter('dwd_early_probes_spent_total', {
    help: 'How often a shoot had used up its early probes, since its leases were about to cross the threshold again and again; once until it has them all again.',
  }),
  heldProbes: counter('dwd_probes_held_total', {
    help: 'Probes that came more than 5 s after the last one while something was down by our hand.',
    more: "More shoots are down than the seed's budget for such probes (60 a second) is enough for.",
  }),
});

const decisionSeconds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60];
const marginSeconds = [-60, -30, -10, -5, -2, -1, 0, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60];

/** What the prober does to dependants, and whether it comes in time. */
export const scalingMetrics = ofRole('prober', {
  scaleOperations: counter('dwd_scale_operations_total', {
    labels: ['direction', 'result'],
    help: 'Writes on dependants, over all shoots; those that change annotations only count too.',
    more: '`direction`: `down`, `up`. `result`: `written`, `undone` (the answer shows otherwise), `conflict`, `missing`, `withdrawn` (taken back before it was sent), `failed`. For which shoot, the log and `dwd_shoot_state` say.',
  }),
  decisionDelay: histogram('dwd_decision_delay_seconds', {
    buckets: decisionSeconds,
    help: 'From the instant at which enough leases had expired to the command for the first scale-down; once for each outage.',
    more: 'Two paths: from the first question on the external path that failed, so it holds the time in which failures are counted, some 7 to 20 s.',
  }),
  kcmMargin: histogram('dwd_kcm_margin_seconds', {
    buckets: marginSeconds,
    help: 'The time from the instant at which everything was seen to be down to the instant at which the kube-controller-manager would have marked the first node. Below 0 it was too late, or nobody saw that it was in time.',
    more: 'Two paths: no lease is known, so that instant is the earliest possible one, a grace after a renewal 10 s before the external path was last seen to carry.',
  }),
  shootMargin: gauge('dwd_shoot_margin_seconds', {
    labels: ['shoot'],
    help: 'The same time, for a shoot that is scaled down, until it is brought back, and for two minutes at the least, or until it goes down anew or pauses.',
  }),
  heldReturns: counter('dwd_held_returns_total', {
    help: 'How often a shoot that comes and goes waited before it was scaled up: after each scale-down within ten minutes of the one before it waits longer, up to 2 minutes.',
    unused: '`dwd_shoots_flapping` shows which shoots come and go.',
  }),
  missingDependants: counter('dwd_missing_dependants_total', {
    labels: ['direction'],
    help: 'How often a dependant that is not optional was found to be missing; once until it is there again.',
    more: '`direction` is that of the verdict.',
  }),
  refusedDependants: counter('dwd_refused_dependants_total', {
    help: 'How often the seed refused to let us read a dependant (403); once until we may read it.',
    unused: '`dwd_watch_refused` shows the same while it lasts.',
  }),
  timedOutSteps: counter('dwd_timed_out_steps_total', {
    labels: ['direction'],
    help: 'Scalings that were not done within their timeout.',
  }),
  unreadableRecords: counter('dwd_unreadable_records_total', {
    help: 'Scale-ups to 1 replica, because the recorded number could not be read.',
  }),
  strays: gauge('dwd_unconfigured_marks', {
    labels: ['shoot'],
    help: "Resources that carry the watchdog's mark and are not in the configuration, so that no prober raises them; only shoots that have some.",
    more: 'A leader looks a minute after it has taken the lead, and every 10 minutes while there are some. The log names them, and `release` raises them.',
  }),
});

const delaySeconds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60, 120, 300];

/** The weeder's. A service has a series once one of its pods was deleted; no pod has one. */
export const weederMetrics = ofRole('weeder', {
  weedersActive: gauge('dwd_weeders_active', {
    help: 'Services whose dependants are watched: they became available less than watchDuration ago.',
  }),
  podsWeeded: counter('dwd_pods_weeded_total', {
    labels: ['namespace', 'service'],
    help: 'Crash-looping pods that were deleted.',
    more: "A service's series comes with its first one, and goes when its last EndpointSlice goes.",
  }),
  deletions: counter('dwd_pod_deletions_total', {
    labels: ['result'],
    help: 'Deletions, by their result.',
    more: '`deleted`; `gone` (there is no such pod any more); `replaced` (another pod has its name, and was left alone); `deletedBefore` (for another service that the pod depends on); `withdrawn` (the service was down again before it was sent, or this process may not write); `throttled` (429); `failed`.',
  }),
  deletionFailures: counter('dwd_pod_deletion_failures_total', {
    labels: ['reason'],
    help: 'Deletions that failed, by their status, or a word if no answer came.',
    more: 'Each is tried again within its window, with back-off.',
  }),
  deletionsHeld: counter('dwd_pod_deletions_held_total', {
    help: 'Pods that had to wait, since 10 deletions of their service were under way already.',
  }),
  podsSpared: counter('dwd_pods_spared_total', {
    labels: ['reason'],
    help: 'Pods that began to crash-loop within a window and did not go, or not at once.',
    more: '`mirror` (the kubelet makes it from a file); `noController` (nobody would make another one); `unselected` (no selector of the configuration picks it; the log names it); `pause` (its predecessor was deleted already, so the pods of its owner go after pauses that grow).',
    unused: 'The pod itself is what is ill, and whoever watches over it is told.',
  }),
  weedingDelay: histogram('dwd_weeding_delay_seconds', {
    buckets: delaySeconds,
    help: 'From the turn in which a service became available to the answer to the first deletion; once for each window.',
    more: 'If a service was down again before anything was deleted, the time counts from its last return. A pod that begins to crash-loop later in the window makes it long: look at the lower buckets.',
  }),
});

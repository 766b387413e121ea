import type { MetricList } from './metric.ts';

const probeSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The shoots, as the prober sees them. A shoot has one series of its own, and more only after something failed: a scrape of 1,000 shoots must stay cheap. */
export const shootMetrics = {
  probesActive: {
    name: 'dwd_probes_active',
    kind: 'gauge',
    role: 'prober',
    help: 'Shoots that are being probed.',
  },
  shoots: {
    name: 'dwd_shoots',
    kind: 'gauge',
    labels: ['state'],
    role: 'prober',
    help: 'Shoots in each state; those that nobody guards at present are in none.',
    more: 'The states are those of `dwd_shoot_state`.',
  },
  shootState: {
    name: 'dwd_shoot_state',
    kind: 'gauge',
    labels: ['shoot', 'state'],
    role: 'prober',
    help: "Always 1, for the shoot's present state.",
    more: 'The states: `idle` (paused), `probing` (connected, or not answering), `leaseFailed` (cut off, and not yet often enough to be scaled down), `scalingDown` (cut off, going down), `scaledDown` (cut off, down), `scalingUp` (connected again, coming up). Its other states have no series.',
  },
  shootsFlapping: {
    name: 'dwd_shoots_flapping',
    kind: 'gauge',
    role: 'prober',
    help: 'Shoots that were scaled down 3 times within 10 minutes, until they were not for 10 minutes.',
    more: 'The log names them.',
  },
  probeFailures: {
    name: 'dwd_probe_failures_total',
    kind: 'counter',
    labels: ['shoot', 'probe', 'reason'],
    role: 'prober',
    help: 'Probes that gave no information about the nodes.',
    more: '`probe` is what was asked: `apiserver` (`/version`), `lease`, `node`, `machine`. `reason`: `kubeconfig`, `unreachable`, `certificate`, `timeout`, `unauthorized`, `throttled`, `refused`, `garbled`, `tooLarge`, `lost` (no answer, a fault of the watchdog).',
  },
  probeDuration: {
    name: 'dwd_probe_duration_seconds',
    kind: 'histogram',
    buckets: probeSeconds,
    role: 'prober',
    help: 'From the command to probe to its answer, failures included.',
  },
  unreadableClusters: {
    name: 'dwd_unreadable_clusters',
    kind: 'gauge',
    role: 'prober',
    help: 'Shoots that are paused because their Cluster cannot be read.',
  },
  clockDifference: {
    name: 'dwd_shoot_clock_difference_seconds',
    kind: 'gauge',
    role: 'prober',
    help: "The largest difference between a shoot's clock and ours, if it is more than 3 s; else 0.",
    more: 'The leases of such a shoot are judged by its own clock. If all shoots differ at once, our clock is wrong.',
  },
  shootsWithClockDifference: {
    name: 'dwd_shoots_with_clock_difference',
    kind: 'gauge',
    role: 'prober',
    help: 'Shoots whose clocks differ from ours by more than 3 s.',
  },
  clockDifferences: {
    name: 'dwd_shoot_clock_differences_total',
    kind: 'counter',
    role: 'prober',
    help: "How often a shoot's clock was found to differ from ours by more than 3 s; once until they agree again.",
    unused: 'The two gauges above show the same while it lasts.',
  },
  leasesAhead: {
    name: 'dwd_leases_ahead',
    kind: 'gauge',
    role: 'prober',
    help: 'Leases whose renewTime is ahead of the time by more than 3 s, over all shoots.',
    more: 'They count as fresh, so an outage of their nodes is seen later by as much; the log names them.',
  },
  shootsWithLeasesAhead: {
    name: 'dwd_shoots_with_leases_ahead_total',
    kind: 'counter',
    role: 'prober',
    help: 'How often leases of a shoot were found ahead of the time; once until none was found for 10 minutes.',
    unused: '`dwd_leases_ahead` shows the same while it lasts.',
  },
  leasesNotRenewed: {
    name: 'dwd_leases_not_renewed',
    kind: 'gauge',
    role: 'prober',
    help: 'Leases that nobody renews though their nodes are Ready, over all shoots, those that are cut off left out.',
    more: 'If more and more kubelets of a shoot stop renewing, the shoot looks cut off; the log names the nodes.',
  },
  shootsWithLeasesNotRenewed: {
    name: 'dwd_shoots_with_leases_not_renewed_total',
    kind: 'counter',
    role: 'prober',
    help: 'How often such leases of a shoot were found; once until they are renewed again.',
    unused: '`dwd_leases_not_renewed` shows the same while it lasts.',
  },
  spentEarlyProbes: {
    name: 'dwd_early_probes_spent_total',
    kind: 'counter',
    role: 'prober',
    help: 'How often a shoot had used up its early probes, since its leases were about to cross the threshold again and again; once until it has them all again.',
  },
  heldProbes: {
    name: 'dwd_probes_held_total',
    kind: 'counter',
    role: 'prober',
    help: 'Probes that came more than 5 s after the last one while something was down by our hand.',
    more: "More shoots are down than the seed's budget for such probes (60 a second) is enough for.",
  },
} as const satisfies MetricList;

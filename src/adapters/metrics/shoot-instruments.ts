import type { Registry } from 'prom-client';
import { makers } from './makers.ts';

const decisionSeconds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60];
const marginSeconds = [-60, -30, -10, -5, -2, -1, 0, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60];
const probeSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The prober's metrics (SPEC 9.2). A shoot has one series of its own, and more only after something failed or was scaled:
 * a scrape of 1,000 shoots must stay cheap.
 */
export function shootInstruments(registry: Registry) {
  const { counter, gauge, histogram } = makers(registry);
  return {
    probesActive: gauge('dwd_probes_active', 'Shoots that are being probed.'),
    shootRequests: counter(
      'dwd_shoot_api_requests_total',
      'Requests to the API servers of shoots, by what came of them.',
      'code',
    ),
    scaleOperations: counter(
      'dwd_scale_operations_total',
      'Writes on dependants, over all shoots, those of annotations alone included.',
      'direction',
      'result',
    ),
    slowedScaleUps: counter(
      'dwd_scale_ups_slowed_total',
      'Times that the rate of scale-ups was halved, since the seed answered 429.',
    ),
    shootState: gauge('dwd_shoot_state', 'Always 1, for the state in which the shoot is.', 'shoot', 'state'),
    probeFailures: counter(
      'dwd_probe_failures_total',
      'Probes of a shoot that told nothing about its nodes.',
      'shoot',
      'probe',
      'reason',
    ),
    probeDuration: histogram(
      'dwd_probe_duration_seconds',
      'From the command to probe to its answer, failures included.',
      probeSeconds,
    ),
    decisionDelay: histogram(
      'dwd_decision_delay_seconds',
      'From the instant at which enough leases had expired to the first scale-down.',
      decisionSeconds,
    ),
    kcmMargin: histogram(
      'dwd_kcm_margin_seconds',
      'How long before the kube-controller-manager would have marked the first node everything was down; below 0: too late.',
      marginSeconds,
    ),
    unreadableClusters: gauge('dwd_unreadable_clusters', 'Shoots paused because their Cluster cannot be read.'),
    missingDependants: counter(
      'dwd_missing_dependants_total',
      'Times that a dependant which is not optional was found to be missing, once until it is there again.',
      'direction',
    ),
    refusedDependants: counter(
      'dwd_refused_dependants_total',
      'Times that a dependant was found which may not be read (403), once until it may.',
    ),
    clockDifference: gauge(
      'dwd_shoot_clock_difference_seconds',
      "The largest difference between a shoot's clock and ours, where it is more than 3 s; such a shoot's leases are judged by its own clock.",
    ),
    clockDifferences: counter(
      'dwd_shoot_clock_differences_total',
      "Times that a shoot's clock was found to differ from ours by more than 3 s.",
    ),
    leasesAhead: gauge(
      'dwd_leases_ahead',
      'Leases whose renewTime is ahead of the time by more than 3 s, over all shoots; an outage of their nodes is seen later by as much.',
    ),
    shootsWithLeasesAhead: counter(
      'dwd_shoots_with_leases_ahead_total',
      'Times that leases of a shoot were found ahead of the time, once until it is over.',
    ),
    leasesNotRenewed: gauge(
      'dwd_leases_not_renewed',
      'Leases that nobody renews though their nodes are Ready, over all shoots; too many of them look like an outage.',
    ),
    shootsWithLeasesNotRenewed: counter(
      'dwd_shoots_with_leases_not_renewed_total',
      'Times that leases of a shoot were found which nobody renews though their nodes are Ready, once until it is over.',
    ),
    spentEarlyProbes: counter(
      'dwd_early_probes_spent_total',
      'Times that a shoot had used up its early probes, since its leases were about to cross the threshold again and again.',
    ),
    heldProbes: counter(
      'dwd_probes_held_total',
      "Probes that came more than 5 s after the last one while something was down by our hand, since the seed's budget for them was used up.",
    ),
    timedOutSteps: counter(
      'dwd_timed_out_steps_total',
      'Scalings that were not done within their timeout.',
      'direction',
    ),
    unreadableRecords: counter(
      'dwd_unreadable_records_total',
      'Scale-ups to 1 replica because the recorded number could not be read.',
    ),
  };
}

export type ShootInstruments = ReturnType<typeof shootInstruments>;

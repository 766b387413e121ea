import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const decisionSeconds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60];
const marginSeconds = [-60, -30, -10, -5, -2, -1, 0, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60];
const probeSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Every metric but those of the process (SPEC 9.2), described for operators in `docs/metrics.md`. A shoot has one series
 * of its own, and others only once something went wrong or was scaled: at 1,000 shoots a scrape must not be felt.
 */
export function instruments(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });

  return {
    probesActive: gauge('dwd_probes_active', 'Shoots that are being probed.'),
    seedRequests: counter(
      'dwd_seed_api_requests_total',
      'Requests to the seed, by what came of them; code is a word where no answer came.',
      'verb',
      'resource',
      'code',
    ),
    shootRequests: counter(
      'dwd_shoot_api_requests_total',
      'Requests to the API servers of shoots, by what came of them.',
      'code',
    ),
    throttledRequests: counter(
      'dwd_throttled_requests_total',
      'Requests that were answered with 429, by who answered: seed or shoot.',
      'target',
    ),
    heldRequests: counter(
      'dwd_seed_requests_held_total',
      'Requests to the seed that our own limit held back: by its rate they waited, by its queue they were refused.',
      'by',
    ),
    scaleOperations: counter(
      'dwd_scale_operations_total',
      'Writes of replicas, over all shoots.',
      'direction',
      'result',
    ),
    shootState: gauge('dwd_shoot_state', 'Always 1, for the state in which the shoot is.', 'shoot', 'state'),
    probeFailures: counter(
      'dwd_probe_failures_total',
      'Probes of a shoot that told nothing about its nodes.',
      'shoot',
      'probe',
      'reason',
    ),
    scaleAttempts: counter(
      'dwd_scale_attempts_total',
      'Writes on the resources of a shoot, those of annotations alone included.',
      'shoot',
      'direction',
      'result',
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
    weedersActive: gauge('dwd_weeders_active', 'Services whose dependants are being watched.'),
    podsWeeded: counter('dwd_pods_weeded_total', 'Pods deleted in CrashLoopBackOff.', 'namespace', 'service'),
    leader: gauge('dwd_leader', '1 while this process may write, else 0.'),

    turns: counter('dwd_turns_total', 'Events that were taken, by their kind.', 'event'),
    bugs: counter('dwd_bugs_total', 'Machines that were ended by a fault of ours and started afresh.'),
    observerFaults: counter('dwd_observer_faults_total', 'Turns that an observer failed at.', 'observer'),
    unreadableClusters: gauge('dwd_unreadable_clusters', 'Shoots paused because their Cluster cannot be read.'),
    missingDependants: counter(
      'dwd_missing_dependants_total',
      'Times that a dependant which is not optional was found to be missing, once until it is there again.',
      'direction',
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
    watchRestarts: counter('dwd_watch_restarts_total', 'Watches on the seed that had to be opened anew.', 'resource'),
    journalDroppedTurns: counter(
      'dwd_journal_dropped_turns_total',
      'Turns that are no longer, or never were, in the journal, by the limit that was met.',
      'reason',
    ),
    journalDroppedBytes: counter(
      'dwd_journal_dropped_bytes_total',
      'Bytes that are no longer, or never were, in the journal, by the limit that was met.',
      'reason',
    ),
    journalWriteFailures: counter('dwd_journal_write_failures_total', 'Times that the journal could not be written.'),
    eventsDropped: counter(
      'dwd_events_dropped_total',
      'Kubernetes events that were not posted, by the reason.',
      'reason',
    ),
  };
}

export type Instruments = ReturnType<typeof instruments>;

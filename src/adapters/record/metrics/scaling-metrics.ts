import type { MetricList } from './metric.ts';

const decisionSeconds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60];
const marginSeconds = [-60, -30, -10, -5, -2, -1, 0, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60];

/** What the prober does to dependants, and whether it comes in time. */
export const scalingMetrics = {
  scaleOperations: {
    name: 'dwd_scale_operations_total',
    kind: 'counter',
    labels: ['direction', 'result'],
    role: 'prober',
    help: 'Writes on dependants, over all shoots; those that change annotations only count too.',
    more: '`direction`: `down`, `up`. `result`: `written`, `undone` (the answer shows otherwise), `conflict`, `missing`, `withdrawn` (taken back before it was sent), `failed`. For which shoot, the log and `dwd_shoot_state` say.',
  },
  decisionDelay: {
    name: 'dwd_decision_delay_seconds',
    kind: 'histogram',
    buckets: decisionSeconds,
    role: 'prober',
    help: 'From the instant at which enough leases had expired to the command for the first scale-down; once for each outage.',
    more: 'Two paths: from the first question on the external path that failed, so it holds the time in which failures are counted, some 7 to 20 s.',
  },
  kcmMargin: {
    name: 'dwd_kcm_margin_seconds',
    kind: 'histogram',
    buckets: marginSeconds,
    role: 'prober',
    help: 'The time from the instant at which everything was seen to be down to the instant at which the kube-controller-manager would have marked the first node. Below 0 it was too late, or nobody saw that it was in time.',
    more: 'Two paths: no lease is known, so that instant is the earliest possible one, a grace after a renewal 10 s before the external path was last seen to carry.',
  },
  shootMargin: {
    name: 'dwd_shoot_margin_seconds',
    kind: 'gauge',
    labels: ['shoot'],
    role: 'prober',
    help: 'The same time, for a shoot that is scaled down, until it is brought back.',
  },
  heldReturns: {
    name: 'dwd_held_returns_total',
    kind: 'counter',
    role: 'prober',
    help: 'How often a shoot that comes and goes waited before it was scaled up: after each scale-down within ten minutes of the one before it waits longer, up to 2 minutes.',
    unused: '`dwd_shoots_flapping` shows which shoots come and go.',
  },
  missingDependants: {
    name: 'dwd_missing_dependants_total',
    kind: 'counter',
    labels: ['direction'],
    role: 'prober',
    help: 'How often a dependant that is not optional was found to be missing; once until it is there again.',
    more: '`direction` is that of the verdict.',
  },
  refusedDependants: {
    name: 'dwd_refused_dependants_total',
    kind: 'counter',
    role: 'prober',
    help: 'How often the seed refused to let us read a dependant (403); once until we may read it.',
    unused: '`dwd_watch_refused` shows the same while it lasts.',
  },
  timedOutSteps: {
    name: 'dwd_timed_out_steps_total',
    kind: 'counter',
    labels: ['direction'],
    role: 'prober',
    help: 'Scalings that were not done within their timeout.',
  },
  unreadableRecords: {
    name: 'dwd_unreadable_records_total',
    kind: 'counter',
    role: 'prober',
    help: 'Scale-ups to 1 replica, because the recorded number could not be read.',
  },
  strays: {
    name: 'dwd_unconfigured_marks',
    kind: 'gauge',
    labels: ['shoot'],
    role: 'prober',
    help: "Resources that carry the watchdog's mark and are not in the configuration, so that no prober raises them; only shoots that have some.",
    more: 'A leader looks a minute after it has taken the lead, and every 10 minutes while there are some. The log names them, and `release` raises them.',
  },
} as const satisfies MetricList;

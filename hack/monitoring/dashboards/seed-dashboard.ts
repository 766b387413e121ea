import { grown } from './grown.ts';
import type { Dashboard } from './panel.ts';

const down = 'dwd_shoots{state=~"scalingDown|scaledDown"}';

/** Failures after which nothing is known of a shoot. */
const unjudged = 'dwd_probe_failures_total{probe!="external"}';

/** The states in which something is about to happen, or has happened, as numbers. */
const notable = ['leaseFailed', 'scalingDown', 'scaledDown', 'scalingUp']
  .map((state, index) => `${index + 1} * max by (shoot) (dwd_shoot_state{state="${state}"})`)
  .join(' or ');

export const stateWords = {
  1: { text: 'cut off, not yet down', colour: 'yellow' },
  2: { text: 'going down', colour: 'orange' },
  3: { text: 'down, protected', colour: 'red' },
  4: { text: 'coming up', colour: 'blue' },
} as const;

export const seedDashboard: Dashboard = {
  name: 'seed',
  title: 'Dependency Watchdog / Seed',
  says: 'The first one to open. Are the shoots of this seed protected, how many are cut off, and was the watchdog in time?',
  panels: [
    {
      title: 'Does a prober lead?',
      says: 'Without a leader no shoot is protected.',
      kind: 'stat',
      width: 4,
      height: 4,
      queries: [{ expr: 'max(dwd_leader and dwd_probes_active)', legend: '' }],
      words: { 0: { text: 'No', colour: 'red' }, 1: { text: 'Yes', colour: 'green' } },
      nothing: 'No prober',
    },
    {
      title: 'How many are guarded?',
      says: 'Those that are probed. Shoots that hibernate, migrate, are created or deleted are left out.',
      kind: 'stat',
      width: 4,
      height: 4,
      queries: [{ expr: 'sum(dwd_probes_active)', legend: '' }],
      thresholds: [['blue']],
    },
    {
      title: 'How many are down?',
      says: 'Cut off from their nodes, and taken down by us.',
      kind: 'stat',
      width: 4,
      height: 4,
      queries: [{ expr: `sum(${down})`, legend: '' }],
      thresholds: [['green'], ['orange', 1], ['red', 3]],
    },
    {
      title: 'The smallest margin?',
      says: 'The least time between "everything is down" and the instant at which the first node would have been marked, in the time shown. Below 0 it was too late; usual are 5 to 10 s.',
      kind: 'stat',
      width: 4,
      height: 4,
      unit: 's',
      queries: [
        {
          expr: 'histogram_quantile(0.01, sum by (le) (increase(dwd_kcm_margin_seconds_bucket[$__range])))',
          legend: '',
        },
      ],
      thresholds: [['red'], ['orange', 0], ['green', 2]],
      nothing: 'No outage',
    },
    {
      title: 'Do writes fail?',
      says: 'Writes on dependants that the seed refused, in the time shown. Each is tried again.',
      kind: 'stat',
      width: 4,
      height: 4,
      queries: [{ expr: 'sum(increase(dwd_scale_operations_total{result="failed"}[$__range]))', legend: '' }],
      thresholds: [['green'], ['red', 0.5]],
    },
    {
      title: 'Can the seed be read?',
      says: 'For how long the watch that has been out for longest has not shown the present state.',
      kind: 'stat',
      width: 4,
      height: 4,
      unit: 's',
      queries: [{ expr: 'max(dwd_watch_out_seconds)', legend: '' }],
      thresholds: [['green'], ['orange', 5], ['red', 60]],
    },
    {
      title: 'How many shoots are in which state?',
      says: '`probing` is well. A hump of the others is an outage: its height is how many shoots it met, its width how long it lasted.',
      kind: 'timeseries',
      width: 12,
      height: 8,
      stacked: true,
      queries: [{ expr: 'sum by (state) (dwd_shoots)', legend: '{{state}}' }],
      colours: {
        probing: 'green',
        leaseFailed: 'yellow',
        scalingDown: 'orange',
        scaledDown: 'red',
        scalingUp: 'blue',
        idle: 'gray',
      },
    },
    {
      title: 'Which shoots are not connected, and since when?',
      says: 'One row for each shoot that was cut off in the time shown. No colour: connected.',
      kind: 'state-timeline',
      width: 12,
      height: 8,
      queries: [{ expr: notable, legend: '{{shoot}}' }],
      words: stateWords,
      nothing: 'All are connected',
    },
    {
      title: 'How much time was left, in seconds?',
      says: 'How many outages ended with which margin, in the time shown. Bars below 2 s are a warning, those at 0 or below were too late.',
      kind: 'bargauge',
      width: 8,
      height: 8,
      buckets: true,
      queries: [{ expr: 'sum by (le) (increase(dwd_kcm_margin_seconds_bucket[$__range]))', legend: '{{le}}' }],
    },
    {
      title: 'After how many seconds was it decided?',
      says: 'How many outages were decided how long after their threshold. Usual is a tenth of a second; with two paths some 7 to 20 s, in which failures are counted.',
      kind: 'bargauge',
      width: 8,
      height: 8,
      buckets: true,
      queries: [{ expr: 'sum by (le) (increase(dwd_decision_delay_seconds_bucket[$__range]))', legend: '{{le}}' }],
    },
    {
      title: 'What was written to dependants?',
      says: '`conflict`: somebody else wrote at the same time; we read again. `failed`: the seed refused.',
      kind: 'timeseries',
      width: 8,
      height: 8,
      queries: [
        {
          expr: 'sum by (direction, result) (increase(dwd_scale_operations_total[$__rate_interval])) > 0',
          legend: '{{direction}} {{result}}',
        },
      ],
    },
    {
      title: 'Why do probes fail?',
      says: 'What was asked, and the reason. One reason for all shoots is near the prober, or in a load balancer (`external`); one shoot alone is its own problem.',
      kind: 'timeseries',
      width: 8,
      height: 8,
      queries: [
        {
          expr: `sum by (probe, reason) (${grown('dwd_probe_failures_total', '$__rate_interval')})`,
          legend: '{{probe}}: {{reason}}',
        },
      ],
      nothing: 'No probe failed',
    },
    {
      title: 'Which shoots cannot be judged?',
      says: 'The ten with the most failed probes in the time shown. Those of an external path are left out: they are an outage, which is judged.',
      kind: 'bargauge',
      width: 8,
      height: 8,
      queries: [
        {
          expr: `topk(10, sum by (shoot) (${grown(unjudged, '$__range')}) > 0)`,
          legend: '{{shoot}}',
        },
      ],
      thresholds: [['orange'], ['red', 10]],
      nothing: 'No probe failed',
    },
    {
      title: 'What else is odd?',
      says: 'Each should be 0. The runbooks of the alerts say what each means.',
      kind: 'bargauge',
      width: 8,
      height: 8,
      queries: [
        { expr: 'max(dwd_shoots_flapping)', legend: 'shoots that flap' },
        { expr: 'max(dwd_unreadable_clusters)', legend: 'Clusters that cannot be read' },
        { expr: 'max(dwd_shoots_with_clock_difference)', legend: 'shoots with another time' },
        { expr: 'max(dwd_shoot_clock_difference_seconds)', legend: 'by so many seconds' },
        { expr: 'sum(dwd_leases_ahead)', legend: 'leases ahead' },
        { expr: 'sum(dwd_leases_not_renewed)', legend: 'leases not renewed' },
        { expr: 'sum(increase(dwd_missing_dependants_total[$__range]))', legend: 'dependants missing' },
        { expr: 'sum(increase(dwd_timed_out_steps_total[$__range]))', legend: 'scalings not in time' },
        { expr: 'sum(increase(dwd_unreadable_records_total[$__range]))', legend: 'records unreadable' },
        { expr: 'sum(increase(dwd_early_probes_spent_total[$__range]))', legend: 'early probes used up' },
        { expr: 'sum(increase(dwd_probes_held_total[$__range]))', legend: 'probes held' },
        { expr: 'count(dwd_internal_path_failed) or vector(0)', legend: 'internal paths that fail' },
      ],
      thresholds: [['green'], ['orange', 0.5]],
    },
    {
      title: 'For how many shoots does the external path fail, and why?',
      says: 'Only with two paths. Many at once: the load balancer before the API servers, or the way of the prober out of the seed. `kubeconfig`: the second Secret is missing, and the shoot is not judged.',
      kind: 'timeseries',
      width: 24,
      height: 7,
      stacked: true,
      queries: [
        {
          expr: `count by (reason) (sum by (shoot, reason) (${grown('dwd_probe_failures_total{probe="external"}', '$__rate_interval')}) > 0)`,
          legend: '{{reason}}',
        },
      ],
      nothing: 'None, or shoots are judged by their leases',
    },
  ],
};

import type { Dashboard, Panel } from './panel.ts';

/** Metrics of any program, of ours alone: they have no name of ours, and every process has them. */
const ours = 'and on (instance, job) dwd_build_info';
const chosen = 'instance=~"$instance"';

const process: readonly Panel[] = [
  {
    title: 'Which program runs where?',
    says: 'One row for each process.',
    kind: 'table',
    width: 11,
    height: 5,
    columns: ['pod', 'instance', 'version', 'commit', 'node'],
    queries: [{ expr: `dwd_build_info{${chosen}}`, legend: '' }],
  },
  {
    title: 'Who leads?',
    says: 'One row for each process, probers and weeders. After the end of a leader another one leads within seconds.',
    kind: 'state-timeline',
    width: 13,
    height: 5,
    queries: [{ expr: `dwd_leader{${chosen}}`, legend: '{{instance}} {{pod}}' }],
    words: { 0: { text: 'stands by', colour: 'gray' }, 1: { text: 'leads', colour: 'green' } },
  },
  {
    title: 'How much CPU does it use?',
    says: 'Of one core.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 'percentunit',
    queries: [
      { expr: `rate(process_cpu_seconds_total{${chosen}}[$__rate_interval]) ${ours}`, legend: '{{instance}} {{pod}}' },
    ],
  },
  {
    title: 'How much memory does it hold?',
    says: 'All of it, which the limit of the container counts; and what the program’s objects take of it.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 'bytes',
    queries: [
      { expr: `process_resident_memory_bytes{${chosen}} ${ours}`, legend: '{{instance}} {{pod}}' },
      { expr: `sum(nodejs_heap_size_used_bytes{${chosen}} ${ours})`, legend: 'all: heap used' },
      { expr: `sum(nodejs_heap_size_total_bytes{${chosen}} ${ours})`, legend: 'all: heap' },
      { expr: `sum(nodejs_external_memory_bytes{${chosen}} ${ours})`, legend: 'all: buffers' },
    ],
  },
  {
    title: 'Is it too busy?',
    says: 'By how much the event loop is late, 99th percentile. Above 50 ms it has more work than it can do.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 's',
    thresholds: [['green'], ['red', 0.05]],
    queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${chosen}} ${ours}`, legend: '{{instance}} {{pod}}' }],
  },
];

const requests: readonly Panel[] = [
  {
    title: 'What is the seed asked?',
    says: 'Requests a second, by verb and what came of them. A connected shoot costs the seed nothing but a share of a few watches.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 'reqps',
    queries: [
      {
        expr: `sum by (verb, code) (rate(dwd_seed_api_requests_total{${chosen}}[$__rate_interval])) > 0`,
        legend: '{{verb}} {{code}}',
      },
    ],
  },
  {
    title: 'How fast does the seed answer?',
    says: 'The time from sending to the last byte. What waits for our own limit is not in it.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 's',
    queries: [0.5, 0.9, 0.99].map((quantile) => ({
      expr: `histogram_quantile(${quantile}, sum by (le) (rate(rest_client_request_duration_seconds_bucket{${chosen}}[$__rate_interval]) ${ours}))`,
      legend: `p${quantile * 100}`,
    })),
  },
  {
    title: 'Is it held back?',
    says: '429 of the seed or of shoots, requests that our own rate held, and halved rates of scale-ups.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    queries: [
      {
        expr: `sum by (target) (increase(dwd_throttled_requests_total{${chosen}}[$__rate_interval]))`,
        legend: '429 of the {{target}}',
      },
      {
        expr: `sum by (by, lane) (increase(dwd_seed_requests_held_total{${chosen}}[$__rate_interval])) > 0`,
        legend: 'held by {{by}}, {{lane}}',
      },
      { expr: `sum(increase(dwd_scale_ups_slowed_total{${chosen}}[$__rate_interval]))`, legend: 'scale-ups slowed' },
    ],
  },
  {
    title: 'Which watches are out?',
    says: 'For how long each has not shown the present state. One that is not granted grows without end, and is listed beside.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 's',
    queries: [{ expr: `max by (resource) (dwd_watch_out_seconds{${chosen}})`, legend: '{{resource}}' }],
  },
  {
    title: 'How often do watches break?',
    says: 'Restarts in the time shown, and objects beyond the limit of a watch. `not granted` names what the seed refuses.',
    kind: 'bargauge',
    width: 8,
    height: 8,
    thresholds: [['green'], ['orange', 0.5], ['red', 10]],
    queries: [
      {
        expr: `sum by (resource) (increase(dwd_watch_restarts_total{${chosen}}[$__range])) > 0`,
        legend: '{{resource}}',
      },
      {
        expr: `sum by (resource) (increase(dwd_watch_objects_dropped_total{${chosen}}[$__range])) > 0`,
        legend: '{{resource}}: left out',
      },
      { expr: `max by (resource) (dwd_watch_refused{${chosen}})`, legend: '{{resource}}: not granted' },
    ],
    nothing: 'None broke',
  },
  {
    title: 'What do shoots answer?',
    says: 'Requests a second to the API servers of shoots, by status, or a word if no answer came.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 'reqps',
    queries: [
      { expr: `sum by (code) (rate(dwd_shoot_api_requests_total{${chosen}}[$__rate_interval]))`, legend: '{{code}}' },
    ],
  },
];

const inside: readonly Panel[] = [
  {
    title: 'How long do probes take?',
    says: 'From the command to the answer, failures included.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 's',
    queries: [0.5, 0.99].map((quantile) => ({
      expr: `histogram_quantile(${quantile}, sum by (le) (rate(dwd_probe_duration_seconds_bucket{${chosen}}[$__rate_interval])))`,
      legend: `p${quantile * 100}`,
    })),
  },
  {
    title: 'What does it take in?',
    says: 'Events a second, by kind. It stands still only if there is no shoot, or, in the weeder, if nothing happens.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 'ops',
    stacked: true,
    queries: [{ expr: `sum by (event) (rate(dwd_turns_total{${chosen}}[$__rate_interval])) > 0`, legend: '{{event}}' }],
  },
  {
    title: 'How much time goes into garbage?',
    says: 'Of one core. Most of it runs beside the program; `major` above a few per cent means too little memory.',
    kind: 'timeseries',
    width: 8,
    height: 8,
    unit: 'percentunit',
    queries: [
      {
        expr: `sum by (kind) (rate(nodejs_gc_duration_seconds_sum{${chosen}}[$__rate_interval]) ${ours})`,
        legend: '{{kind}}',
      },
    ],
  },
  {
    title: 'How long has it run, and with how many files?',
    says: 'A fall of the age to 0 is a restart. The files are connections, most of them.',
    kind: 'table',
    width: 8,
    height: 7,
    columns: ['instance', 'age (s)', 'files', 'of'],
    queries: [
      { expr: `round(time() - process_start_time_seconds{${chosen}} ${ours})`, legend: 'age (s)' },
      { expr: `process_open_fds{${chosen}} ${ours}`, legend: 'files' },
      { expr: `process_max_fds{${chosen}} ${ours}`, legend: 'of' },
    ],
  },
  {
    title: 'Is anything lost?',
    says: 'Each should be 0. Turns that made room in memory, as they should, are left out.',
    kind: 'bargauge',
    width: 8,
    height: 7,
    thresholds: [['green'], ['red', 0.5]],
    queries: [
      { expr: `sum(increase(dwd_bugs_total{${chosen}}[$__range]))`, legend: 'bugs' },
      { expr: `sum(increase(dwd_observer_faults_total{${chosen}}[$__range]))`, legend: 'faults of observers' },
      {
        expr: `sum(increase(dwd_journal_write_failures_total{${chosen}}[$__range]))`,
        legend: 'journal: writes failed',
      },
      {
        expr: `sum(increase(dwd_journal_dropped_turns_total{${chosen},reason!~"memoryBytes|memoryTurns|files"}[$__range]))`,
        legend: 'journal: turns left out',
      },
    ],
  },
  {
    title: 'Which Kubernetes events were not posted?',
    says: 'In the time shown. Under Gardener’s roles `forbidden` counts all of them; the log has the same words.',
    kind: 'bargauge',
    width: 8,
    height: 7,
    thresholds: [['blue']],
    queries: [
      { expr: `sum by (reason) (increase(dwd_events_dropped_total{${chosen}}[$__range]))`, legend: '{{reason}}' },
    ],
  },
];

export const programDashboard: Dashboard = {
  name: 'program',
  title: 'Dependency Watchdog / The program itself',
  says: 'Is the program well: who leads, what it costs, what it asks of the seed, and whether it loses anything.',
  variable: { name: 'instance', label: 'instance', of: 'dwd_build_info', many: true },
  panels: [...process, ...requests, ...inside],
};

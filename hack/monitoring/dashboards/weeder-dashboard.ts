import { grown } from './grown.ts';
import type { Dashboard } from './panel.ts';

export const weederDashboard: Dashboard = {
  name: 'weeder',
  title: 'Dependency Watchdog / Weeder',
  says: 'Did services come back, and were the pods that crash-looped for them deleted at once?',
  panels: [
    {
      title: 'Does a weeder lead?',
      says: 'Without a leader control planes recover by themselves, but minutes later.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [{ expr: 'max(dwd_leader and dwd_weeders_active)', legend: '' }],
      words: { 0: { text: 'No', colour: 'red' }, 1: { text: 'Yes', colour: 'green' } },
      nothing: 'No weeder',
    },
    {
      title: 'How many services are back?',
      says: 'Their windows are open: the pods that depend on them are watched.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [{ expr: 'sum(dwd_weeders_active)', legend: '' }],
      thresholds: [['blue']],
    },
    {
      title: 'How many pods were deleted?',
      says: 'In the time shown.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [{ expr: 'sum(increase(dwd_pod_deletions_total{result="deleted"}[$__range]))', legend: '' }],
      thresholds: [['blue']],
    },
    {
      title: 'Do deletions fail?',
      says: 'In the time shown. Each is tried again within its window.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [{ expr: 'sum(increase(dwd_pod_deletions_total{result="failed"}[$__range]))', legend: '' }],
      thresholds: [['green'], ['red', 0.5]],
    },
    {
      title: 'When did services come back?',
      says: 'Open windows. At the start of the process each service that is available has one.',
      kind: 'timeseries',
      width: 12,
      height: 8,
      queries: [{ expr: 'sum(dwd_weeders_active)', legend: 'open windows' }],
    },
    {
      title: 'Whose pods were deleted?',
      says: 'The ten control planes with the most pods deleted in the time shown, and for which service.',
      kind: 'bargauge',
      width: 12,
      height: 8,
      queries: [
        {
          // A series comes with its first deletions, so `increase()` would not see them.
          expr: `topk(10, sum by (namespace, service) (${grown('dwd_pods_weeded_total', '$__range')}) > 0)`,
          legend: '{{namespace}} {{service}}',
        },
      ],
      thresholds: [['blue']],
      nothing: 'No pod was deleted',
    },
    {
      title: 'What came of deletions?',
      says: '`gone` and `replaced`: somebody was faster. `withdrawn`: the service went down again. `throttled`: the seed answered 429.',
      kind: 'timeseries',
      width: 8,
      height: 8,
      queries: [
        { expr: 'sum by (result) (increase(dwd_pod_deletions_total[$__rate_interval])) > 0', legend: '{{result}}' },
        { expr: 'sum(increase(dwd_pod_deletions_held_total[$__rate_interval])) > 0', legend: 'had to wait' },
      ],
      nothing: 'Nothing was deleted',
    },
    {
      title: 'After how many seconds was the first pod deleted?',
      says: 'Windows in the time shown. A pod that begins to crash-loop late makes it long: look at the upper rows.',
      kind: 'bargauge',
      width: 8,
      height: 8,
      buckets: true,
      queries: [{ expr: 'sum by (le) (increase(dwd_weeding_delay_seconds_bucket[$__range]))', legend: '{{le}}' }],
    },
    {
      title: 'Why do deletions fail?',
      says: 'The status of the seed, or a word if no answer came. 403: the role of the weeder.',
      kind: 'timeseries',
      width: 8,
      height: 8,
      queries: [
        {
          expr: `sum by (reason) (${grown('dwd_pod_deletion_failures_total', '$__rate_interval')})`,
          legend: '{{reason}}',
        },
      ],
      nothing: 'No deletion failed',
    },
  ],
};

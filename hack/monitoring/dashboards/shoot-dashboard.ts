import { grown } from './grown.ts';
import type { Dashboard } from './panel.ts';
import { stateWords } from './seed-dashboard.ts';

const states = ['idle', 'probing', 'leaseFailed', 'scalingDown', 'scaledDown', 'scalingUp'];

/** -1 for idle, 0 for probing, and the others as on the dashboard of the seed. */
const present = states
  .map((state, index) => `${index - 1} * max by (shoot) (dwd_shoot_state{shoot="$shoot",state="${state}"})`)
  .join(' or ');

const words = {
  '-1': { text: 'paused', colour: 'gray' },
  0: { text: 'watched', colour: 'green' },
  ...stateWords,
} as const;

export const shootDashboard: Dashboard = {
  name: 'shoot',
  title: 'Dependency Watchdog / One shoot',
  says: 'What happened to one shoot, and is it alone? A shoot has few series of its own; the log has the rest: search it for `shoot`, and the journal by `dependency-watchdog replay`.',
  variable: { name: 'shoot', label: 'shoot', of: 'dwd_shoot_state', many: false },
  panels: [
    {
      title: 'How is it now?',
      says: '`watched` is well, or does not answer; see the failed probes. `paused`: it hibernates, migrates, is created or deleted, or its Cluster cannot be read.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [{ expr: present, legend: '' }],
      words,
      nothing: 'Nobody guards it',
    },
    {
      title: 'How many probes failed?',
      says: 'In the time shown.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [{ expr: `sum(${grown('dwd_probe_failures_total{shoot="$shoot"}', '$__range')})`, legend: '' }],
      thresholds: [['green'], ['orange', 1], ['red', 10]],
      nothing: 'None',
    },
    {
      title: 'How many others are down?',
      says: 'If others are down too, look for what they have in common.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [
        {
          expr: 'count(max by (shoot) (dwd_shoot_state{shoot!="$shoot",state=~"scalingDown|scaledDown"})) or vector(0)',
          legend: '',
        },
      ],
      thresholds: [['green'], ['orange', 1]],
    },
    {
      title: 'How many pods were weeded?',
      says: 'Pods of its control plane that the weeder deleted in the time shown.',
      kind: 'stat',
      width: 6,
      height: 4,
      queries: [{ expr: `sum(${grown('dwd_pods_weeded_total{namespace="$shoot"}', '$__range')})`, legend: '' }],
      thresholds: [['blue']],
      nothing: 'None',
    },
    {
      title: 'When was it in which state?',
      says: 'An outage is yellow, orange, red, blue: cut off, going down, down, coming up. Long blue: a dependant does not get ready.',
      kind: 'state-timeline',
      width: 24,
      height: 5,
      queries: [{ expr: present, legend: '{{shoot}}' }],
      words,
    },
    {
      title: 'Why do its probes fail?',
      says: 'What was asked, and the reason. While nothing is known, nothing is scaled. With two paths, a failing `external` is known: it is the outage.',
      kind: 'timeseries',
      width: 12,
      height: 8,
      queries: [
        {
          expr: `sum by (probe, reason) (${grown('dwd_probe_failures_total{shoot="$shoot"}', '$__rate_interval')})`,
          legend: '{{probe}}: {{reason}}',
        },
      ],
      nothing: 'No probe failed',
    },
    {
      title: 'When did the weeder delete its pods, and for which service?',
      says: 'A step is a recovery: the service came back, and what crash-looped for it was deleted.',
      kind: 'timeseries',
      width: 12,
      height: 8,
      queries: [{ expr: 'sum by (service) (dwd_pods_weeded_total{namespace="$shoot"})', legend: 'for {{service}}' }],
      nothing: 'No pod was deleted',
    },
  ],
};

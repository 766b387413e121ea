import type { Alert } from './alert.ts';

/** The weeder's work, and the program itself. */
export const programAlerts: readonly Alert[] = [
  {
    name: 'WeederCannotDelete',
    severity: 'warning',
    expr: 'sum by (reason) (increase(dwd_pod_deletion_failures_total[15m])) > 0',
    for: '15m',
    summary: 'The weeder cannot delete pods that crash-loop: {{ $labels.reason }}',
    means:
      'Pods stay in CrashLoopBackOff, although the service that they depend on is back. They start by themselves when their back-off is over, after 5 minutes at most.',
    look: ['The log of the weeder, line `deletions fail`: which pod, and the sentence of the seed.'],
    act: ['403: apply the weeder’s role again. Another status: an admission webhook, or a seed that is not well.'],
  },
  {
    name: 'WatchdogJournalLost',
    severity: 'warning',
    expr: 'sum by (instance) (increase(dwd_journal_write_failures_total[15m])) > 0 or sum by (instance) (increase(dwd_journal_dropped_turns_total{reason=~"backlogBytes|writeFailed"}[15m])) > 0',
    summary: 'The journal on {{ $labels.instance }} loses turns',
    means:
      'The directory of `--journal-dir` cannot be written, or is too slow. The watchdog works on; what it does now cannot be replayed later. Only with a journal volume.',
    look: [
      'The log: `the journal cannot be written` has the error.',
      'The volume of the journal: is it full, read-only, or gone? The image has no shell; ask the node or the volume’s driver.',
    ],
    act: ['Make room, or give the volume back. The journal goes on by itself with the next turn.'],
  },
  {
    name: 'WatchdogLogLost',
    severity: 'warning',
    expr: 'sum by (instance) (increase(dwd_log_lines_dropped_total[15m])) > 0',
    summary: 'The log of {{ $labels.instance }} loses lines',
    means:
      'Nobody takes what the watchdog writes to its standard output: a log driver that stands still, or a disk that is full. The watchdog works on, and keeps the last lines; the oldest that wait are dropped.',
    look: [
      'The container runtime and the log collector of the node, and the disk that they write to.',
      'The log, once it goes on: `lines of the log were lost` stands where lines are missing, with their number and the reason. The journal has every turn all the same.',
    ],
    act: ['Free the disk, or start the log collector again. The log goes on by itself.'],
  },
  {
    name: 'WatchdogBug',
    severity: 'warning',
    expr: 'sum(increase(dwd_bugs_total[1h])) + sum(increase(dwd_observer_faults_total[1h])) > 0',
    summary: 'A bug of the watchdog',
    means:
      'Work on one shoot or service ended by a bug, and was started afresh; the others did not notice. Or a metric, a line of the log, a line of the journal or a Kubernetes event could not be written.',
    look: ['The log, lines `bug` and `an observer of the turns failed`: they have the error, and the last turns.'],
    act: [
      'Please report it, with these lines and the journal (`/journal`, or the directory).',
      'If it repeats for one shoot, and the shoot must be left alone: `ignore-scaling` on its dependants.',
    ],
  },
  {
    name: 'WatchdogOverloaded',
    severity: 'warning',
    expr: 'max by (instance) (nodejs_eventloop_lag_p99_seconds and on (instance, job) dwd_build_info) > 0.05',
    for: '15m',
    summary: 'The watchdog on {{ $labels.instance }} has more work than it can do',
    means: 'Its event loop is late by more than 50 ms. Decisions come later by as much, and more.',
    look: [
      'The dashboard of the program: CPU, and the collections of garbage. Is the container throttled at its CPU limit?',
      'How many shoots are there, and is `probeInterval` shorter than it need be?',
    ],
    act: [
      'Take the CPU limit away or raise it. One core is enough for 2,000 shoots of 100 nodes.',
      'Long `major` collections: raise the memory limit.',
    ],
  },
  {
    name: 'WatchdogFilesRunOut',
    severity: 'warning',
    expr: 'max by (instance) ((process_open_fds and on (instance, job) dwd_build_info) / process_max_fds) > 0.8',
    for: '15m',
    summary: 'The watchdog on {{ $labels.instance }} has four fifths of the files that it may have',
    means: 'Each probe is a connection. When none is left, probes fail and the journal cannot be written.',
    look: ['The dashboard of the program: does it grow without end, or is the limit small?'],
    act: [
      'Raise the limit of the container’s runtime. If it grows while the shoots stay as many as they were, please report it.',
    ],
  },
  {
    name: 'WatchdogVersionsDiffer',
    severity: 'info',
    expr: 'count(count by (version, commit) (dwd_build_info)) > 1',
    for: '1h',
    summary: 'Watchdogs of different versions run on this seed',
    means: 'A roll-out has not come to its end. They can work side by side; it is not meant to last.',
    look: ['`kubectl -n garden rollout status deployment/dependency-watchdog-prober`, and the same for the weeder.'],
    act: ['Finish the roll-out, or take it back.'],
  },
];

import type { MetricList } from './metric.ts';

/** Whether the program itself works. */
export const programMetrics = {
  buildInfo: {
    name: 'dwd_build_info',
    kind: 'gauge',
    labels: ['version', 'commit', 'node'],
    help: 'Always 1; the labels say which program this is.',
    more: '`commit` is `unknown` where neither the image nor a checkout tells it.',
  },
  leader: {
    name: 'dwd_leader',
    kind: 'gauge',
    help: '1 while this process leads, else 0.',
    more: 'With an election it leads while it holds the Lease. Without an election it counts as leading while at least one of its watches on the seed is live: a process that cannot see the seed protects nobody.',
  },
  masterStatus: {
    name: 'leader_election_master_status',
    kind: 'gauge',
    labels: ['name'],
    help: "The same under client-go's name, only with an election; name is that of the Lease.",
  },
  turns: {
    name: 'dwd_turns_total',
    kind: 'counter',
    labels: ['event'],
    help: 'Events that the machines took, by the kind of event.',
    more: 'It stands still only if there is no shoot, or, in the weeder, if nothing happens to a service.',
  },
  bugs: {
    name: 'dwd_bugs_total',
    kind: 'counter',
    help: 'Machines that a bug of the watchdog ended, and that were started afresh.',
    more: 'Anything above 0 is worth a report, with the journal.',
  },
  observerFaults: {
    name: 'dwd_observer_faults_total',
    kind: 'counter',
    labels: ['observer'],
    help: 'Turns at which the metrics, the log, the roll call, the journal, the health, the inspector or the Kubernetes events failed, by a bug of the watchdog; the log has the error.',
  },
  logLinesDropped: {
    name: 'dwd_log_lines_dropped_total',
    kind: 'counter',
    help: 'Lines of the log that were dropped, since more waited for the standard output than may.',
    more: 'Nobody reads it, or its disk is full. The log itself says how many are missing, in their place.',
  },
  journalDroppedTurns: {
    name: 'dwd_journal_dropped_turns_total',
    kind: 'counter',
    labels: ['reason'],
    help: 'Turns that are no longer, or never were, in the journal, by the limit that was met.',
    more: '<br>`memoryBytes`, `memoryTurns`: the oldest in memory are dropped, as they should be.<br>`directoryBytes`, `files`: the oldest file was deleted, as it should be, or after thousands of starts; its turns are not counted.<br>`turnBytes`: one turn was too long.<br>`shootShare`, `memoryShare`: a shoot, or a service, takes more than its share of the journal, or of the memory; the log names it once.<br>`backlogBytes`: the disk is too slow.<br>`writeFailed`: the disk is full, or somebody deleted the file.',
  },
  journalDroppedBytes: {
    name: 'dwd_journal_dropped_bytes_total',
    kind: 'counter',
    labels: ['reason'],
    help: 'The bytes of these turns: compressed bytes for memory, and an estimate for a turn that was left out before it was written.',
    unused: 'The turns are counted, and that is enough to know that some are missing.',
  },
  journalWriteFailures: {
    name: 'dwd_journal_write_failures_total',
    kind: 'counter',
    help: "How often the journal's directory failed.",
  },
  inspectorReaders: {
    name: 'dwd_inspector_readers',
    kind: 'gauge',
    help: "Streams of the inspector's events that are open; a page has one or two.",
    unused: 'Whoever looks at the page knows it.',
  },
  inspectorReadersRefused: {
    name: 'dwd_inspector_readers_refused_total',
    kind: 'counter',
    help: "Streams of the inspector that were asked for while 128 were open, and readers of Stately's inspector that were cut; each is told why.",
    unused: 'It harms nobody but the reader, who is told.',
  },
  inspectorEventsMissed: {
    name: 'dwd_inspector_events_missed_total',
    kind: 'counter',
    help: 'Events that were left out for readers of the inspector which take less than comes; each is told what it missed, and asks again.',
    unused: 'It harms nobody but the reader, who is told.',
  },
  eventsDropped: {
    name: 'dwd_events_dropped_total',
    kind: 'counter',
    labels: ['reason'],
    help: 'Kubernetes events that were not posted, by the reason.',
    more: "`queue` (too many at once), `forbidden` (the seed does not allow them; under Gardener's roles this counts all of them), `failed`, `repeated` (the same event was just posted), `fault` (a bug of the watchdog; the log has it).",
  },
} as const satisfies MetricList;

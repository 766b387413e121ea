import { counter, gauge, histogram } from './metric.ts';

/** Whether the program itself works. */
export const programMetrics = {
  buildInfo: gauge('dwd_build_info', {
    labels: ['version', 'commit', 'node'],
    help: 'Always 1; the labels say which program this is.',
    more: '`commit` is `unknown` where neither the image nor a checkout tells it.',
  }),
  leader: gauge('dwd_leader', {
    help: '1 while this process leads, else 0.',
    more: 'With an election it leads while it holds the Lease. Without an election it counts as leading while at least one of its watches on the seed is live: a process that cannot see the seed protects nobody.',
  }),
  masterStatus: gauge('leader_election_master_status', {
    labels: ['name'],
    help: "The same under client-go's name, only with an election; name is that of the Lease.",
  }),
  turns: counter('dwd_turns_total', {
    labels: ['event'],
    help: 'Events that the machines took, by the kind of event.',
    more: 'It stands still only if there is no shoot, or, in the weeder, if nothing happens to a service.',
  }),
  bugs: counter('dwd_bugs_total', {
    help: 'Machines that a bug of the watchdog ended, and that were started afresh.',
    more: 'Anything above 0 is worth a report, with the journal.',
  }),
  observerFaults: counter('dwd_observer_faults_total', {
    labels: ['observer'],
    help: 'Turns at which the metrics, the log, the roll call, the journal, the health, the inspector or the Kubernetes events failed, by a bug of the watchdog; the log has the error.',
  }),
  logLinesDropped: counter('dwd_log_lines_dropped_total', {
    help: 'Lines of the log that were dropped, since more waited for the standard output than may.',
    more: 'Nobody reads it, or its disk is full. The log itself says how many are missing, in their place.',
  }),
  journalDroppedTurns: counter('dwd_journal_dropped_turns_total', {
    labels: ['reason'],
    help: 'Turns that are no longer, or never were, in the journal, by the limit that was met.',
    more: '<br>`memoryBytes`, `memoryTurns`: the oldest in memory are dropped, as they should be.<br>`directoryBytes`, `files`: the oldest file was deleted, as it should be, or after thousands of starts; its turns are not counted.<br>`turnBytes`: one turn was too long.<br>`shootShare`, `memoryShare`: a shoot, or a service, takes more than its share of the journal, or of the memory; the log names it once.<br>`backlogBytes`: the disk is too slow.<br>`writeFailed`: the disk is full, or somebody deleted the file.',
  }),
  journalDroppedBytes: counter('dwd_journal_dropped_bytes_total', {
    labels: ['reason'],
    help: 'The bytes of these turns: compressed bytes for memory, and an estimate for a turn that was left out before it was written.',
    unused: 'The turns are counted, and that is enough to know that some are missing.',
  }),
  journalWriteFailures: counter('dwd_journal_write_failures_total', {
    help: "How often the journal's directory failed.",
  }),
  inspectorReaders: gauge('dwd_inspector_readers', {
    help: "Streams of the inspector's events that are open; a page has one or two.",
    unused: 'Whoever looks at the page knows it.',
  }),
  inspectorReadersRefused: counter('dwd_inspector_readers_refused_total', {
    help: "Streams of the inspector that were asked for while 128 were open, and readers of Stately's inspector that were cut; each is told why.",
    unused: 'It harms nobody but the reader, who is told.',
  }),
  inspectorEventsMissed: counter('dwd_inspector_events_missed_total', {
    help: 'Events that were left out for readers of the inspector which take less than comes; each is told what it missed, and asks again.',
    unused: 'It harms nobody but the reader, who is told.',
  }),
  eventsDropped: counter('dwd_events_dropped_total', {
    labels: ['reason'],
    help: 'Kubernetes events that were not posted, by the reason.',
    more: "`queue` (too many at once), `forbidden` (the seed does not allow them; under Gardener's roles this counts all of them), `failed`, `repeated` (the same event was just posted), `fault` (a bug of the watchdog; the log has it).",
  }),
};

/** Those of client-go, so that a dashboard may lay its controllers and us side by side. */
const clientSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** What the program asks of the seed and of shoots, and what it is answered. */
export const requestMetrics = {
  seedRequests: counter('dwd_seed_api_requests_total', {
    labels: ['verb', 'resource', 'code'],
    help: 'Requests to the seed.',
    more: '`code` is the status, or a word if no answer came.',
  }),
  restRequests: counter('rest_client_requests_total', {
    labels: ['code', 'method', 'host'],
    help: "The same requests, under client-go's name, for dashboards that know it.",
    more: '`code` is `<error>` if no answer came; `host` is that of the seed.',
    unused: '`dwd_seed_api_requests_total` tells the resource too.',
  }),
  restDuration: histogram('rest_client_request_duration_seconds', {
    labels: ['verb', 'host'],
    buckets: clientSeconds,
    help: "How long they took, under client-go's name: from sending to the last byte, for a watch until it was open.",
    more: '`verb` is the method. The time for which a request waited for our own rate limit is not part of it.',
  }),
  shootRequests: counter('dwd_shoot_api_requests_total', {
    labels: ['code'],
    role: 'prober',
    help: 'Requests to the API servers of shoots.',
    more: '`code` is the status (`other` for one that HTTP does not know), or a word if no answer came.',
  }),
  throttledRequests: counter('dwd_throttled_requests_total', {
    labels: ['target'],
    help: 'Requests that got the answer 429.',
    more: '`target` is the server that answered: `seed`, `shoot`.',
  }),
  heldRequests: counter('dwd_seed_requests_held_total', {
    labels: ['by', 'lane'],
    help: "Requests to the seed that the program's own limits held.",
    more: "`rate`: they waited for their turn. `queue`: they were refused, since 10,000 waited in their lane already. The lane `normal` has `--kube-api-qps` and `--kube-api-burst`; `urgent`, for scale-downs and the weeder's requests for pods, has 25 times as much; `healing`, for scale-ups (prober), 5 times as much, after the urgent ones.",
  }),
  slowedScaleUps: counter('dwd_scale_ups_slowed_total', {
    role: 'prober',
    help: 'Times that the rate of scale-ups was halved, since the seed answered 429.',
  }),
  watchOut: gauge('dwd_watch_out_seconds', {
    labels: ['resource'],
    help: 'For how long a watch on the seed has not shown the present state, from the start of the process on; 0 while it does.',
    more: "`resource` names the watch: `clusters`, `secrets/NAME`, `deployments/NAME` and so on in the prober, `endpointslices` and `pods` in the weeder, and `endpoints` while it watches those instead (an older Gardener's grants). For `pods` and `endpoints`, which have many watches, it is the longest time. The log says why, each minute.",
  }),
  watchRefused: gauge('dwd_watch_refused', {
    labels: ['resource'],
    help: 'Always 1, for a watch that the seed does not grant us, or of a kind that it does not serve (403, 404).',
    more: 'A dependant that may not be watched is read by itself where that is granted.',
  }),
  watchRestarts: counter('dwd_watch_restarts_total', {
    labels: ['resource'],
    help: 'Watches on the seed that failed and had to be opened anew.',
    more: 'A watch that the server ends after its usual 5 to 10 minutes is not counted.',
  }),
  objectsDropped: counter('dwd_watch_objects_dropped_total', {
    labels: ['resource'],
    help: 'Objects that a watch left out, since it held as many as it may. Anything above 0 means that something is not looked after.',
  }),
};

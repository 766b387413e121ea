import type { Registry } from 'prom-client';
import { makers } from './makers.ts';

/** The metrics that either role has (SPEC 9.2). */
export function commonInstruments(registry: Registry) {
  const { counter, gauge } = makers(registry);
  return {
    seedRequests: counter(
      'dwd_seed_api_requests_total',
      'Requests to the seed, by what came of them; code is a word where no answer came.',
      'verb',
      'resource',
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
      'lane',
    ),
    buildInfo: gauge('dwd_build_info', 'Always 1; which program this is.', 'version', 'commit', 'node'),
    leader: gauge(
      'dwd_leader',
      '1 while this process leads: it holds the Lease, or, without an election, it reads the seed. Else 0.',
    ),
    turns: counter('dwd_turns_total', 'Events that were taken, by their kind.', 'event'),
    bugs: counter('dwd_bugs_total', 'Machines that were ended by a fault of ours and started afresh.'),
    observerFaults: counter('dwd_observer_faults_total', 'Turns that an observer failed at.', 'observer'),
    watchRestarts: counter(
      'dwd_watch_restarts_total',
      'Watches on the seed that failed and had to be opened anew.',
      'resource',
    ),
    watchOut: gauge(
      'dwd_watch_out_seconds',
      'For how long a watch on the seed has not shown the present state; 0 while it does.',
      'resource',
    ),
    objectsDropped: counter(
      'dwd_watch_objects_dropped_total',
      'Objects that a watch did not keep, since it holds as many as it may.',
      'resource',
    ),
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

export type CommonInstruments = ReturnType<typeof commonInstruments>;

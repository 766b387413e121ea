import type { MetricList } from './metric.ts';

const gcSeconds = [0.001, 0.01, 0.1, 1];

/**
 * Whether the process is well, under the names that dashboards know: those of prom-client's own set. That set takes 3 to 7 ms a scrape, a third of
 * what a scrape may take in all. So the sizes of each heap space, and the lists of handles and requests, are left out.
 */
export const processMetrics = {
  cpu: { name: 'process_cpu_seconds_total', kind: 'counter', help: 'CPU time, user and system.' },
  startTime: {
    name: 'process_start_time_seconds',
    kind: 'gauge',
    help: 'When the process began, in seconds since 1970.',
  },
  residentMemory: {
    name: 'process_resident_memory_bytes',
    kind: 'gauge',
    help: 'Memory that the process holds.',
  },
  virtualMemory: {
    name: 'process_virtual_memory_bytes',
    kind: 'gauge',
    help: 'Addresses that the process has reserved. Only on Linux.',
    unused: 'Node reserves far more than it uses; it is there for dashboards that ask for it.',
  },
  openFiles: {
    name: 'process_open_fds',
    kind: 'gauge',
    help: 'Open files and connections. Only on Linux.',
  },
  maxFiles: {
    name: 'process_max_fds',
    kind: 'gauge',
    help: 'How many of them it may have. Only on Linux.',
  },
  nodeVersion: {
    name: 'nodejs_version_info',
    kind: 'gauge',
    labels: ['version', 'major', 'minor', 'patch'],
    help: 'Always 1; the labels say which Node runs it.',
    unused: '`dwd_build_info` says it too.',
  },
  heapUsed: {
    name: 'nodejs_heap_size_used_bytes',
    kind: 'gauge',
    help: "Memory that the program's objects hold.",
  },
  heapTotal: {
    name: 'nodejs_heap_size_total_bytes',
    kind: 'gauge',
    help: 'Memory that Node has taken for them.',
  },
  externalMemory: {
    name: 'nodejs_external_memory_bytes',
    kind: 'gauge',
    help: 'Memory of buffers, outside of the heap.',
  },
  loopLagMean: {
    name: 'nodejs_eventloop_lag_seconds',
    kind: 'gauge',
    help: 'By how much the event loop was late since the last scrape, on average.',
    unused: 'The 99th percentile tells more; it is there for dashboards that ask for it.',
  },
  loopLagP99: {
    name: 'nodejs_eventloop_lag_p99_seconds',
    kind: 'gauge',
    help: 'By how much the event loop was late since the last scrape, 99th percentile.',
    more: 'Above 0.05 the program has more work than it can do.',
  },
  garbageCollection: {
    name: 'nodejs_gc_duration_seconds',
    kind: 'histogram',
    labels: ['kind'],
    buckets: gcSeconds,
    help: 'How long the collections of garbage took.',
    more: '`kind`: `minor`, `major`, `incremental`, `weakcb`. Most of it runs beside the program; a long `major` one stops it.',
  },
} as const satisfies MetricList;

import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * How often the event loop's delay is sampled, in milliseconds. Each sample wakes the process: at prom-client's own 10 they would be most of what it costs at
 * rest. `nodejs_eventloop_lag_*` are the lengths from one sample to the next, so a loop that is never late shows 0.1 s.
 */
const sampleEvery = 100;

/**
 * Whether the process is well: prom-client's own set, under the names that dashboards know. It belongs to the process, and not to a role in it; and its
 * observers cannot be stopped. So there is one.
 */
export const processMetrics = new Registry();
collectDefaultMetrics({
  register: processMetrics,
  eventLoopMonitoringPrecision: sampleEvery,
  gcDurationBuckets: [0.001, 0.01, 0.1, 1],
});

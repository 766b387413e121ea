import type { MetricList } from './metric.ts';
import { processMetrics } from './process-metrics.ts';
import { programMetrics } from './program-metrics.ts';
import { requestMetrics } from './request-metrics.ts';
import { scalingMetrics } from './scaling-metrics.ts';
import { shootMetrics } from './shoot-metrics.ts';
import { weederMetrics } from './weeder-metrics.ts';

/** Every metric that the program has (SPEC 9.2), by the name that the code calls its instrument. */
export const metricList = {
  ...shootMetrics,
  ...scalingMetrics,
  ...requestMetrics,
  ...weederMetrics,
  ...programMetrics,
  ...processMetrics,
} as const satisfies MetricList;

/** As docs/metrics.md shows them. */
export const metricSections: Readonly<Record<string, MetricList>> = {
  'The shoots': shootMetrics,
  Scaling: scalingMetrics,
  Requests: requestMetrics,
  Weeder: weederMetrics,
  'The program itself': programMetrics,
  'The process': processMetrics,
};

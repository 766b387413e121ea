import type { MetricList, InstrumentsOf, Metric } from './metric.ts';
import { programMetrics } from './program-metrics.ts';
import { requestMetrics } from './request-metrics.ts';
import { scalingMetrics } from './scaling-metrics.ts';
import { shootMetrics } from './shoot-metrics.ts';
import { weederMetrics } from './weeder-metrics.ts';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Every metric that the program has (SPEC 9.2), by the name that the code calls its instrument. */
export const metricList = {
  ...shootMetrics,
  ...scalingMetrics,
  ...requestMetrics,
  ...weederMetrics,
  ...programMetrics,
} as const satisfies MetricList;

/** As docs/metrics.md shows them. */
export const metricSections: Readonly<Record<string, MetricList>> = {
  'The shoots': shootMetrics,
  Scaling: scalingMetrics,
  Requests: requestMetrics,
  Weeder: weederMetrics,
  'The program itself': programMetrics,
};

/** All that the program counts and measures with, by the names of the list. */
export type Instruments = InstrumentsOf<typeof metricList>;

/** Makes every instrument of the list. Each shows in the registry that its metric is given. */
export function makeInstruments(registryOf: (metric: Metric) => Registry): Instruments {
  const made = Object.entries<Metric>(metricList).map(([key, metric]) => [key, instrument(metric, registryOf(metric))]);
  return Object.fromEntries(made) as Instruments;
}

function instrument({ name, kind, help, labels = [], buckets = [] }: Metric, registry: Registry) {
  const settings = { name, help, labelNames: [...labels], registers: [registry] };
  switch (kind) {
    case 'counter':
      return new Counter(settings);
    case 'gauge':
      return new Gauge(settings);
    case 'histogram':
      return new Histogram({ ...settings, buckets: [...buckets] });
  }
}

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { InstrumentsOf, Metric } from './metric.ts';
import { metricList } from './metric-list.ts';

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

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RoleName } from '../../../domain/names.ts';

/** What is said of a metric, beside its name and its kind. */
type About<Label extends string> = Readonly<{
  labels?: readonly Label[];
  /** Who has it; both roles unless given. */
  role?: RoleName;
  /** One or two sentences: the help of a scrape, and the beginning of what docs/metrics.md says. */
  help: string;
  /** What docs/metrics.md says after it. */
  more?: string;
  /** Why no alert and no dashboard asks for it. */
  unused?: string;
}>;

/** One metric of the list (SPEC 9.2). Its instrument, its line in docs/metrics.md and what alerts and dashboards may ask for come from it. */
export type Metric = About<string> &
  Readonly<{ name: string; kind: 'counter' | 'gauge' | 'histogram'; make(registry: Registry): unknown }>;

export type MetricList = Readonly<Record<string, Metric>>;

export const counter = <const Label extends string = never>(name: string, about: About<Label>) => ({
  ...about,
  name,
  kind: 'counter' as const,
  make: (registry: Registry) => new Counter(settings(name, about, registry)),
});

export const gauge = <const Label extends string = never>(name: string, about: About<Label>) => ({
  ...about,
  name,
  kind: 'gauge' as const,
  make: (registry: Registry) => new Gauge(settings(name, about, registry)),
});

export const histogram = <const Label extends string = never>(
  name: string,
  { buckets, ...about }: About<Label> & Readonly<{ buckets: readonly number[] }>,
) => ({
  ...about,
  name,
  kind: 'histogram' as const,
  make: (registry: Registry) => new Histogram({ ...settings(name, about, registry), buckets: [...buckets] }),
});

function settings<Label extends string>(name: string, { help, labels = [] }: About<Label>, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}

/** Only this role has these. */
export function ofRole<List extends MetricList>(role: RoleName, list: List): List {
  return Object.fromEntries(Object.entries(list).map(([key, metric]) => [key, { ...metric, role }])) as unknown as List;
}

import type { RoleName } from '../../../domain/names.ts';
import type { Counter, Gauge, Histogram } from 'prom-client';

/** One metric of the list (SPEC 9.2). Its instrument, its line in docs/metrics.md and what alerts and dashboards may ask for come from it. */
export type Metric = Readonly<{
  name: string;
  kind: 'counter' | 'gauge' | 'histogram';
  labels?: readonly string[];
  /** Of a histogram. */
  buckets?: readonly number[];
  /** Who has it; both roles unless given. */
  role?: RoleName;
  /** One or two sentences: the help of a scrape, and the beginning of what docs/metrics.md says. */
  help: string;
  /** What docs/metrics.md says after it. */
  more?: string;
  /** Why no alert and no dashboard asks for it. */
  unused?: string;
}>;

export type MetricList = Readonly<Record<string, Metric>>;

type LabelsOf<One extends Metric> = One extends { labels: readonly (infer Label extends string)[] } ? Label : never;

/** What a metric of the list is counted with. */
type InstrumentOf<One extends Metric> = One['kind'] extends 'counter'
  ? Counter<LabelsOf<One>>
  : One['kind'] extends 'gauge'
    ? Gauge<LabelsOf<One>>
    : Histogram<LabelsOf<One>>;

export type InstrumentsOf<List extends MetricList> = { readonly [Key in keyof List]: InstrumentOf<List[Key]> };

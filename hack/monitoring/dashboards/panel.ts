/** One line, or one row, of a panel. `$shoot`, `$instance` and Grafana's own `$__range` and `$__rate_interval` may stand in it. */
type Query = Readonly<{
  expr: string;
  /** `{{label}}` is the label's value. */
  legend: string;
}>;

/** From this value on, in this colour; the first one has no value. */
type Threshold = readonly [colour: 'green' | 'orange' | 'red' | 'blue', from?: number];

export type Panel = Readonly<{
  /** A question that somebody has at night. */
  title: string;
  /** How to read the answer. */
  says: string;
  kind: 'timeseries' | 'stat' | 'bargauge' | 'state-timeline' | 'table';
  /** Of 24 columns. */
  width: number;
  /** In Grafana's rows of some 30 pixels. */
  height: number;
  queries: readonly Query[];
  /** By Grafana's names: `s`, `bytes`, `percentunit`; a plain number unless given. */
  unit?: string;
  /** What a value is called. */
  words?: Readonly<Record<string, Readonly<{ text: string; colour: string }>>>;
  thresholds?: readonly Threshold[];
  stacked?: boolean;
  /** Of its lines, by their names in the legend. */
  colours?: Readonly<Record<string, string>>;
  /** A query's buckets are shown as one bar for each. */
  buckets?: boolean;
  /** The columns of a table: labels, in this order. */
  columns?: readonly string[];
  /** What is shown if there is nothing to show. */
  nothing?: string;
}>;

export type Dashboard = Readonly<{
  /** Of its file, and of its picture. */
  name: string;
  title: string;
  says: string;
  /** Chosen at its head, from the values of this label. */
  variable?: Readonly<{ name: string; label: string; of: string; many: boolean }>;
  panels: readonly Panel[];
}>;

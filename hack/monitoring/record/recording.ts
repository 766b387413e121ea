/** One series: its labels, and its values at each step, or the last one alone. */
export type Series = Readonly<{ labels: Readonly<Record<string, string>>; values: readonly (number | null)[] }>;

/** What Prometheus answered to the dashboards at the end of the story. `docs/monitoring/recording.json` is one. */
export type Recording = Readonly<{
  /** How long the story was. */
  seconds: number;
  /** From one value of a series to the next. */
  step: number;
  /** By the query, its variables filled in. */
  answers: Readonly<Record<string, readonly Series[]>>;
  /** The alerts that fired at any time. */
  alerts: readonly string[];
}>;

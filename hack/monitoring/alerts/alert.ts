/** Critical: shoots may be unprotected now. Warning: look at it today. Info: good to know. */
type Severity = 'critical' | 'warning' | 'info';

/** An alert with its runbook. The rules of deploy/monitoring and docs/runbooks.md are written from it. */
export type Alert = Readonly<{
  /** The heading of its runbook too. */
  name: string;
  severity: Severity;
  /** PromQL. One Prometheus watches one seed: nothing here names a job or a namespace. */
  expr: string;
  /** For how long it must be so. */
  for?: `${number}${'m' | 'h'}`;
  /** One line, for a telephone at night. It may name labels of the alert: `{{ $labels.shoot }}`. */
  summary: string;
  /** What it means: the description of the alert, and the beginning of its runbook. */
  means: string;
  /** What to look at, in this order. */
  look: readonly string[];
  /** What to do. */
  act: readonly string[];
}>;

import { stringify } from 'yaml';
import type { Alert, Condition } from './alerts/alerts.ts';
import { alertGroups } from './alerts/alerts.ts';

const written =
  '# Written by `npm run docs` from hack/monitoring/alerts. One Prometheus watches one seed; see README.md beside this file.\n';

/** Within this repository: it does not know under which address it is published. `runbooks.yaml` of kustomize and a value of the chart replace it. */
const runbooks = 'docs/runbooks.md';

/** The rules as Prometheus reads them from a file. */
export function ruleFile(): string {
  return written + yaml({ groups: groups() });
}

/** The same for the Prometheus operator. */
export function prometheusRule(): string {
  return (
    written +
    yaml({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: {
        name: 'dependency-watchdog',
        // The one Prometheus of a seed that tells an Alertmanager picks its rules by this label.
        labels: { prometheus: 'aggregate' },
      },
      spec: { groups: groups() },
    })
  );
}

function groups() {
  return Object.entries(alertGroups).map(([title, alerts]) => ({
    name: `dependency-watchdog: ${title}`,
    rules: alerts.flatMap((alert) => rulesOf(alert)),
  }));
}

/** A rule for each way in which the alert fires. */
export function rulesOf(alert: Alert) {
  return alert.when.map((condition) => rule(alert, condition));
}

function rule({ name, severity, summary, means }: Alert, { cause, expr, for: length }: Condition) {
  return {
    alert: name,
    expr,
    ...(length === undefined ? {} : { for: length }),
    labels: {
      severity,
      ...(cause === undefined ? {} : { cause }),
      // As Gardener's own rules of a seed have them: its Alertmanager picks by them.
      type: 'seed',
      visibility: 'operator',
      service: 'dependency-watchdog',
    },
    annotations: {
      // A template does not see the labels that the rule itself adds.
      summary: summary.replace('<cause>', cause ?? ''),
      description: plain(means),
      runbook_url: `${runbooks}#${name.toLowerCase()}`,
    },
  };
}

/** Without the links of Markdown. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

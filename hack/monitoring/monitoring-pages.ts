import { dashboardPictures, readRecording } from './dashboard-pictures.ts';
import { dashboards } from './dashboards/dashboards.ts';
import { grafanaJson } from './grafana.ts';
import { metricsPage } from './metrics-page.ts';
import { monitoringPage } from './monitoring-page.ts';
import { prometheusRule, ruleFile } from './rules.ts';
import { runbooksPage } from './runbooks-page.ts';
import { readUses } from './uses.ts';

/** What is written from the metrics, the alerts and the dashboards: the place and the text of each file. */
export function monitoringPages(): Readonly<Record<string, string>> {
  const recording = readRecording();
  return {
    'docs/metrics.md': metricsPage(readUses()),
    'docs/monitoring.md': monitoringPage(recording),
    'docs/runbooks.md': runbooksPage(),
    'deploy/monitoring/rules.yaml': ruleFile(),
    'deploy/monitoring/prometheus-rule.yaml': prometheusRule(),
    ...dashboardPictures(recording),
    ...Object.fromEntries(
      dashboards.map((dashboard) => [`deploy/monitoring/dashboards/${dashboard.name}.json`, grafanaJson(dashboard)]),
    ),
  };
}

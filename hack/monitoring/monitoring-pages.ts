import { dashboards } from './dashboards/dashboards.ts';
import { grafanaJson } from './grafana.ts';
import { metricsPage } from './metrics-page.ts';
import { monitoringPage } from './monitoring-page.ts';
import { persesDashboard } from './perses.ts';
import { forPlutono, plutonoJson } from './plutono.ts';
import { prometheusRule, ruleFile } from './rules.ts';
import { runbooksPage } from './runbooks-page.ts';
import { readUses } from './uses.ts';

/** What is written from the metrics, the alerts and the dashboards: the place and the text of each file. */
export function monitoringPages(): Readonly<Record<string, string>> {
  return {
    'docs/metrics.md': metricsPage(readUses()),
    'docs/monitoring.md': monitoringPage(),
    'docs/runbooks.md': runbooksPage(),
    'deploy/monitoring/rules.yaml': ruleFile(),
    'deploy/monitoring/prometheus-rule.yaml': prometheusRule(),
    ...Object.fromEntries(
      dashboards.map((dashboard) => [`deploy/monitoring/dashboards/${dashboard.name}.json`, grafanaJson(dashboard)]),
    ),
    ...Object.fromEntries(
      forPlutono.map((dashboard) => [`deploy/monitoring/plutono/${dashboard.name}.json`, plutonoJson(dashboard)]),
    ),
    ...Object.fromEntries(
      forPlutono.map((dashboard) => [`deploy/monitoring/perses/${dashboard.name}.json`, persesDashboard(dashboard)]),
    ),
    ...chartFiles(),
  };
}

/** The same once more: a chart can read no file outside of its folder. A line each, since nobody reads them there. */
function chartFiles(): Readonly<Record<string, string>> {
  const folder = 'deploy/chart/dependency-watchdog/files';
  return Object.fromEntries([
    [`${folder}/rules.yaml`, ruleFile()],
    ...dashboards.map((one) => [`${folder}/grafana/${one.name}.json`, short(grafanaJson(one))]),
    ...forPlutono.map((one) => [`${folder}/plutono/${one.name}.json`, short(plutonoJson(one))]),
  ]);
}

function short(json: string): string {
  return `${JSON.stringify(JSON.parse(json))}\n`;
}

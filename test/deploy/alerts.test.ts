import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Alert } from '../../hack/monitoring/alerts/alerts.ts';
import { alerts } from '../../hack/monitoring/alerts/alerts.ts';
import { dashboards } from '../../hack/monitoring/dashboards/dashboards.ts';
import { rule } from '../../hack/monitoring/rules.ts';
import { findProgram } from '../../hack/programs/find-program.ts';
import { checkout, kustomized } from './render.ts';
import { alertCases, type AlertCase, type Series } from './alert-cases.ts';

const run = promisify(execFile);
const rules = new URL('../../deploy/monitoring/rules.yaml', import.meta.url).pathname;
const dir = mkdtempSync(join(tmpdir(), 'dwd-alerts-'));
let promtool: string;

beforeAll(async () => {
  promtool = await findProgram('promtool');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('9.10 the rules are rules, and each alert has its case', async () => {
  expect((await run(promtool, ['check', 'rules', rules])).stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
  expect(Object.keys(alertCases).toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

test('9.10 kustomize makes the rules and a ConfigMap for each dashboard, small enough to be applied, and the PodMonitor leaves our labels alone', async () => {
  const made = await kustomized('deploy/monitoring');
  const rule = made.filter(({ kind }) => kind === 'PrometheusRule');
  expect(rule).toMatchObject([{ metadata: { labels: { prometheus: 'seed' } } }]);
  const maps = made.filter(({ kind }) => kind === 'ConfigMap');
  expect(maps.map(({ metadata }) => metadata.name)).toEqual(
    dashboards.map(({ name }) => `dependency-watchdog-dashboard-${name}`).toSorted(),
  );
  // kubectl apply keeps the whole object in an annotation, and all annotations have 256 KiB.
  for (const map of maps) expect(JSON.stringify(map).length).toBeLessThan(200 * 1_024);
  const monitor = parse(readFileSync(join(checkout, 'deploy/components/pod-monitor/pod-monitor.yaml'), 'utf8')) as {
    spec: { podMetricsEndpoints: readonly unknown[] };
  };
  expect(monitor.spec.podMetricsEndpoints).toEqual([expect.objectContaining({ port: 'metrics', honorLabels: true })]);
});

for (const alert of alerts)
  test(`9.10 ${alert.name} fires when it should, says so in plain words, and is silent when nearly the same happens`, async () => {
    const played = alertCases[alert.name]!;
    const { at = 59, labels = [{}] } = played;
    const file = join(dir, `${alert.name}.yaml`);
    // Alone: all rules of the file would be evaluated each minute. That the file has this very rule, `npm test` checks.
    const own = `${alert.name}.rules.yaml`;
    writeFileSync(join(dir, own), stringify({ groups: [{ name: 'one', rules: [rule(alert)] }] }));
    const scenes = [
      ...[played.fires].flat().map((series) => scene(alert, series, at, labels)),
      ...[played.silent].flat().map((series) => scene(alert, series, at, [])),
    ];
    writeFileSync(file, stringify({ rule_files: [own], evaluation_interval: '1m', tests: scenes }));
    // Promtool shows what was expected and what came.
    const problems = await run(promtool, ['test', 'rules', file]).then(
      () => '',
      (failed: { stdout: string; stderr: string }) => failed.stdout + failed.stderr,
    );
    expect(problems).toBe('');
  });

/** One test of promtool: these series, and this alert with each of these labels. */
function scene(alert: Alert, series: Series, at: number, each: NonNullable<AlertCase['labels']>) {
  const { labels, annotations } = rule(alert);
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: `${at}m`,
        alertname: alert.name,
        exp_alerts: each.map((own) => ({
          exp_labels: { ...labels, ...own },
          exp_annotations: Object.fromEntries(
            Object.entries(annotations).map(([name, text]) => [name, rendered(text, own)]),
          ),
        })),
      },
    ],
  };
}

function rendered(text: string, labels: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '');
}

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { alerts, type Alert } from '../../hack/monitoring/alerts/alerts.ts';
import { dashboards } from '../../hack/monitoring/dashboards/dashboards.ts';
import { rulesOf } from '../../hack/monitoring/rules.ts';
import { findProgram } from '@dwd/lab/programs/find-program.ts';
import { checkout, kustomized, templated } from './render.ts';
import { alertCases, type Firing } from './alert-cases.ts';
import { mutantsOf } from './alert-mutants.ts';

const run = promisify(execFile);
const rules = new URL('../../deploy/monitoring/rules.yaml', import.meta.url).pathname;
const dir = mkdtempSync(join(tmpdir(), 'dwd-alerts-'));
const majors = [3, 2] as const;
type Major = (typeof majors)[number];
let promtools: Readonly<Record<Major, string>>;

beforeAll(async () => {
  promtools = { 3: await findProgram('promtool'), 2: await findProgram('promtool-2') };
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each(majors)('9.10 the rules are rules for Prometheus %i, and each alert has its case', async (major) => {
  const version = await run(promtools[major], ['--version']);
  expect(version.stdout + version.stderr).toContain(`promtool, version ${major}.`);
  const count = alerts.flatMap(({ when }) => when).length;
  expect((await run(promtools[major], ['check', 'rules', rules])).stdout).toContain(`SUCCESS: ${count} rules found`);
  expect(Object.keys(alertCases).toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

test('9.10 kustomize makes the rules and a ConfigMap for each dashboard, small enough to be applied, and the PodMonitor leaves our labels alone', async () => {
  expect(await kustomized('deploy/monitoring')).toMatchObject([
    { kind: 'PrometheusRule', metadata: { labels: { prometheus: 'aggregate' } } },
  ]);
  const maps = await kustomized('deploy/monitoring/dashboards');
  expect(maps.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual(
    dashboards.map(({ name }) => `ConfigMap dependency-watchdog-grafana-${name}`).toSorted(),
  );
  // kubectl apply keeps the whole object in an annotation, and all annotations have 256 KiB.
  for (const map of maps) expect(JSON.stringify(map).length).toBeLessThan(200 * 1_024);
  const monitor = parse(readFileSync(join(checkout, 'deploy/components/pod-monitor/pod-monitor.yaml'), 'utf8')) as {
    spec: { podMetricsEndpoints: readonly unknown[] };
  };
  expect(monitor.spec.podMetricsEndpoints).toEqual([expect.objectContaining({ port: 'metrics', honorLabels: true })]);
});

test('9.10 one line of kustomize, or one value of the chart, is the address of all runbooks', async () => {
  const url = 'https://git.example.org/watchdog/docs/runbooks.md';
  const own = join(dir, 'monitoring');
  cpSync(join(checkout, 'deploy/monitoring'), own, { recursive: true });
  const runbooks = join(own, 'runbooks.yaml');
  writeFileSync(runbooks, readFileSync(runbooks, 'utf8').replace('url: docs/runbooks.md', `url: ${url}`));
  const values = ['prometheusRule.enabled=true', `prometheusRule.runbooks="${url}"`];
  for (const made of [await kustomized(own), await templated(values)]) {
    const text = JSON.stringify(made.filter(({ kind }) => kind === 'PrometheusRule'));
    const led = new Set([...text.matchAll(/"runbook_url":"([^"]+)"/g)].map(([, address]) => address));
    expect(led).toEqual(new Set(alerts.map(({ name }) => `${url}#${name.toLowerCase()}`)));
  }
});

for (const major of majors)
  test.each(alerts)(
    `9.10 $name fires in Prometheus ${major} from the right minute on, says so in plain words, and is silent when nearly the same happens`,
    async (alert) => expect(await problemsOf(major, alert)).toBe(''),
  );

// A case that sees a slip in one Prometheus sees it in the other: what it is made of passes in both.
test.each(alerts)('9.10 each slip in $name is seen by its case', async (alert) => {
  const mutants = mutantsOf(alert);
  expect(mutants.length).toBeGreaterThan(1);
  const unseen: string[] = [];
  for (const mutant of mutants) if ((await problemsOf(3, mutant.alert)) === '') unseen.push(mutant.says);
  expect(unseen).toEqual([]);
});

/** What promtool complains of when the alert's case is played to it: it shows what was expected and what came. */
async function problemsOf(major: Major, alert: Alert): Promise<string> {
  const own = join(dir, 'own.rules.yaml');
  const file = join(dir, 'own.yaml');
  // Alone: all rules of the file would be evaluated each minute. That the file has these very rules, `npm test` checks.
  writeFileSync(own, stringify({ groups: [{ name: 'one', rules: rulesOf(alert) }] }));
  writeFileSync(file, stringify({ rule_files: [own], evaluation_interval: '1m', tests: scenes(alert, major) }));
  return await run(promtools[major], ['test', 'rules', file]).then(
    () => '',
    (failed: { stdout: string; stderr: string }) => failed.stdout + failed.stderr,
  );
}

function scenes(alert: Alert, major: Major) {
  const { fires, silent, minutes = 60 } = alertCases[alert.name]!;
  const causes = new Set(alert.when.map(({ cause }) => cause));
  return [
    ...fires.filter(({ labels = [] }) => causes.has(labels[0]?.['cause'])).map((firing) => scene(alert, major, firing)),
    ...silent.map((series) => scene(alert, major, { series, at: minutes, labels: [] })),
  ];
}

/** One test of promtool: these series, silence in each minute before, and then this alert with each of these labels. */
function scene(alert: Alert, major: Major, { series, at, labels: each = [{}] }: Firing) {
  const before = Array.from({ length: at }, (_, minute) => ({ eval_time: `${minute}m`, alertname: alert.name }));
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: asStored(name, major), values })),
    alert_rule_test: [
      ...before,
      {
        eval_time: `${at}m`,
        alertname: alert.name,
        exp_alerts: each.map((own) => {
          const { labels, annotations } = rulesOf(alert).find((rule) => rule.labels.cause === own['cause'])!;
          return {
            exp_labels: { ...labels, ...own },
            exp_annotations: Object.fromEntries(
              Object.entries(annotations).map(([name, text]) => [name, rendered(text, own)]),
            ),
          };
        }),
      },
    ],
  };
}

/** Prometheus 3 stores the bound of a bucket as a float, and so `le="2"` as `le="2.0"`. */
function asStored(series: string, major: Major): string {
  return major === 2 ? series : series.replace(/\ble="(-?\d+)"/, 'le="$1.0"');
}

function rendered(text: string, labels: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '');
}

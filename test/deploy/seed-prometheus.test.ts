import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newest } from '@dwd/lab/gardener/rendering.ts';
import { fileOfModule } from './foreign-definitions.ts';
import { checkout, kustomized, templated } from './render.ts';
import { renderings } from './renderings.ts';

const gardener = `github.com/gardener/gardener@${newest}`;
const observability = 'pkg/component/observability';
const ofGardener = (path: string) => fileOfModule(gardener, path);

/** Gardener's Prometheuses of a seed, by their names, and the code that makes each. */
async function prometheuses(): Promise<ReadonlyMap<string, string>> {
  const components = await ofGardener('pkg/gardenlet/controller/seed/seed/components.go');
  const makers = components.split(/^func /m).filter((code) => /^\(r \*Reconciler\) new\w+Prometheus\(/.test(code));
  return new Map(makers.map((code) => [/\bName:\s+"(\w+)"/.exec(code)?.[1] ?? '', code]));
}

const labelsOf = async (): Promise<ReadonlySet<unknown>> => {
  const rows = renderings.filter(({ overlay }) => overlay === 'gardener' || overlay === 'beside-gardenlet');
  const all = await Promise.all(
    rows.flatMap(({ overlay, settings }) => [kustomized(`deploy/overlays/${overlay}`), templated(settings)]),
  );
  const picked = all.flat().filter(({ kind }) => kind === 'PodMonitor' || kind === 'PrometheusRule');
  // Two ways to say two rows, of which one has rules.
  expect(picked).toHaveLength(6);
  return new Set(
    picked.map(({ metadata }) => (metadata as { labels?: Record<string, string> }).labels?.['prometheus']),
  );
};

test("9.10 on a seed our rules are judged by the Prometheus that tells the seed's Alertmanager, and it is let in", async () => {
  const made = await prometheuses();
  expect([...made.keys()].toSorted()).toEqual(['aggregate', 'cache', 'seed']);
  const alerting = [...made].filter(([, code]) => /Alerting = .*"alertmanager-seed"/s.test(code));
  expect(alerting.map(([name]) => name)).toEqual(['aggregate']);
  // Each picks what bears its name, in all namespaces.
  const selectors = await ofGardener(`${observability}/monitoring/prometheus/prometheus.go`);
  for (const what of ['PodMonitorSelector', 'RuleSelector'])
    expect(selectors).toMatch(new RegExp(`${what}:\\s+.*MatchLabels: monitoringutils\\.Labels\\(p\\.values\\.Name\\)`));
  expect(await labelsOf()).toEqual(new Set(['aggregate']));
  // By our Services' annotation `from-all-seed-scrape-targets-allowed-ports`.
  expect(alerting[0]![1]).toContain('constants.LabelNetworkPolicySeedScrapeTargets');
});

test("9.10 Plutono's data source is that Prometheus, and docs/gardener.md says when its Alertmanager tells anybody", async () => {
  const plutono = await ofGardener(`${observability}/plutono/plutono.go`);
  expect(plutono).toMatch(/ClusterTypeSeed \{\s+prometheusSuffix, maxLine = "aggregate"/);
  const config = await ofGardener(`${observability}/monitoring/alertmanager/config.go`);
  const page = readFileSync(join(checkout, 'docs/gardener.md'), 'utf8');
  for (const [said, shown] of [
    ['GroupBy: []string{"service"}', 'groups by `service`'],
    ['GroupWait: ptr.To(monitoringv1.NonEmptyDuration("5m"))', 'waits 5 minutes'],
    ['RepeatInterval: ptr.To(monitoringv1.NonEmptyDuration("72h"))', 'repeats after 72 hours'],
  ] as const) {
    expect(config).toContain(said);
    expect(page).toContain(shown);
  }
});

import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { createMetrics, type Metrics } from '../../src/adapters/record/metrics/metrics.ts';
import type { Metric } from '../../src/adapters/record/metrics/metric.ts';
import { metricList } from '../../src/adapters/record/metrics/metric-list.ts';
import { alerts } from '../../hack/monitoring/alerts/alerts.ts';
import { monitoringPages } from '../../hack/monitoring/monitoring-pages.ts';
import { readPromql } from '../../hack/monitoring/promql.ts';
import { familyOf, queries, readUses } from '../../hack/monitoring/uses.ts';
import { collectGarbage } from '@dwd/testing/collect-garbage.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { calmShoot, meltdown, ofShoots, twoPathNight, ofNamespaces, recovery } from '@dwd/testing/recorded-nights.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';

/** What Prometheus adds to each series: from its own configuration, or from a PodMonitor. */
const targetLabels: ReadonlySet<string> = new Set(['job', 'instance', 'pod']);

/** For each series that the program renders, its labels, by its name. */
let rendered: ReadonlyMap<string, ReadonlySet<string>>;

beforeAll(async () => {
  const labels = new Map<string, Set<string>>();
  for (const role of ['prober', 'weeder'] as const) {
    const metrics = await withEverythingMet(role);
    for (const line of (await metrics.text()).split('\n')) {
      const [, name, inBraces = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
      if (name === undefined) continue;
      const own = labels.get(name) ?? new Set();
      for (const [, label] of inBraces.matchAll(/(\w+)="/g)) own.add(label!);
      labels.set(name, own);
    }
  }
  rendered = labels;
});

/** Metrics of a role to which everything has happened that makes a series. */
async function withEverythingMet(role: 'prober' | 'weeder'): Promise<Metrics> {
  const watch = 'deployments/kube-controller-manager';
  const watches = { names: [watch], outFor: () => new Map([[watch, 1]]), refused: () => new Set([watch]) };
  const metrics = createMetrics(role, watches, undefined, () => 'https://seed');
  const [story, weeded] = [[...(await meltdown()), ...(await twoPathNight())], await recovery()];
  const turns = role === 'prober' ? [...ofShoots(story, 1), ...(await oddShoots())] : ofNamespaces(weeded, 1);
  for (const turn of turns) if (turn.event.type !== 'ended') metrics.observe(turn);
  metrics.onSeedRequest({ verb: 'get', resource: 'leases', code: '200', method: 'GET', took: 1 });
  metrics.onShootRequest({ code: '200' });
  metrics.onElected('lease', true);
  metrics.onStrays(['s1']);
  // Its series comes with the first collection, and with the report of it.
  collectGarbage();
  await vi.waitFor(async () => expect(await metrics.text()).toContain('nodejs_gc_duration_seconds_sum'));
  return metrics;
}

/** One flaps and is down, one has odd leases, the Cluster of one cannot be read, and one cannot be judged. */
async function oddShoots(): Promise<readonly ShootTurn[]> {
  const flapping = await calmShoot();
  for (let downs = 0; downs < 3; downs++) {
    flapping.world.heal();
    await flapping.pass(60_000);
    flapping.world.cutOff();
    await flapping.pass(60_000);
  }
  const odd = new GuardedWorld(gardenerConfig);
  odd.world.shootAhead = 30_000;
  for (const node of odd.world.nodes) node.view = { ...node.view, trueConditions: ['Ready'] };
  odd.world.nodes[1]!.clockBehind = -60_000;
  odd.world.cutOff(1);
  await odd.pass(600_000);
  const unreadable = await calmShoot();
  unreadable.world.setCluster({ readable: false, problem: 'no' });
  await unreadable.pass(1_000);
  const unjudged = await calmShoot();
  for (const node of unjudged.world.nodes) node.machine = undefined;
  await unjudged.pass(900_000);
  const worlds = { flapping, odd, unreadable, unjudged };
  return Object.entries(worlds).flatMap(([subject, { turns }]) => turns.map((turn) => ({ ...turn, subject })));
}

test('9.2 9.10 everything that alerts and dashboards ask for is rendered, with the labels that they name', () => {
  expect(queries.length).toBeGreaterThan(100);
  const wrong = queries.flatMap(({ by, name, expr }) => {
    const { metrics, groupings } = readPromql(expr);
    const known = new Set([...targetLabels, ...metrics.flatMap((one) => [...(rendered.get(one.name) ?? [])])]);
    return [
      ...(metrics.length === 0 ? ['asks for nothing'] : []),
      ...metrics.filter((one) => !rendered.has(one.name)).map((one) => `nobody renders ${one.name}`),
      ...metrics.flatMap((one) =>
        one.labels
          .filter((label) => !targetLabels.has(label) && rendered.get(one.name)?.has(label) !== true)
          .map((label) => `${one.name} has no label ${label}`),
      ),
      ...groupings.filter((label) => !known.has(label)).map((label) => `nothing in it has the label ${label}`),
    ].map((problem) => `${by}, ${name}: ${problem}: ${expr}`);
  });
  expect(wrong).toEqual([]);
});

test('9.2 9.10 what is rendered is in the list, with its labels, and all of the list is rendered', () => {
  const listed = new Map(Object.values<Metric>(metricList).map((metric) => [metric.name, metric]));
  const ours = [...rendered].filter(([name]) => !/^(?:process|nodejs)_/.test(name));
  const families = Map.groupBy(ours, ([name]) => (listed.has(name) ? name : familyOf(name)));
  expect([...families.keys()].toSorted()).toEqual([...listed.keys()].toSorted());
  for (const [name, series] of families) {
    const labels = new Set(series.flatMap(([, own]) => [...own]));
    labels.delete('le');
    expect([name, [...labels].toSorted()]).toEqual([name, [...(listed.get(name)?.labels ?? [])].toSorted()]);
  }
});

test('9.10 each metric is used by an alert or a dashboard, or says why not, and does not say both', () => {
  const uses = readUses();
  const wrong = Object.values<Metric>(metricList).filter(
    ({ name, unused }) => uses.has(name) === (unused !== undefined),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('9.10 each alert says what it means, what to look at and what to do, and its runbook is where its address leads', () => {
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  const { 'docs/runbooks.md': page = '', 'deploy/monitoring/rules.yaml': rules = '' } = monitoringPages();
  const headings = new Set([...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!.toLowerCase()));
  const led = [...rules.matchAll(/runbook_url: docs\/runbooks\.md#(\S+)$/gm)].map(([, anchor]) => anchor!);
  expect(new Set(led)).toEqual(headings);
  for (const { name, summary, means, look, act } of alerts) {
    expect([name, summary.length > 20, means.length > 40, look.length > 0, act.length > 0]).toEqual([
      name,
      true,
      true,
      true,
      true,
    ]);
    // One line of a telephone.
    expect([name, summary.length <= 110]).toEqual([name, true]);
  }
});

test('9.10 an alert names in its summary only labels that it has', () => {
  const wrong = alerts.flatMap(({ name, when, summary }) =>
    when.flatMap(({ expr }) =>
      [...summary.matchAll(/\$labels\.(\w+)/g)]
        .filter(([, label]) => !readPromql(expr).groupings.includes(label!))
        .map(([, label]) => `${name}: ${label}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('9.10 where an alert has several causes, its label says which, and its runbook and its first line speak of it', () => {
  for (const { name, when, summary } of alerts)
    expect([name, new Set(when.map(({ cause }) => cause)).size, summary.includes('<cause>')]).toEqual([
      name,
      when.length,
      when.length > 1,
    ]);
});

test('9.10 few alerts wake somebody, and each says why', () => {
  expect(alerts.length).toBeLessThanOrEqual(18);
  expect(alerts.filter(({ severity }) => severity === 'critical')).toHaveLength(7);
  for (const { name, because } of alerts) expect([name, because.length > 40]).toEqual([name, true]);
});

test('9.10 nothing asks for one bound of a bucket: Prometheus 2 and 3 write it differently', () => {
  expect(queries.filter(({ expr }) => /\ble=/.test(expr.replaceAll(/\s/g, '')))).toEqual([]);
});

test('9.10 what is written from the list is the present list', () => {
  const stale = Object.entries(monitoringPages()).filter(
    ([page, text]) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8') !== text,
  );
  expect(stale.map(([page]) => page)).toEqual([]);
});

test('9.10 a query that is none is found', () => {
  expect(() => readPromql('sum(dwd_shoots')).toThrow('no PromQL');
  expect(readPromql('sum by (le) (rate(a_bucket{x="1"}[5m])) > on (y) b')).toEqual({
    metrics: [
      { name: 'a_bucket', labels: ['x'] },
      { name: 'b', labels: [] },
    ],
    groupings: ['le', 'y'],
  });
});

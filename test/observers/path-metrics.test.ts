import { expect, onTestFinished, test } from 'vitest';
import { createMetrics, type Metrics } from '../../src/adapters/record/metrics/metrics.ts';
import type { ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import { twoPathNight } from '@dwd/testing/recorded-nights.ts';
import { PathWorld } from './path-world.ts';

const night = await twoPathNight();

function fresh(turns: readonly ShootTurn[]): Metrics {
  const metrics = createMetrics('prober');
  for (const turn of turns) metrics.observe(turn);
  return metrics;
}

/** The series whose name and labels begin with this text, with their values. */
async function series(metrics: Metrics, beginning: string): Promise<Readonly<Record<string, number>>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(beginning));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

/** `internal unreachable: 3`, of each series of failures. */
async function failures(metrics: Metrics): Promise<Readonly<Record<string, number>>> {
  const found = await series(metrics, 'dwd_probe_failures_total{');
  return Object.fromEntries(
    Object.entries(found).map(([name, count]) => [
      [...name.matchAll(/(?:probe|reason)="(\w+)"/g)].map(([, value]) => value).join(' '),
      count,
    ]),
  );
}

const failing = 'dwd_internal_path_failed{shoot="shoot--sim--one"}';

async function connected(): Promise<PathWorld> {
  const paths = await PathWorld.connected();
  onTestFinished(() => paths.guarded.stop());
  return paths;
}

test('4.9 9.2 a failing path is counted by its name and its reason, once for each probe', async () => {
  const asked = (path: ShootPath) =>
    night.flatMap(({ event }) => (event.type === 'path.answered' && event.path === path ? [event] : []));
  const refused = (path: ShootPath) => asked(path).filter(({ failure }) => failure !== undefined).length;
  // The first question to an API server that is down goes out on both paths.
  expect(await failures(fresh(night))).toEqual({
    'external unreachable': refused('external') - 1,
    'internal unreachable': refused('internal'),
  });
  expect(refused('external')).toBeGreaterThan(5);
});

const judged: readonly (readonly [ProbeFailureReason, 'answered' | 'failed'])[] = [
  ['unauthorized', 'answered'],
  ['throttled', 'answered'],
  ['unreachable', 'failed'],
  ['certificate', 'failed'],
  ['timeout', 'failed'],
  ['refused', 'failed'],
  ['garbled', 'failed'],
  ['tooLarge', 'failed'],
  ['kubeconfig', 'failed'],
  ['local', 'failed'],
];

test.for(judged)('4.9 9.2 on the external path %s is counted as %s', async ([reason, as]) => {
  const paths = await connected();
  const metrics = fresh(await paths.during(30_000, { external: reason }));
  expect(Object.keys(await failures(metrics))).toEqual(as === 'failed' ? [`external ${reason}`] : []);
});

test('4.9 9.2 where the internal path fails, the external one is not counted, whichever answers first', async () => {
  for (const slow of [
    { internal: 5, external: 900 },
    { internal: 900, external: 5 },
  ]) {
    const paths = await connected();
    const metrics = fresh(await paths.during(20_000, { internal: 'unreachable', external: 'refused' }, slow));
    expect(Object.keys(await failures(metrics))).toEqual(['internal unreachable']);
  }
});

test('4.9 9.2 a time-out of the external path is no failure of it where the internal one was slow', async () => {
  for (const external of [4_900, 1_000]) {
    const paths = await connected();
    const turns = await paths.during(60_000, { external: 'timeout' }, { internal: 3_000, external });
    expect(turns.some(({ notes }) => notes.some(({ kind }) => kind === 'verdict'))).toBe(false);
    expect(Object.keys(await failures(fresh(turns)))).toEqual(['external slow']);
  }
});

test('4.9 9.2 each probe of two paths is timed once, to the last answer that is waited for', async () => {
  const paths = await connected();
  const both = fresh(await paths.during(60_000, {}, { internal: 5, external: 300 }));
  const seen = await series(both, 'dwd_probe_duration_seconds');
  const count = seen['dwd_probe_duration_seconds_count']!;
  expect(count).toBeGreaterThan(3);
  expect(seen['dwd_probe_duration_seconds_sum']).toBeCloseTo(0.3 * count, 5);
  const alone = fresh(await paths.during(15_000, { internal: 'garbled' }));
  const { dwd_probe_duration_seconds_sum: sum, dwd_probe_duration_seconds_count: asked } = await series(
    alone,
    'dwd_probe_duration_seconds',
  );
  expect(sum).toBeCloseTo(0.005 * asked!, 5);
});

test('4.9 9.2 a shoot whose internal path fails has a series from the third failure in a row until it answers', async () => {
  const metrics = fresh([]);
  let inARow = 0;
  let said = 0;
  for (const turn of night) {
    metrics.observe(turn);
    const { event } = turn;
    if (event.type === 'path.answered' && event.path === 'internal')
      inARow = event.failure === undefined ? 0 : inARow + 1;
    const shown = await series(metrics, 'dwd_internal_path_failed{');
    expect(shown).toEqual(inARow < 3 ? {} : { [failing]: 1 });
    said += Object.keys(shown).length;
  }
  expect(said).toBeGreaterThan(0);
});

test('4.9 9.2 the series goes when the path answers, and with the shoot', async () => {
  const paths = await connected();
  const { turns } = paths.guarded;
  const all = async () => await series(fresh(turns), 'dwd_internal_path_failed{');
  await paths.during(30_000, { internal: 'unreachable' });
  expect(await all()).toEqual({ [failing]: 1 });
  // Our own fault is no answer, and no failure.
  await paths.during(40_000, { internal: 'local' });
  expect(await all()).toEqual({ [failing]: 1 });
  const [last] = turns.slice(-1);
  for (const because of ['gone', 'bug'] as const) {
    const metrics = fresh([...turns, { ...last!, event: { type: 'ended', at: last!.at, because } }]);
    expect(await series(metrics, 'dwd_internal_path_failed{')).toEqual({});
  }
  await paths.during(40_000, { internal: 'throttled' });
  expect(await all()).toEqual({});
  await paths.during(60_000, { internal: 'unreachable' });
  paths.guarded.world.setCluster(undefined);
  await paths.guarded.pass(1_000);
  expect(await all()).toEqual({});
});

test('4.9 9.2 a path that never answers is a loss of its own', async () => {
  for (const [faults, name] of [
    [{ internal: 'silent' }, 'internal lost'],
    [{ external: 'silent' }, 'external lost'],
  ] as const) {
    const paths = await connected();
    expect(Object.keys(await failures(fresh(await paths.during(30_000, faults))))).toContain(name);
  }
});

test('4.9 9.2 with two paths leases and clocks show nothing, and delay and margin are measured once', async () => {
  const metrics = fresh(night);
  expect(await series(metrics, 'dwd_leases_')).toEqual({});
  expect(await series(metrics, 'dwd_shoot_clock_difference_seconds')).toEqual({});
  const delay = await series(metrics, 'dwd_decision_delay_seconds');
  // Three questions, a third of the interval apart.
  expect(delay['dwd_decision_delay_seconds_count']).toBe(1);
  expect(delay['dwd_decision_delay_seconds_bucket{le="5"}']).toBe(0);
  expect(delay['dwd_decision_delay_seconds_bucket{le="10"}']).toBe(1);
  const margin = await series(metrics, 'dwd_kcm_margin_seconds');
  expect(margin['dwd_kcm_margin_seconds_count']).toBe(1);
  expect(margin['dwd_kcm_margin_seconds_bucket{le="0"}']).toBe(0);
});

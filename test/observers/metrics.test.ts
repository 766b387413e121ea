import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics, type Metrics } from '../../src/adapters/record/metrics/metrics.ts';
import type { Turn } from '../../src/effects/turn.ts';
import { crowdedShoot } from '../support/guarded-shoots.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { calmShoot, meltdown, ofShoots, apiserver, ofNamespaces, recovery } from '@dwd/testing/recorded-nights.ts';
import { pod, WeederStage } from '@dwd/testing/weeder-stage.ts';

const story = await meltdown();
const gone = story.findIndex(({ event }) => event.type === 'ended');
const weeded = await recovery();
const departed = weeded.findIndex(({ event }) => event.type === 'ended');

function fresh(turns: readonly Turn[] = [], role?: 'prober' | 'weeder'): Metrics {
  const metrics = createMetrics(role);
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

async function seriesAbove0(metrics: Metrics, beginning: string): Promise<Readonly<Record<string, number>>> {
  return Object.fromEntries(Object.entries(await series(metrics, beginning)).filter(([, value]) => value > 0));
}

function names(text: string): Set<string> {
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
}

const specified = [
  'dwd_probes_active',
  'dwd_seed_api_requests_total',
  'dwd_shoot_api_requests_total',
  'dwd_throttled_requests_total',
  'dwd_scale_operations_total',
  'dwd_shoot_state',
  'dwd_probe_failures_total',
  'dwd_probe_duration_seconds',
  'dwd_decision_delay_seconds',
  'dwd_kcm_margin_seconds',
  'dwd_weeders_active',
  'dwd_pods_weeded_total',
  'dwd_leader',
];

/** Each of these shoots has one lease of each kind. */
function oddLeases(...shoots: readonly string[]): Readonly<Record<string, number>> {
  const names = ['dwd_leases_ahead', 'dwd_leases_not_renewed'];
  return Object.fromEntries(names.flatMap((name) => shoots.map((shoot) => [`${name}{shoot="${shoot}"}`, 1])));
}

test('5.8 9.2 a shoot that cannot be judged has a series, until it can, and no longer once it pauses', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  const told = () => series(fresh(ofShoots(guarded.turns, 1), 'prober'), 'dwd_unjudged_shoots');
  for (const node of guarded.world.nodes) node.machine = undefined;
  await guarded.pass(900_000);
  const one = { 'dwd_unjudged_shoots{shoot="shoot--0"}': 1 };
  expect(await told()).toEqual(one);
  for (const node of guarded.world.nodes) node.machine = 'Running';
  await guarded.pass(900_000);
  expect(await told()).toEqual({});
  for (const node of guarded.world.nodes) node.machine = undefined;
  await guarded.pass(4_500_000);
  expect(await told()).toEqual(one);
  guarded.world.setCluster(undefined);
  await guarded.pass(60_000);
  expect(await told()).toEqual({});
});

test('5.1 5.5 9.2 leases that something is wrong with are shown with their shoot, and no longer once it pauses or goes', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  for (const node of guarded.world.nodes) node.view = { ...node.view, trueConditions: ['Ready'] };
  guarded.world.nodes[1]!.clockBehind = -60_000;
  guarded.world.cutOff(1);
  await guarded.pass(600_000);
  const metrics = fresh(ofShoots(guarded.turns, 2), 'prober');
  expect(await series(metrics, 'dwd_leases_')).toEqual(oddLeases('shoot--0', 'shoot--1'));
  expect(await series(metrics, 'dwd_shoots_with_leases_')).toEqual({
    dwd_shoots_with_leases_ahead_total: 2,
    dwd_shoots_with_leases_left_out_total: 0,
    dwd_shoots_with_leases_not_renewed_total: 2,
  });
  const last = ofShoots(guarded.turns.slice(-1), 2);
  for (const turn of last.slice(1))
    metrics.observe({ ...turn, event: { type: 'ended', at: turn.at, because: 'gone' } });
  expect(await series(metrics, 'dwd_leases_')).toEqual(oddLeases('shoot--0'));
  for (const turn of last.slice(0, 1)) metrics.observe({ ...turn, from: 'probing', to: 'idle', notes: [] });
  expect(await series(metrics, 'dwd_leases_')).toEqual({});
});

test('5.1 9.2 a clock that differs from ours is shown with its shoot, until none did for ten minutes', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  guarded.world.shootAhead = -30_000;
  await guarded.pass(60_000);
  const shown = async () => Object.entries(await series(fresh(guarded.turns), 'dwd_shoot_clock_difference_seconds'));
  const [[name, difference] = []] = await shown();
  expect(name).toBe(`dwd_shoot_clock_difference_seconds{shoot="${guarded.turns[0]!.subject}"}`);
  expect(Math.round(difference!)).toBe(30);
  guarded.world.shootAhead = 0;
  await guarded.pass(60_000);
  expect(await shown()).toHaveLength(1);
  await guarded.pass(600_000);
  expect(await shown()).toEqual([]);
});

test('4.7 9.2 a shoot whose oldest leases are left out is counted once', async () => {
  const crowded = crowdedShoot(() => 500);
  await crowded.pass(120_000);
  const metrics = fresh(ofShoots(crowded.turns, 2), 'prober');
  expect(await series(metrics, 'dwd_shoots_with_leases_left')).toEqual({ dwd_shoots_with_leases_left_out_total: 2 });
});

test('9.2 every metric that is promised is there, and each that is there is described', async () => {
  const text = await fresh().text();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, kind]) => `${name} ${kind}`);
  expect(names.map((name) => name.split(' ')[0])).toEqual(expect.arrayContaining(specified));
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const described = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name, kind]) => `${name} ${kind}`);
  expect(described.toSorted()).toEqual(names.toSorted());
});

test('9.2 a shoot shows the state that it is in, and no other', async () => {
  const metrics = fresh();
  for (const turn of story.slice(0, gone)) {
    metrics.observe(turn);
    expect(await series(metrics, 'dwd_shoot_state{')).toEqual({
      [`dwd_shoot_state{shoot="${turn.subject}",state="${turn.to}"}`]: 1,
    });
  }
});

test('9.2 shoots are counted by state, each in one, and no longer when they go', async () => {
  const metrics = fresh();
  const counted = async () => await seriesAbove0(metrics, 'dwd_shoots{');
  // A turn of each of the three, and then all are in the same state.
  const turns = ofShoots(story.slice(0, gone), 3);
  for (let next = 0; next < turns.length; next += 3) {
    for (const turn of turns.slice(next, next + 3)) metrics.observe(turn);
    expect(await counted()).toEqual({ [`dwd_shoots{state="${turns[next]!.to}"}`]: 3 });
  }
  const shown = await series(metrics, 'dwd_shoots{');
  expect(Object.keys(shown)).toHaveLength(6);
  expect(await seriesAbove0(fresh(story), 'dwd_shoots{')).toEqual({});
});

test('9.2 9.4 shoots that flap are counted until they do not, or are gone', async () => {
  const metrics = fresh();
  const flapping = async () => Object.keys(await series(metrics, 'dwd_shoots_flapping')).length;
  const [first] = story;
  const turn = (at: number, from: 'probing' | 'scalingDown', to: 'probing' | 'scalingDown') =>
    metrics.observe({ ...first!, at, from, to, event: { type: 'woken', at }, commands: [], notes: [] });
  for (const minute of [0, 1, 2]) {
    expect(await flapping()).toBe(0);
    turn(minute * 60_000, 'probing', 'scalingDown');
    turn(minute * 60_000 + 1, 'scalingDown', 'probing');
  }
  expect(await flapping()).toBe(1);
  metrics.observe({ ...first!, event: { type: 'ended', at: 180_000, because: 'gone' } });
  expect(await flapping()).toBe(0);
});

test('9.2 the series of a shoot go when it goes, and those of the others stay', async () => {
  const metrics = fresh(
    ofShoots(story, 3).filter(({ subject, event }) => event.type !== 'ended' || subject === 'shoot--1'),
  );
  const text = await metrics.text();
  expect(text).not.toContain('shoot--1');
  for (const family of ['dwd_shoot_state', 'dwd_probe_failures_total'])
    for (const shoot of ['shoot--0', 'shoot--2']) expect(text).toContain(`${family}{shoot="${shoot}"`);
  expect(await series(fresh(story), 'dwd_shoot_state{')).toEqual({});
  expect(await series(fresh(story), 'dwd_probes_active')).toEqual({ dwd_probes_active: 0 });
});

test('9.2 a bug takes the state, but not the counts', async () => {
  const upTo = story.slice(0, gone);
  const last = upTo.at(-1)!;
  const metrics = fresh([...upTo, { ...last, event: { type: 'ended', at: last.at, because: 'bug' } }]);
  expect(await series(metrics, 'dwd_bugs_total')).toEqual({ dwd_bugs_total: 1 });
  expect(await series(metrics, 'dwd_shoot_state{')).toEqual({});
  expect(Object.keys(await series(metrics, 'dwd_probe_failures_total{'))).not.toEqual([]);
});

test('9.2 probe failures are counted by what was asked and why it failed', async () => {
  const failures = story.filter(({ event }) => event.type === 'probe.failed').length;
  const metrics = fresh(story.slice(0, gone));
  expect(await series(metrics, 'dwd_probe_failures_total{')).toEqual({
    'dwd_probe_failures_total{shoot="shoot--sim--one",probe="apiserver",reason="unreachable"}': failures,
  });
  for (const [stage, probe] of [
    ['leases', 'lease'],
    ['nodes', 'node'],
    ['machines', 'machine'],
  ] as const) {
    const failure = { stage, reason: 'timeout' as const, detail: '' };
    metrics.observe({
      ...story[gone - 1]!,
      event: { type: 'candidates.failed', at: 1, number: 1, failure },
      commands: [],
      notes: [],
    });
    const name = `dwd_probe_failures_total{shoot="shoot--sim--one",probe="${probe}",reason="timeout"}`;
    expect(await series(metrics, name)).toEqual({ [name]: 1 });
  }
});

test('9.2 each probe is timed once, from command to answer', async () => {
  const metrics = fresh(story);
  const answered = story.filter(({ event }) => event.type === 'probe.answered' || event.type === 'probe.failed').length;
  const seen = await series(metrics, 'dwd_probe_duration_seconds');
  expect(seen['dwd_probe_duration_seconds_count']).toBe(answered);
  // The simulated shoot answers after 8 ms, and fails after 1.
  expect(seen['dwd_probe_duration_seconds_bucket{le="0.01"}']).toBe(answered);
  // The answer to a probe that was given up comes late.
  const late = story.find(({ event }) => event.type === 'probe.answered')!;
  if (late.event.type !== 'probe.answered') throw new Error('story');
  metrics.observe({ ...late, event: { ...late.event, number: late.event.number - 1 } });
  expect((await series(metrics, 'dwd_probe_duration_seconds'))['dwd_probe_duration_seconds_count']).toBe(answered);
});

test('9.2 writes are counted by direction and result, those of annotations alone included', async () => {
  const metrics = fresh(story.slice(0, gone));
  const counted = async () => await seriesAbove0(metrics, 'dwd_scale_operations_total');
  expect(await counted()).toEqual({
    'dwd_scale_operations_total{direction="down",result="written"}': 3,
    'dwd_scale_operations_total{direction="up",result="written"}': 6,
  });
  const write = ofShoots(story, 1).find(({ event }) => event.type === 'scale.answered')!;
  if (write.event.type !== 'scale.answered') throw new Error('story');
  for (const change of [{ mark: true }, { mark: false, record: null }] as const)
    metrics.observe({ ...write, event: { ...write.event, asked: { ...write.event.asked, change } }, notes: [] });
  expect(Object.values(await counted())).toEqual([4, 7]);
});

test('9.2 each series whose labels are known is there from the start at 0, so that increase() sees the first event', async () => {
  const watches = {
    names: ['clusters', 'secrets/x'],
    outFor: () => new Map([['clusters', 0]]),
    refused: () => new Set<string>(),
  };
  const bare = new Map<string, readonly string[]>();
  for (const role of ['prober', 'weeder'] as const) {
    const metrics = createMetrics(role, watches);
    const text = await metrics.text();
    const counters = [...text.matchAll(/^# TYPE (\w+) counter$/gm)].map(([, name]) => name!);
    const begun = counters.filter(
      (name) => name.startsWith('dwd_') && new RegExp(`^${name}({|  ?\\d)`, 'm').test(text),
    );
    bare.set(
      role,
      counters.filter((name) => name.startsWith('dwd_') && !begun.includes(name)),
    );
    for (const one of [
      'dwd_watch_restarts_total{resource="secrets/x"}',
      'dwd_watch_objects_dropped_total{resource="clusters"}',
      'dwd_watch_out_seconds{resource="clusters"}',
      'dwd_events_dropped_total{reason="forbidden"}',
      'dwd_journal_dropped_turns_total{reason="writeFailed"}',
      'dwd_journal_dropped_bytes_total{reason="files"}',
      'dwd_observer_faults_total{observer="journal"}',
      'dwd_turns_total{event="ended"}',
      ...(role === 'prober'
        ? [
            'dwd_scale_operations_total{direction="down",result="failed"}',
            'dwd_missing_dependants_total{direction="up"}',
            'dwd_timed_out_steps_total{direction="down"}',
          ]
        : ['dwd_pod_deletions_total{result="throttled"}']),
    ])
      expect(text).toContain(`${one} 0\n`);
  }
  // A label of these is what a server answers, or a name that is not known yet.
  expect(Object.fromEntries(bare)).toEqual({
    prober: ['dwd_probe_failures_total', 'dwd_seed_api_requests_total', 'dwd_shoot_api_requests_total'],
    weeder: ['dwd_seed_api_requests_total', 'dwd_pods_weeded_total', 'dwd_pod_deletion_failures_total'],
  });
});

test('9.2 how long a watch is out, and whether the seed refuses it, is read with each scrape', async () => {
  let out = 0;
  const refused = new Set<string>();
  const metrics = createMetrics('prober', {
    names: ['clusters'],
    outFor: () => new Map([['clusters', out]]),
    refused: () => refused,
  });
  const seen = async () => Object.values(await series(metrics, 'dwd_watch_out_seconds{'));
  expect(await seen()).toEqual([0]);
  out = 61_500;
  expect(await seen()).toEqual([61.5]);
  refused.add('deployments/kube-controller-manager');
  expect(await series(metrics, 'dwd_watch_refused{')).toEqual({
    'dwd_watch_refused{resource="deployments/kube-controller-manager"}': 1,
  });
  refused.clear();
  expect(await series(metrics, 'dwd_watch_refused{')).toEqual({});
});

test('9.2 6.9 an outage has one delay of its decision; the margin to the controller-manager is measured again when what others raised is down again', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(100_000);
  for (let outage = 0; outage < 3; outage++) {
    guarded.world.cutOff();
    await guarded.pass(100_000);
    // Somebody raises a dependant that is down: no crossing caused the scale-down after it.
    guarded.world.edit(controllerManager.key, { replicas: 1 });
    await guarded.pass(100_000);
    guarded.world.heal();
    await guarded.pass(150_000);
  }
  const metrics = fresh(guarded.turns);
  const delay = await series(metrics, 'dwd_decision_delay_seconds');
  expect(delay['dwd_decision_delay_seconds_count']).toBe(3);
  expect(delay['dwd_decision_delay_seconds_bucket{le="0.3"}']).toBe(3);
  const margin = await series(metrics, 'dwd_kcm_margin_seconds');
  // What starts anew gives each node a whole grace.
  expect(margin['dwd_kcm_margin_seconds_count']).toBe(6);
  expect(margin['dwd_kcm_margin_seconds_bucket{le="0"}']).toBe(0);
  expect(margin['dwd_kcm_margin_seconds_bucket{le="10"}']).toBe(3);
});

const marginsOf = async (turns: readonly Turn[]) =>
  Object.entries(await series(fresh(turns), 'dwd_shoot_margin_seconds'));

test('9.2 a shoot that is scaled down shows its margin, until two minutes later and it is brought back, or gone', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(100_000);
  const before = guarded.turns.length;
  guarded.world.cutOff();
  await guarded.pass(100_000);
  const down = guarded.turns.length;
  guarded.world.heal();
  await guarded.pass(150_000);
  expect(await marginsOf(guarded.turns.slice(0, before))).toEqual([]);
  const [[name, margin] = []] = await marginsOf(guarded.turns.slice(0, down));
  expect(name).toBe(`dwd_shoot_margin_seconds{shoot="${guarded.turns[0]!.subject}"}`);
  expect(margin).toBeGreaterThan(2);
  const isBack = ({ at, to }: Turn) => to === 'probing' && at > guarded.turns[down - 1]!.at;
  const back = guarded.turns.findIndex(isBack) + 1;
  expect(back).toBeGreaterThan(down);
  // Prometheus comes once a minute on many seeds, and an outage may be shorter.
  expect(await marginsOf(guarded.turns.slice(0, back))).toEqual([[name, margin]]);
  await guarded.pass(120_000);
  expect(await marginsOf(guarded.turns)).toEqual([]);
  const last = guarded.turns[down - 1]!;
  const gone = { ...last, event: { type: 'ended', at: last.at, because: 'gone' } } as const;
  expect(await marginsOf([...guarded.turns.slice(0, down), gone])).toEqual([]);
});

test('3.4 9.2 Clusters that cannot be read are counted while they cannot', async () => {
  const guarded = await calmShoot();
  const { cluster } = guarded.world;
  guarded.world.setCluster({ readable: false, problem: 'no' });
  await guarded.pass(1_000);
  expect(await series(fresh(guarded.turns), 'dwd_unreadable_clusters')).toEqual({
    [`dwd_unreadable_clusters{shoot="${guarded.turns[0]!.subject}"}`]: 1,
  });
  guarded.world.setCluster(cluster);
  await guarded.pass(1_000);
  expect(await series(fresh(guarded.turns), 'dwd_unreadable_clusters')).toEqual({});
});

test('9.2 what adapters report is counted', async () => {
  const metrics = fresh();
  metrics.onSeedRequest({ verb: 'get', resource: 'deployments', code: '200', method: 'GET', took: 30 });
  metrics.onShootRequest({ code: 'timeout' });
  metrics.onRequestThrottled('seed');
  metrics.onWatchRestart('clusters');
  metrics.onLeader(true);
  metrics.onJournalDropped({ reason: 'backlogBytes', turns: 3, bytes: 500 });
  metrics.onJournalWriteFailed();
  metrics.onObserverFault('journal');
  metrics.onEventDropped('queue');
  metrics.onObjectDropped('endpointslices');
  const text = await metrics.text();
  for (const line of [
    'dwd_seed_api_requests_total{verb="get",resource="deployments",code="200"} 1',
    'dwd_shoot_api_requests_total{code="timeout"} 1',
    'dwd_throttled_requests_total{target="seed"} 1',
    'dwd_throttled_requests_total{target="shoot"} 0',
    'dwd_watch_restarts_total{resource="clusters"} 1',
    'dwd_leader 1',
    'dwd_journal_dropped_turns_total{reason="backlogBytes"} 3',
    'dwd_journal_dropped_bytes_total{reason="backlogBytes"} 500',
    'dwd_journal_write_failures_total 1',
    'dwd_observer_faults_total{observer="journal"} 1',
    'dwd_events_dropped_total{reason="queue"} 1',
    'dwd_watch_objects_dropped_total{resource="endpointslices"} 1',
  ])
    expect(text.split('\n')).toContain(line);
});

test('9.2 a role shows nothing of what only the other counts', async () => {
  const prober = await fresh(story, 'prober').text();
  const weeder = await fresh(weeded, 'weeder').text();
  const both = names(await fresh().text());
  expect(names(prober).union(names(weeder))).toEqual(both);
  const shared = names(prober).intersection(names(weeder));
  for (const name of ['dwd_shoot_state', 'dwd_probes_active', 'dwd_scale_operations_total', 'dwd_kcm_margin_seconds'])
    expect(shared).not.toContain(name);
  expect([...names(weeder)].filter((name) => !shared.has(name)).toSorted()).toEqual([
    'dwd_pod_deletion_failures_total',
    'dwd_pod_deletions_held_total',
    'dwd_pod_deletions_total',
    'dwd_pods_spared_total',
    'dwd_pods_weeded_total',
    'dwd_weeders_active',
    'dwd_weeding_delay_seconds',
  ]);
  for (const name of ['dwd_turns_total', 'dwd_bugs_total', 'dwd_leader', 'dwd_seed_api_requests_total'])
    expect(shared).toContain(name);
  expect(weeder).not.toMatch(/^dwd_\w+\{[^}]*="shoot"/m);
});

test('9.2 7.2 active weeders are the services whose window is open', async () => {
  const metrics = fresh();
  for (const turn of ofNamespaces(weeded.slice(0, departed), 3)) {
    metrics.observe(turn);
    if (turn.seq % 3 !== 0) continue;
    const isOpen = turn.to === 'recovering' || turn.to === 'relapsed';
    expect(await series(metrics, 'dwd_weeders_active')).toEqual({ dwd_weeders_active: isOpen ? 3 : 0 });
  }
  // The window is open when the service goes.
  expect(weeded[departed - 2]?.to).toBe('recovering');
  expect(await series(fresh(weeded), 'dwd_weeders_active')).toEqual({ dwd_weeders_active: 0 });
});

test('9.2 7.3 weeded pods are counted by service, and go with it; those of the others stay', async () => {
  expect(await series(fresh(weeded.slice(0, departed)), 'dwd_pods_weeded_total{')).toEqual({
    'dwd_pods_weeded_total{namespace="shoot--sim--one",service="kube-apiserver"}': 15,
  });
  const some = ofNamespaces(weeded, 3).filter(
    ({ subject, event }) => event.type !== 'ended' || subject.startsWith('shoot--1/'),
  );
  expect(await series(fresh(some), 'dwd_pods_weeded_total{')).toEqual({
    'dwd_pods_weeded_total{namespace="shoot--0",service="kube-apiserver"}': 15,
    'dwd_pods_weeded_total{namespace="shoot--2",service="kube-apiserver"}': 15,
  });
});

test('9.2 a bug takes the open window, but not the counts', async () => {
  const upTo = weeded.slice(0, departed);
  const last = upTo.at(-2)!;
  const metrics = fresh([...upTo, { ...last, event: { type: 'ended', at: last.at, because: 'bug' } }]);
  expect(await series(metrics, 'dwd_bugs_total')).toEqual({ dwd_bugs_total: 1 });
  expect(await series(metrics, 'dwd_weeders_active')).toEqual({ dwd_weeders_active: 0 });
  expect(Object.values(await series(metrics, 'dwd_pods_weeded_total{'))).toEqual([15]);
});

test('9.2 7.3 deletions are counted by what came of them, their failures by the reason, those that wait at all', async () => {
  const metrics = fresh(weeded);
  expect(await seriesAbove0(metrics, 'dwd_pod_deletions_total')).toEqual({
    'dwd_pod_deletions_total{result="deleted"}': 15,
    'dwd_pod_deletions_total{result="failed"}': 2,
    'dwd_pod_deletions_total{result="withdrawn"}': 1,
  });
  expect(await series(metrics, 'dwd_pod_deletion_failures_total')).toEqual({
    'dwd_pod_deletion_failures_total{reason="500"}': 2,
  });
  expect(await series(metrics, 'dwd_pod_deletions_held_total')).toEqual({ dwd_pod_deletions_held_total: 2 });
});

test('9.2 the delay from a service’s return to its first deletion is measured once in a window, from its last return', async () => {
  const stage = new WeederStage(apiserver);
  await stage.pass(310_000);
  for (const deleting of [true, true, false]) {
    stage.ready(apiserver, 0);
    await stage.pass(10_000);
    stage.ready(apiserver, 1);
    await stage.pass(20_000);
    // It relapses before anything is deleted, and after.
    stage.ready(apiserver, 0);
    await stage.pass(20_000);
    stage.ready(apiserver, 1);
    await stage.pass(140);
    if (deleting) stage.sees(apiserver, pod(`one-${stage.turns.length}`), pod(`two-${stage.turns.length}`));
    await stage.pass(1_000);
    stage.ready(apiserver, 0);
    stage.ready(apiserver, 1);
    await stage.pass(1_000);
    if (deleting) stage.sees(apiserver, pod(`three-${stage.turns.length}`));
    await stage.pass(310_000);
  }
  const delay = await series(fresh(stage.turns), 'dwd_weeding_delay_seconds');
  expect(delay['dwd_weeding_delay_seconds_count']).toBe(2);
  expect(delay['dwd_weeding_delay_seconds_sum']).toBeCloseTo(0.36);
});

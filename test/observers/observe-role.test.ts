import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { longestSilence } from '../../src/adapters/http/health.ts';
import { seedStreams } from '../../src/adapters/seed-watch/seed-informers.ts';
import type { BoundedLines } from '../../src/adapters/output/bounded-lines.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import { observeRole } from '../../src/commands/role/observe-role.ts';
import { roleLines } from '../../src/commands/role/role-lines.ts';
import { HeardOutput } from '../support/heard-output.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { heardLog } from '@dwd/testing/heard-io.ts';

const story = await meltdown();

/** A prober's observers as `runRole` has them, with the log's lines and the metrics as Prometheus would see them. */
function observing(journalDir?: string, inspected?: boolean, kept?: BoundedLines) {
  const seed = { at: 'https://seed' };
  const clock = new VirtualClock(1_790_000_000_000);
  const { log, lines } = heardLog('info', clock);
  const observed = observeRole(
    { name: 'prober', longestSilence, streams: seedStreams },
    {
      clock,
      config: gardenerConfig,
      log,
      build: { version: '0.1.0', commit: 'c0ffee', node: '26.0.0' },
      journalDir,
      ...(inspected !== undefined && { inspected }),
      server: () => seed.at,
      ...(kept !== undefined && { lines: kept }),
    },
  );
  const series = async (beginning: string) =>
    (await observed.metrics.text()).split('\n').filter((line) => line.startsWith(beginning));
  /** Without those at 0. */
  const counted = async (beginning: string) => (await series(beginning)).filter((line) => !line.endsWith(' 0'));
  return { clock, lines, observed, series, counted, seed };
}

test('9.2 requests to the seed are shown under client-go’s names too: by status or <error>, method and the seed’s host', async () => {
  const { observed, series, seed } = observing();
  const patch = { verb: 'patch', resource: 'deployments', method: 'PATCH' } as const;
  observed.hooks.onSeedRequest({ ...patch, code: '200', took: 40 });
  observed.hooks.onSeedRequest({ ...patch, code: 'timeout', took: 10_000 });
  seed.at = 'https://10.0.0.1:6443';
  observed.hooks.onSeedRequest({ ...patch, code: '200', took: 30 });
  expect(await series('rest_client_requests_total{')).toEqual([
    'rest_client_requests_total{code="200",method="PATCH",host="seed"} 1',
    'rest_client_requests_total{code="<error>",method="PATCH",host="seed"} 1',
    'rest_client_requests_total{code="200",method="PATCH",host="10.0.0.1:6443"} 1',
  ]);
  const took = await series('rest_client_request_duration_seconds');
  expect(took).toContain('rest_client_request_duration_seconds_bucket{le="0.1",verb="PATCH",host="seed"} 1');
  expect(took).toContain('rest_client_request_duration_seconds_count{verb="PATCH",host="seed"} 2');
});

test.for([
  [undefined, '3 lines of the log were lost here: nobody read the standard output'],
  ['EPIPE', '3 lines of the log were lost here: the standard output took nothing (its reader was gone)'],
  ['ENOSPC', '3 lines of the log were lost here: the standard output took nothing (no space left on the device)'],
])('11.1 9.2 what the log loses is counted, and told with its reason: %s', async ([code, msg]) => {
  const taken: string[] = [];
  const output = new HeardOutput((line) => taken.push(line));
  const clock = new VirtualClock();
  const kept = roleLines({ clock, steady: clock, output });
  const { series } = observing(undefined, undefined, kept);
  expect(await series('dwd_log_lines_dropped_total')).toEqual(['dwd_log_lines_dropped_total 0']);
  output.stand();
  kept.write('{}\n');
  if (code !== undefined) output.fail(code);
  for (let number = 0; number < 7; number++) kept.write(`"${'x'.repeat(262_000)}"\n`);
  output.go();
  await clock.advanceBy(2_000);
  expect(JSON.parse(taken[1] ?? '')).toMatchObject({ level: 'warn', line: 'lines of the log were lost', lost: 3, msg });
  expect(taken).toHaveLength(6);
});

test('9.2 8 who is elected is shown under client-go’s name too, by the Lease', async () => {
  const { observed, series, clock } = observing();
  expect(await series('leader_election_master_status{')).toEqual([]);
  for (const leads of [true, false]) {
    // Within a second, the last rendering is served again.
    await clock.advanceBy(1_000);
    observed.metrics.onElected('dwd-prober-leader-election', leads);
    expect(await series('leader_election_master_status{')).toEqual([
      `leader_election_master_status{name="dwd-prober-leader-election"} ${leads ? 1 : 0}`,
    ]);
  }
});

test('9.2 the process is shown under the names that dashboards know: since when, what it takes, how late it is', async () => {
  const { series } = observing();
  const value = async (name: string) => Number((await series(`${name} `))[0]?.split(' ').at(-1));
  expect(await value('process_start_time_seconds')).toBe(Math.round(Date.now() / 1_000 - process.uptime()));
  expect(await value('process_resident_memory_bytes')).toBeGreaterThan(await value('nodejs_heap_size_total_bytes'));
  expect(await value('nodejs_heap_size_total_bytes')).toBeGreaterThan(await value('nodejs_heap_size_used_bytes'));
  expect(await value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(await value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  const [major, minor, patch] = process.versions.node.split('.');
  expect(await series('nodejs_version_info')).toEqual([
    `nodejs_version_info{version="${process.version}",major="${major}",minor="${minor}",patch="${patch}"} 1`,
  ]);
  if (process.platform !== 'linux') return;
  expect(await value('process_max_fds')).toBeGreaterThan(await value('process_open_fds'));
  expect(await value('process_open_fds')).toBeGreaterThan(3);
  expect(await value('process_virtual_memory_bytes')).toBeGreaterThan(await value('process_resident_memory_bytes'));
});

test('9.2 the build is a series of its own', async () => {
  const { series } = observing();
  expect(await series('dwd_build_info')).toEqual(['dwd_build_info{version="0.1.0",commit="c0ffee",node="26.0.0"} 1']);
});

test('1.2 9.2 metrics distinguish what throttled or held a request to the seed: its server, our rate, our queue', async () => {
  const { observed, series, counted } = observing();
  observed.hooks.onRequestThrottled();
  for (const by of ['rate', 'rate', 'queue', 'queue', 'queue'] as const)
    observed.hooks.onRequestHeld({ by, lane: 'urgent' });
  observed.hooks.onSeedRequest({ verb: 'get', resource: 'machines', code: '429', method: 'GET', took: 1 });
  expect([
    ...(await series('dwd_throttled_requests_total{target="seed"}')),
    ...(await counted('dwd_seed_requests_held_total{')),
    ...(await series('dwd_seed_api_requests_total{')),
  ]).toEqual([
    'dwd_throttled_requests_total{target="seed"} 1',
    'dwd_seed_requests_held_total{by="rate",lane="urgent"} 2',
    'dwd_seed_requests_held_total{by="queue",lane="urgent"} 3',
    'dwd_seed_api_requests_total{verb="get",resource="machines",code="429"} 1',
  ]);
});

test('6.12 9.2 9.4 each halving of the rate of scale-ups is counted; that they are slowed is said once, and its end', async () => {
  const { clock, observed, counted, lines } = observing();
  observed.slowed?.onWhole();
  observed.slowed?.onSlowed({ share: 0.5, pause: 1_000 });
  observed.slowed?.onSlowed({ share: 0.25, pause: 2_000 });
  await clock.advanceBy(47_000);
  observed.slowed?.onWhole();
  observed.slowed?.onSlowed({ share: 0.5, pause: 1_000 });
  expect(await counted('dwd_scale_ups_slowed_total')).toEqual(['dwd_scale_ups_slowed_total 3']);
  const slowed = {
    line: 'scale-ups slowed',
    level: 'warn',
    msg: 'the seed answers 429: scale-ups wait 1.0 s, then go at 50 % of their rate',
  };
  expect(lines).toMatchObject([
    slowed,
    {
      line: 'scale-ups no longer slowed',
      level: 'info',
      msg: 'scale-ups go at their full rate again, after 47.0 s',
      tookMs: 47_000,
    },
    slowed,
  ]);
});

test('7.4 9.2 a watch that is overfull, and one that is opened anew, are counted and logged', async () => {
  const { observed, series, lines } = observing();
  const over: StreamNotice = { kind: 'overLimit', stream: 'secrets', object: 'x', limit: 1 };
  const restarted: StreamNotice = { kind: 'restarted', stream: 'clusters', why: 'ended', problem: '', reason: '' };
  const renewed: StreamNotice = { kind: 'renewed', stream: 'clusters' };
  for (const notice of [over, over, restarted, renewed]) observed.hooks.onStreamNotice(notice);
  expect([
    ...(await series('dwd_watch_objects_dropped_total{resource="secrets"}')),
    ...(await series('dwd_watch_restarts_total{resource="clusters"}')),
  ]).toEqual([
    'dwd_watch_objects_dropped_total{resource="secrets"} 2',
    'dwd_watch_restarts_total{resource="clusters"} 1',
  ]);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the seed has more objects than the watchdog keeps, so some are not looked after',
  ]);
});

test('4.7 9.2 a shoot that answers with every number there is makes no series for each of them', async () => {
  const { observed, series } = observing();
  for (let code = 100; code < 1_000; code++) observed.hooks.onShootRequest({ code: String(code) });
  const codes = await series('dwd_shoot_api_requests_total{');
  expect(codes.length).toBeLessThan(70);
  expect(codes).toContain('dwd_shoot_api_requests_total{code="404"} 1');
  expect(codes).toContain(`dwd_shoot_api_requests_total{code="other"} ${900 - (codes.length - 1)}`);
});

test('9.5 a bug of ours in writing an event is logged with its error, and counted', async () => {
  const { observed, counted, lines } = observing();
  observed.events.onFault(new TypeError('nothing has no name'));
  observed.events.onDropped('fault');
  expect(lines).toMatchObject([
    { level: 'error', observer: 'events', error: expect.stringMatching(/TypeError: nothing/) },
  ]);
  expect([...(await counted('dwd_observer_faults_total{')), ...(await counted('dwd_events_dropped_total{'))]).toEqual([
    'dwd_observer_faults_total{observer="events"} 1',
    'dwd_events_dropped_total{reason="fault"} 1',
  ]);
});

test('9.1 9.2 the turns reach metrics, log, journal and health; what else observes may fail', async () => {
  const { observed, series, counted, lines } = observing();
  const observe = observed.observer({
    events: () => {
      throw new Error('no');
    },
  });
  for (const turn of story) observe(turn);
  expect(await counted('dwd_observer_faults_total{')).toEqual([
    `dwd_observer_faults_total{observer="events"} ${story.length}`,
  ]);
  expect(await series('dwd_turns_total{event="scale.answered"}')).toHaveLength(1);
  expect(lines.some(({ line, to }) => line === 'state changed' && to === 'scaledDown')).toBe(true);
  expect([...observed.journal.chapters()].join('').split('\n')).toHaveLength(story.length + 2);
});

test('9.2 4.7 /metrics is rendered at most once a second', async () => {
  const { clock, observed, series } = observing();
  expect(await series('dwd_leader')).toEqual(['dwd_leader 0']);
  observed.metrics.onLeader(true);
  await clock.advanceBy(999);
  expect(await series('dwd_leader')).toEqual(['dwd_leader 0']);
  await clock.advanceBy(1);
  expect(await series('dwd_leader')).toEqual(['dwd_leader 1']);
});

test('9.6 the journal is kept in its directory, with the configuration, and its drops are counted', async () => {
  const dir = temporaryFolder();
  const { observed, counted } = observing(dir);
  const observe = observed.observer();
  for (const turn of story) observe(turn);
  const long = story.find(({ event }) => event.type === 'woken')!;
  observe({ ...long, notes: [{ kind: 'paused', reason: 'x'.repeat(5_000_000) }] });
  await observed.journal.close(NEVER);
  const lines = readFileSync(join(dir, readdirSync(dir)[0]!), 'utf8').split('\n');
  expect(lines).toHaveLength(story.length + 2);
  expect(JSON.parse(lines[0]!)).toMatchObject({ program: 'dependency-watchdog prober', configuration: gardenerConfig });
  expect(await counted('dwd_journal_dropped_turns_total{')).toEqual([
    'dwd_journal_dropped_turns_total{reason="turnBytes"} 2',
  ]);
});

test('9.4 trouble with the credentials is logged', () => {
  const { observed, lines } = observing();
  const read = "read the seed's credentials again (the former ones stay in use)";
  for (const problem of [undefined, 'no such file', 'no such file', undefined, undefined])
    observed.hooks.onCredentialsRead(problem);
  expect(lines).toMatchObject([
    { level: 'error', msg: `cannot ${read}: no such file` },
    { level: 'info', msg: `can ${read} now, after 0.0 s` },
  ]);
});

test.each([
  ['are remembered for it', true, 1],
  ['cost nothing where it is turned off', false, 0],
])('9.7 the turns that the inspector shows %s', (_, inspected, count) => {
  const { observed } = observing(undefined, inspected);
  const observe = observed.observer();
  for (const turn of story.slice(0, 20)) observe(turn);
  expect(observed.history.rows().shoots).toHaveLength(count);
  expect([...observed.journal.chapters()].join('').split('\n').length).toBeGreaterThan(20);
});

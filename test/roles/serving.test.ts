import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { electionFlag, roleStage, type RoleRun } from '../support/role-stage.ts';

const hour = 3_600_000;

test('9.2 9.3 9.4 what a prober asks and does is seen at its addresses: ready, counted, and well as long as it takes turns', async () => {
  await using stage = await roleStage();
  const { api } = stage.seed;
  const [shoot] = stage.seed.shoots;
  api.setFault({ kind: 'status', code: 503 }, ({ resource }) => resource === 'clusters');
  const prober = await stage.begin('one');
  const out = () => prober.find(/^cannot watch clusters on https:.*: 503 /);
  await stage.until(() => out() !== undefined, 10_000, 'the trouble is told');
  const statusOf = async (path: string) => (await stage.fetch(prober, 'health', path)).status;
  expect(await statusOf('/readyz')).toBe(503);
  expect((await stage.fetch(prober, 'health', '/readyz')).text).toContain('not in yet: clusters (503 ');
  api.clearFault();
  await stage.until(() => prober.find('state changed', { to: 'probing' }) !== undefined, 120_000, 'it probes');
  expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([200, 200]);
  expect(await stage.metrics(prober)).toMatchObject({
    dwd_leader: 1,
    dwd_probes_active: 1,
    'dwd_seed_api_requests_total{verb="list",resource="clusters",code="200"}': 1,
    'dwd_seed_api_requests_total{verb="list",resource="clusters",code="503"}': expect.any(Number) as number,
    'dwd_throttled_requests_total{target="seed"}': 0,
    'dwd_throttled_requests_total{target="shoot"}': 0,
  });

  shoot!.throttle(1);
  const throttled = async () => (await stage.metrics(prober))['dwd_throttled_requests_total{target="shoot"}'] ?? 0;
  await stage.until(() => prober.find('probe fails', { reason: 'throttled' }) !== undefined, 60_000, 'it is throttled');
  expect(await throttled()).toBe(1);
  expect(await stage.metrics(prober)).toMatchObject({ 'dwd_shoot_api_requests_total{code="429"}': 1 });
  await shoot!.up();

  // Everything is cut, and the watches are opened anew.
  api.breakWatches();
  api.setFault({ kind: 'throttle', retryAfterSeconds: 1 }, ({ resource }) => resource === 'secrets');
  await stage.until(
    () => api.requests.all.filter(({ resource }) => resource === 'secrets').length > 4,
    60_000,
    'it asks',
  );
  api.clearFault();
  const after = await stage.metrics(prober);
  expect(after['dwd_throttled_requests_total{target="seed"}']).toBeGreaterThan(0);
  expect(after['dwd_watch_restarts_total{resource="clusters"}']).toBeGreaterThan(0);

  // No turn is taken while the process sleeps.
  prober.wall.ahead += hour;
  prober.steady.ahead += hour;
  expect(await statusOf('/healthz')).toBe(503);
  await stage.until(() => shoot!.api.requests.count > 0, 60_000, 'it goes on');
});

test('9.2 9.4 a seed that is away is told each minute and measured; without an election nobody leads meanwhile; its return is told', async () => {
  await using stage = await roleStage();
  const { api } = stage.seed;
  api.setFault({ kind: 'status', code: 503 }, () => true);
  const prober = await stage.begin('one');
  const cannot = () => prober.lines.filter(({ msg }) => msg.includes('cannot watch')).map(({ msg }) => msg);
  await stage.until(() => cannot().length > 0, 10_000, 'the trouble is told');
  expect(prober.find(/^leads: the election is off$/)).toBeDefined();
  expect(Object.keys(await stage.metrics(prober)).join()).not.toContain('leader_election_master_status{');
  expect(await stage.metrics(prober)).toMatchObject({ dwd_leader: 0 });
  await stage.until(() => cannot().length > 3, 190_000, 'it is told again');
  const words = `watch clusters, secrets and 2 dependants on ${api.url}`;
  expect(cannot()[0]).toMatch(`cannot ${words}: 503 `);
  expect(cannot()[3]).toMatch(`still cannot ${words}, for 3m0`);
  const out = (await stage.metrics(prober))['dwd_watch_out_seconds{resource="clusters"}'];
  expect(out).toBeGreaterThan(178);
  api.clearFault();
  await stage.until(() => prober.find(/^watches .* at last, after/) !== undefined, 60_000, 'its end is told');
  await stage.pass(2_000);
  expect(await stage.metrics(prober)).toMatchObject({ dwd_leader: 1, 'dwd_watch_out_seconds{resource="clusters"}': 0 });
});

test('8 9.4 a Lease that cannot be had is told at once and each minute, and its return is told', async () => {
  await using stage = await roleStage();
  const { api } = stage.seed;
  api.setFault({ kind: 'status', code: 503 }, ({ resource }) => resource === 'leases');
  const prober = await stage.begin('one', [electionFlag]);
  await stage.pass(132_000);
  const about = () => prober.lines.filter(({ line }) => line === 'cannot hold the Lease').map(({ msg }) => msg);
  const lease = `take the Lease garden/dwd-prober-leader-election on ${api.url}`;
  expect(about()).toEqual([
    expect.stringContaining(`cannot ${lease}: 503 `),
    expect.stringMatching(/^still cannot take the Lease .*, for 6\d\.\d s: 503 /),
    expect.stringMatching(/^still cannot take the Lease .*, for 2m0\ds: 503 /),
  ]);
  expect(await stage.metrics(prober)).toMatchObject({ dwd_leader: 0 });
  api.setFault({ kind: 'hang', at: 'answer' }, ({ resource }) => resource === 'leases');
  await stage.pass(75_000);
  expect(about().at(-1)).toMatch(/^still cannot take the Lease .*: the server does not answer$/);
  api.clearFault();
  await stage.until(() => prober.find('leadership', { leadership: 'leading' }) !== undefined, 20_000, 'it leads');
  expect(about()).toContainEqual(expect.stringMatching(/^can take the Lease .* now, after 3m/));
  await stage.pass(2_000);
  expect(await stage.metrics(prober)).toMatchObject({ dwd_leader: 1 });
});

test('9.5 Kubernetes events report the scalings, in the shoot’s namespace; a role that may not write them says so once', async () => {
  await using stage = await roleStage();
  const prober = await stage.start('one');
  const [shoot] = stage.seed.shoots;
  shoot!.cutOff();
  await stage.until(() => prober.find('state changed', { to: 'scaledDown' }) !== undefined, 120_000, 'it is down');
  await stage.pass(1_000);
  // The review of what it may do has no namespace.
  const events = stage.asked.filter(({ resource, namespace }) => resource === 'events' && namespace !== '');
  expect(events).toMatchObject([{ verb: 'create', namespace: shoot!.name }]);
  expect(
    prober.lines.filter(({ msg }) =>
      msg.startsWith('no Kubernetes events are written: the seed does not let this account create them in all'),
    ),
  ).toHaveLength(1);
  const metrics = await stage.metrics(prober);
  expect(metrics['dwd_events_dropped_total{reason="forbidden"}']).toBeGreaterThan(0);
});

test('9.7 9.6 the journal is read by who means this machine, and not by a page whose name was made to point here', async () => {
  await using stage = await roleStage();
  const prober = await stage.start('one');
  const journalFor = (host: string) => stage.fetch(prober, 'inspector', '/journal', { host });
  expect(await journalFor('evil.example:9645')).toMatchObject({ status: 421, text: 'not this host\n' });
  for (const host of ['localhost:9645', '127.0.0.1', '[::1]:9645']) {
    const { status, text } = await journalFor(host);
    expect(status).toBe(200);
    expect(text).toContain('dependency-watchdog prober');
  }
  // A scraper comes by whatever name its Service has.
  expect((await stage.fetch(prober, 'metrics', '/metrics', { host: 'dwd-prober.garden.svc' })).status).toBe(200);
});

test('1.2 where the second address is taken, the first is let go again', async () => {
  await using stage = await roleStage({ shoots: 0 });
  const [taken, free] = [createServer(), createServer()];
  for (const server of [taken, free]) await once(server.listen(0, '127.0.0.1'), 'listening');
  const portOf = (server: typeof taken) => (server.address() as AddressInfo).port;
  const port = portOf(free);
  await once(free.close(), 'close');
  const run: RoleRun = await stage.begin('one', [
    `--metrics-bind-addr=127.0.0.1:${port}`,
    `--health-bind-addr=127.0.0.1:${portOf(taken)}`,
  ]);
  await stage.until(() => run.isOver, 10_000, 'it has ended');
  expect(run.code).toBe(1);
  expect(run.said.join()).toContain('--health-bind-addr');
  const again = createServer().listen(port, '127.0.0.1');
  await once(again, 'listening');
  again.close();
  taken.close();
});

test('9.6 9.2 a journal that cannot be written is logged and counted, and the role goes on', async () => {
  await using stage = await roleStage();
  const journal = join(stage.dir, 'journal');
  const prober = await stage.start('one', [`--journal-dir=${journal}`]);
  await stage.until(() => prober.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  // The directory is made and the file opened by other threads: one that is not done yet would make the directory again.
  await vi.waitFor(() => expect(readdirSync(journal)).toHaveLength(1), 10_000);
  rmSync(journal, { recursive: true });
  writeFileSync(journal, 'in its place');
  await stage.pass(300_000);
  const metrics = await stage.metrics(prober);
  expect(metrics['dwd_journal_write_failures_total']).toBeGreaterThan(0);
  expect(metrics['dwd_journal_dropped_turns_total{reason="writeFailed"}']).toBeGreaterThan(0);
  expect(prober.lines.filter(({ msg }) => msg.includes('journal cannot be written'))).toHaveLength(1);
});

test('9.6 1.3 a journal’s directory that cannot be used ends the role before it asks the seed for anything', async () => {
  await using stage = await roleStage();
  const run = await stage.begin('one', [`--journal-dir=${import.meta.filename}`]);
  await stage.until(() => run.isOver, 10_000, 'it has ended');
  expect(run.code).toBe(1);
  expect(run.said).toEqual([
    `dependency-watchdog prober: --journal-dir=${import.meta.filename}: it is a file, not a directory. Name a directory that this user can write; without the flag, the journal is kept in memory only.`,
  ]);
  expect(stage.asked).toEqual([]);
});

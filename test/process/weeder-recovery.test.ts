import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gardenerGrants } from '@dwd/testing/gardener-rbac.ts';
import { Program } from '@dwd/testing/program.ts';
import { quickWeederConfig, seedStage } from '@dwd/testing/seed-stage.ts';
import { fetchFrom, metricsOf, readyOf } from './served.ts';

const namespace = 'shoot--a--one';
const service = 'kube-apiserver';

/** The weeder's of SPEC 9.2, by name. */
const names = [
  'dwd_seed_api_requests_total',
  'dwd_throttled_requests_total',
  'dwd_weeders_active',
  'dwd_pods_weeded_total',
  'dwd_leader',
];
const controller = { labels: { role: 'controller' } };

test('9.1, 9.2, 9.3, 9.4, 9.5, 9.6, L3 a recovery as it is seen from outside, with what Gardener grants, from the first list to the replayed journal', async (context) => {
  const weederConfigText = quickWeederConfig.replace('20s', '8s');
  const stage = await seedStage(context, { shoots: 0, weederConfigText });
  const { plain, seed } = stage;
  plain.slice(namespace, service, [false]);
  plain.slice('shoot--a--two', 'etcd-main-client', [true]);
  for (const name of ['kcm', 'mcm']) plain.add(namespace, name, controller);
  plain.add(namespace, 'kube-apiserver-0', { labels: { role: 'apiserver' } });
  plain.add(namespace, 'scheduler', { ...controller, loops: null });
  const journalDir = join(stage.dir, 'journal');

  // Before the first list.
  seed.api.setFault({ kind: 'status', code: 503 }, ({ verb }) => verb === 'list');
  const flags = ['--enable-leader-election', `--journal-dir=${journalDir}`, '--zap-log-level=debug'];
  const program = stage.weeder('weeder', ...flags);
  await program.line(/^cannot watch endpointslices on https:/);
  expect((await fetchFrom(program, 'health', '/healthz')).status).toBe(200);
  expect(await readyOf(program)).toBe(503);
  seed.api.clearFault();
  await program.line('the first lists of the seed are in');
  expect(await readyOf(program)).toBe(200);
  // A service that was available at the start has its window too (SPEC 7.2).
  await program.line('state changed', { namespace: 'shoot--a--two', to: 'recovering' });
  expect(stage.writes()).toEqual([]);

  plain.slice(namespace, service, [true]);
  await program.line('state changed', { namespace, service, to: 'recovering', ready: 1, endpoints: 1 });
  expect(await program.line('pod deleted', { namespace, pod: 'kcm' })).toMatchObject({ service, containers: ['kcm'] });
  await program.line('pod deleted', { namespace, pod: 'mcm' });
  await expect
    .poll(() => metricsOf(program))
    .toMatchObject({
      dwd_leader: 1,
      [`dwd_pods_weeded_total{namespace="${namespace}",service="${service}"}`]: 2,
      'dwd_seed_api_requests_total{verb="delete",resource="pods",code="200"}': 2,
      'dwd_seed_api_requests_total{verb="create",resource="leases",code="201"}': 1,
      dwd_weeding_delay_seconds_count: 1,
    });
  expect((await metricsOf(program))['dwd_weeders_active']).toBeGreaterThanOrEqual(1);
  plain.turn(namespace, 'scheduler', true);
  await program.line('pod deleted', { namespace, pod: 'scheduler' });
  await program.line('state changed', { namespace, to: 'settled', window: 'closed', deleted: 3, left: 0 });
  await program.line('state changed', { namespace: 'shoot--a--two', to: 'settled' });
  await expect.poll(() => metricsOf(program)).toMatchObject({ dwd_weeders_active: 0 });
  expect(plain.left).toEqual([`${namespace}/kube-apiserver-0`]);
  await expect.poll(() => seed.api.watches).toBe(1);
  const deletions = stage.writes().map(({ verb, name }) => `${verb} ${name}`);
  expect(deletions.slice(0, 2).toSorted()).toEqual(['delete kcm', 'delete mcm']);
  expect(deletions.slice(2)).toEqual(['delete scheduler']);
  // Gardener grants no events in the namespaces of control planes.
  expect(stage.asked.filter(({ resource }) => resource === 'events')).toHaveLength(1);
  expect(program.lines.filter(({ msg }) => msg.startsWith('no Kubernetes events are written: '))).toHaveLength(1);

  const exposition = await fetchFrom(program, 'metrics', '/metrics');
  for (const name of names) expect(exposition.text).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge)$`, 'm'));
  const memory = await fetchFrom(program, 'inspector', '/journal');
  program.kill('SIGTERM');
  const { code, stdout, stderr } = await program.end();
  expect({ code, stderr, strays: program.strays }).toEqual({ code: 0, stderr: '', strays: [] });
  expect(program.lines.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/^cannot watch endpointslices on https:/),
  ]);

  const journal = readdirSync(journalDir).map((name) => readFileSync(join(journalDir, name), 'utf8'));
  const kept = [stdout, stderr, exposition.text, memory.text, ...journal].join('\n');
  for (const token of seed.api.tokens.keys()) expect(kept).not.toContain(token);

  for (const [place, input] of [
    [journalDir, undefined],
    ['-', memory.text],
  ] as const) {
    const replay = new Program(context, ['replay', '--json', place], input === undefined ? {} : { input });
    const ended = await replay.end();
    const { summary } = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1)!);
    expect(ended.code).toBe(0);
    expect(summary.differences).toEqual([]);
    expect(summary.checked).toBe(summary.turns);
    expect(summary.finalStates).toEqual({
      [`${namespace}/${service}`]: 'settled',
      'shoot--a--two/etcd-main-client': 'settled',
    });
  }
});

test('1.2 9.5 prober and weeder side by side on one seed: each does its own, and may do no more', async (context) => {
  const stage = await seedStage(context);
  const { plain, shoot } = stage;
  plain.slice(shoot.name, service, [false]);
  for (const name of ['kcm', 'mcm', 'ca']) plain.add(shoot.name, name, controller);
  const prober = stage.prober('the-prober', '--enable-leader-election');
  const weeder = stage.weeder('the-weeder', '--enable-leader-election');
  await prober.line('state changed', { to: 'probing' });
  await weeder.line('the first lists of the seed are in');
  await weeder.line('leadership', { leadership: 'leading' });

  stage.cutOff();
  await prober.line('state changed', { to: 'scaledDown' });
  plain.slice(shoot.name, service, [true]);
  await stage.until(() => plain.left.length === 0, 'the dependants are deleted');
  stage.heal();
  await prober.line('state changed', { from: 'scalingUp', to: 'probing' });

  const wrote = (user: string) => new Set(stage.writes(user).map(({ verb, resource }) => `${verb} ${resource}`));
  expect(wrote('the-prober')).toEqual(new Set(['patch deployments']));
  expect(wrote('the-weeder')).toEqual(new Set(['delete pods']));
  const holders = (['prober', 'weeder'] as const).map((role) => stage.leaseOf(role)?.['holderIdentity']);
  expect(new Set(holders).size).toBe(2);
  expect(holders).not.toContain('');
  // Whatever either asks for is granted, events aside.
  const refused = stage.asked.filter((one) => !gardenerGrants(one, stage.roleOf(one.user)));
  expect(new Set(refused.map(({ resource }) => resource))).toEqual(new Set(['events']));
});

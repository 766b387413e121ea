import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { Program } from '@dwd/testing/program.ts';
import { originalReplicas, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { fetchFrom, metricsOf, readyOf } from './served.ts';

/** The prober's of SPEC 9.2, by name. */
const names = [
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
  'dwd_leader',
];

/** Bearer tokens of all users of all servers, and what the kubeconfigs say of their authorities. */
function secretsOf(stage: SeedStage): readonly string[] {
  const servers = [stage.seed.api, ...stage.seed.shoots.map(({ api }) => api)];
  return servers.flatMap(({ tokens, certificates: { ca } }) => [
    ...tokens.keys(),
    ...ca.split('\n').filter((line) => line.length > 40),
    Buffer.from(ca).toString('base64').slice(0, 200),
  ]);
}

function filesIn(dir: string): string {
  return readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n');
}

/** The summary of a replay as JSON. */
async function replay(context: TestContext, place: string, input?: string) {
  const program = new Program(context, ['replay', '--json', place], input === undefined ? {} : { input });
  const { code, stdout, stderr } = await program.end();
  const { summary } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
  return { code, stderr, summary };
}

test('9.2, 9.3, 9.4, 9.6, 9.7, S4, L3 an outage as it is seen from outside, from the first list to the replayed journal', async (context) => {
  const stage = await seedStage(context, {
    shoots: ['shoot--a--calm', 'shoot--a--struck', 'shoot--a--leaves', 'shoot--a--broken'],
  });
  const [calm, struck, leaves, broken] = stage.seed.shoots;
  const brokenToken = [...broken!.api.tokens.keys()][0]!;
  broken!.writeSecret(`users: [{name: a, user: {token: ${brokenToken}}\n- ]`);
  const journalDir = join(stage.dir, 'journal');
  const secrets = new Set([brokenToken]);
  const keepSecrets = () => {
    for (const secret of secretsOf(stage)) secrets.add(secret);
  };

  // Before the first lists.
  stage.seed.api.setFault({ kind: 'status', code: 503 }, ({ verb }) => verb === 'list');
  const flags = ['--enable-leader-election', `--journal-dir=${journalDir}`, '--zap-log-level=debug'];
  const program = stage.prober('prober', ...flags);
  keepSecrets();
  // On a busy machine the last of them fails some seconds after the first, and has a line of its own.
  await program.line(/^cannot watch .+ on https:.*: 503 /);
  expect((await fetchFrom(program, 'health', '/healthz')).status).toBe(200);
  expect(await readyOf(program)).toBe(503);
  stage.seed.api.clearFault();
  await program.line('the first lists of the seed are in');
  expect(await readyOf(program)).toBe(200);

  // An outage and its healing, a Secret that cannot be read, a rotation, a shoot that goes.
  await program.line('probe fails', { shoot: broken!.name });
  for (const shoot of [calm!, struck!, leaves!])
    await program.line('state changed', { shoot: shoot.name, to: 'probing' });
  stage.cutOff(struck, 1_000);
  await program.line('state changed', { shoot: struck!.name, to: 'scaledDown' });
  expect(stage.replicas(struck)).toEqual({
    'kube-controller-manager': 0,
    'machine-controller-manager': 0,
    'cluster-autoscaler': 0,
  });
  await expect
    .poll(() => metricsOf(program))
    .toMatchObject({
      [`dwd_shoot_state{shoot="${struck!.name}",state="scaledDown"}`]: 1,
      dwd_probes_active: 4,
      'dwd_scale_operations_total{direction="down",result="written"}': 3,
      'dwd_scale_operations_total{direction="up",result="written"}': 0,
      dwd_decision_delay_seconds_count: 1,
      dwd_kcm_margin_seconds_count: 1,
    });
  struck!.rotateSecret();
  keepSecrets();
  stage.heal(struck);
  await program.line('state changed', { shoot: struck!.name, from: 'scalingUp', to: 'probing' });
  expect(stage.replicas(struck)).toEqual(originalReplicas);
  expect(new Set(stage.writes().map(({ namespace }) => namespace))).toEqual(new Set([struck!.name]));
  const [first, second, ...others] = stage.scaled.map(({ name }) => name);
  expect(new Set([first, second])).toEqual(new Set(['cluster-autoscaler', 'machine-controller-manager']));
  expect(others).toEqual([
    'kube-controller-manager',
    'kube-controller-manager',
    'machine-controller-manager',
    'cluster-autoscaler',
  ]);
  await stage.seed.removeShoot(leaves!.name);
  const present = [calm, struck, broken].map((shoot) => shoot!.name);
  await expect.poll(async () => statesIn(await metricsOf(program)).size).toBe(present.length);

  const exposition = await fetchFrom(program, 'metrics', '/metrics');
  for (const name of names)
    expect(exposition.text).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`, 'm'));
  const metrics = await metricsOf(program);
  expect(metrics).toMatchObject({
    dwd_leader: 1,
    dwd_probes_active: 3,
    'dwd_scale_operations_total{direction="down",result="written"}': 3,
    // A record above 1 goes by a write of its own.
    'dwd_scale_operations_total{direction="up",result="written"}': 6,
    'dwd_throttled_requests_total{target="seed"}': 0,
    'dwd_seed_api_requests_total{verb="patch",resource="deployments",code="200"}': 9,
    'dwd_seed_api_requests_total{verb="create",resource="leases",code="201"}': 1,
  });
  expect(metrics['dwd_shoot_api_requests_total{code="200"}']).toBeGreaterThan(10);
  const failures = Object.keys(metrics).filter((name) => name.startsWith('dwd_probe_failures_total'));
  // The old token dies with the rotation, before the program can have seen the new one: a probe of that moment is turned away.
  const isTurnedAway = (name: string) =>
    name.includes(`shoot="${struck!.name}"`) && name.includes('reason="unauthorized"');
  const turnedAway = failures.filter(isTurnedAway);
  expect(turnedAway.reduce((sum, name) => sum + metrics[name]!, 0)).toBeLessThanOrEqual(1);
  expect(failures.filter((name) => !isTurnedAway(name))).toEqual([expect.stringContaining(`shoot="${broken!.name}"`)]);
  expect(exposition.text).not.toContain(leaves!.name);

  const memory = await fetchFrom(program, 'inspector', '/journal');
  const outages = await fetchFrom(program, 'inspector', '/outages');
  const subjects = JSON.parse(outages.text).episodes.map(({ subject }: { subject: string }) => subject);
  expect(subjects).toContain(struck!.name);
  program.kill('SIGTERM');
  const { code, stdout, stderr } = await program.end();
  expect({ code, stderr, strays: program.strays }).toEqual({ code: 0, stderr: '', strays: [] });
  // Gardener grants no events in the namespaces of shoots: that is said once, and not tried with each write.
  expect(stage.asked.filter(({ resource }) => resource === 'events').length).toBe(1);

  // Many a probe, and one line.
  const ofCalm = program.lines.filter(({ level, shoot }) => shoot === calm!.name && level !== 'debug');
  expect(ofCalm).toMatchObject([{ line: 'state changed', from: 'idle', to: 'probing' }]);

  const journal = filesIn(journalDir);
  const kept = { stdout, stderr, metrics: exposition.text, memory: memory.text, outages: outages.text, journal };
  for (const text of Object.values(kept).slice(2)) expect(text).toContain(struck!.name);
  for (const secret of secrets)
    for (const [where, text] of Object.entries(kept))
      expect(text.includes(secret), `${secret} in ${where}`).toBe(false);

  const [fromFiles, fromMemory] = await Promise.all([replay(context, journalDir), replay(context, '-', memory.text)]);
  for (const { code: replayed, summary } of [fromFiles, fromMemory]) {
    expect(replayed).toBe(0);
    expect(summary.differences).toEqual([]);
    // All but the turn that ended the machine of the shoot that left.
    expect(summary.checked).toBe(summary.turns - 1);
    expect(new Map(Object.entries(summary.finalStates))).toEqual(statesIn(metrics));
  }
});

/** The state of each shoot, by the series of it that is there. */
function statesIn(metrics: Readonly<Record<string, number>>): ReadonlyMap<string, string> {
  const series = Object.keys(metrics).flatMap((name) => [
    ...name.matchAll(/^dwd_shoot_state\{shoot="(.*)",state="(.*)"\}$/g),
  ]);
  return new Map(series.map(([, shoot = '', state = '']) => [shoot, state]));
}

test.runIf(process.platform === 'linux')(
  '4.7 look-ups have a pool of 128 threads, set before its first use',
  async (context) => {
    const stage = await seedStage(context);
    const program = stage.prober('prober');
    await program.line('the first lists of the seed are in');
    const threads = readdirSync(`/proc/${program.pid}/task`).map((thread) =>
      readFileSync(`/proc/${program.pid}/task/${thread}/comm`, 'utf8').trim(),
    );
    expect(threads.filter((name) => name === 'libuv-worker').length).toBe(128);
  },
);

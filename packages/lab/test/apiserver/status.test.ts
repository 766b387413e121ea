import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { runStatus } from 'dependency-watchdog/commands/status.ts';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import { mergePatch } from '../../real/operator-client.ts';
import { bindRole, rbac } from './role-on-seed.ts';
import { RealStage, fileOf, gardenersRates, proberConfig, started } from './real-stage.ts';
import { realSeed, realShoot } from './real-tier.ts';

const shoot = 'shoot--status--one';
const reader = 'status-reader';

const config = proberConfig('8s');
const seed = realSeed();
const scene = new RealStage(seed, realShoot(), shoot);
const patience = { timeout: 60_000 };

/** As somebody who has no more than the role that the docs show. */
async function status(...flags: readonly string[]) {
  const asReader = parse(seed.kubeconfig('admin')) as { users: [{ user: Record<string, unknown> }] };
  asReader.users[0].user['as'] = reader;
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runStatus(
    [
      `--config-file=${fileOf('status.yaml', config)}`,
      `--kubeconfig=${fileOf('status.kubeconfig', stringify(asReader))}`,
      // The Lease of other tests' probers is not ours to judge by.
      '--leader-election-namespace=default',
      `--shoot=${shoot}`,
      '-o=json',
      ...flags,
    ],
    { out: (line) => void out.push(line), err: (line) => void err.push(line), env: {} },
  );
  expect(err).toEqual([]);
  const { leader, prober, shoots } = JSON.parse(out.join('\n')) as Readonly<Record<string, object>> & {
    shoots: readonly [Readonly<Record<string, unknown>>];
  };
  return { code, leader, asked: prober, ...shoots[0] } as Readonly<
    Record<string, unknown> & { scaledDown?: { since: string; by: string } }
  >;
}

beforeAll(async () => {
  const page = readFileSync(new URL('../../../../docs/status.md', import.meta.url), 'utf8');
  const role = parse(/```yaml\n(apiVersion: rbac[^]*?)```/.exec(page)?.[1] ?? '') as { metadata: { name: string } };
  await seed.call('POST', `${rbac}/clusterroles`, role);
  await bindRole(seed, role.metadata.name, reader);
  await scene.enter(config);
});

afterAll(() => scene.leave());

test('6.9 9.8 under the role of the docs, an outage on a real API server: since when, by whom, which way, and what somebody else scaled, up or down', async (context) => {
  const unled = { code: 1, state: 'unprotected', leader: { is: 'noLease' }, reason: 'nobody is seen to lead' };
  expect(await status()).toMatchObject(unled);

  // It runs without an election, so only its own word tells that it leads.
  const prober = started(context, 'prober', seed, { config, flags: gardenersRates });
  await prober.line('state changed', { shoot, to: 'probing' });
  const { ports } = (await prober.line('the prober starts')) as unknown as { ports: { metrics: number } };
  const asked = () => status(`--prober=${ports.metrics}`);
  const lead = { leads: true, elects: false };
  expect(await asked()).toMatchObject({
    code: 0,
    state: 'watched',
    leader: { is: 'noLease' },
    asked: lead,
    atOdds: [],
  });
  expect(await status()).toMatchObject(unled);
  const cutOffAt = Date.now();
  await scene.cutOff();
  await expect.poll(() => status(), patience).toMatchObject({ code: 1, state: 'scaledDown' });
  const { scaledDown: down } = await status();
  // The seed's instants have whole seconds.
  expect(Date.parse(down!.since)).toBeGreaterThanOrEqual(Math.floor(cutOffAt / 1_000) * 1_000);
  expect(Date.parse(down!.since)).toBeLessThanOrEqual(Date.now());
  expect(down!.by).toMatch(/^dependency-watchdog/);

  // As `kubectl scale` does it.
  const name = 'kube-controller-manager';
  const deployment = `/apis/apps/v1/namespaces/${shoot}/deployments/${name}`;
  await seed.call('PATCH', `${deployment}/scale?fieldManager=kubectl`, { spec: { replicas: 1 } });
  await prober.line('raised by others', { shoot, replicas: 1, by: 'kubectl' });
  await prober.line('shielded', { shoot, again: true });

  await scene.heal();
  await expect.poll(() => status(), patience).toMatchObject({ state: 'scalingUp', scaledDown: { since: down!.since } });
  await expect.poll(asked, patience).toMatchObject({ state: 'watched', atOdds: [], code: 0 });

  prober.kill('SIGTERM');
  await prober.end();
  const downBy = (scaledDown: object) => ({
    code: 1,
    state: 'scaledDownByOthers',
    atOdds: [`Deployment ${name} is at 0 replicas, but not by the watchdog`],
    dependants: [{}, { name, state: 'scaledDownByOthers', scaledDown }],
  });
  await seed.operator.apps.patchNamespacedDeployment(
    { name, namespace: shoot, body: { spec: { replicas: 0 } } },
    mergePatch,
  );
  expect(await status()).toMatchObject(downBy({ by: 'kubernetes-client-javascript', since: 'unknown' }));
  // As `kubectl scale` does it: a real API server forgets who did it, since a Scale leaves a zero out.
  await seed.call('PATCH', deployment, { spec: { replicas: 1 } });
  await seed.call('PATCH', `${deployment}/scale`, { spec: { replicas: 0 } });
  expect(await status()).toMatchObject(downBy({ by: 'unknown', since: 'unknown' }));
}, 180_000);

/** As the administrator whom the kubeconfig is of, or as whom the flags say; without a file of configuration. */
async function plainStatus(...flags: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const kubeconfig = fileOf('admin.kubeconfig', seed.kubeconfig('admin'));
  const code = await runStatus([`--kubeconfig=${kubeconfig}`, `--leader-election-namespace=${place}`, ...flags], {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    env: {},
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const place = 'status-place';

test('9.8 1.2 without a file it goes by what the Deployment of the prober mounts, asked as another user and its groups', async () => {
  await seed.call('POST', '/api/v1/namespaces', { metadata: { name: place } });
  const base = new URL('../../../../deploy/base/prober/', import.meta.url);
  const deployment = parse(readFileSync(new URL('deployment.yaml', base), 'utf8')) as { metadata: object };
  const data = { 'dep-config.yaml': readFileSync(new URL('dep-config.yaml', base), 'utf8') };
  await seed.call('POST', `/apis/apps/v1/namespaces/${place}/deployments`, {
    ...deployment,
    metadata: { ...deployment.metadata, namespace: place },
  });
  const gone = await plainStatus(shoot);
  expect(gone.err).toMatch(/it goes by Gardener's usual configuration \(.* 404 NotFound/);
  await seed.call('POST', `/api/v1/namespaces/${place}/configmaps`, {
    metadata: { name: 'dependency-watchdog-prober-config' },
    data,
  });
  const found = `it goes by the ConfigMap ${place}/dependency-watchdog-prober-config`;
  const admin = await plainStatus(shoot);
  expect(admin).toMatchObject({ code: 1, err: `dependency-watchdog status: ${found}` });
  expect(admin.out).toMatch(/^SHOOT .*\nshoot--status--one /m);

  // Whoever may read no ConfigMap is told by what it goes.
  const asReader = await plainStatus(shoot, `--as=${reader}`);
  expect(asReader.err).toMatch(/it goes by Gardener's usual configuration \(.* 403 Forbidden/);
  const asMaster = await plainStatus(shoot, '--as=nobody', '--as-group=some', '--as-group=system:masters');
  expect(asMaster.err).toContain(found);
  const asNobody = await plainStatus(shoot, '--as=nobody');
  expect(asNobody).toMatchObject({ code: 1, out: '' });
  expect(asNobody.err).toContain('nobody');

  expect((await plainStatus('-o', 'name')).out.split('\n')).toContain(`cluster.extensions.gardener.cloud/${shoot}`);
  expect((await plainStatus(shoot, '--no-headers')).out).toMatch(new RegExp(`^${shoot} [^\n]*$`));
  expect(await plainStatus(shoot, '--request-timeout=1ms')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('cannot be reached: no answer within'),
  });
});

/** Of a Lease that was renewed so long ago. */
const renewed = (ago: number) => ({
  holderIdentity: 'dwd-prober-5d9c_1f',
  leaseDurationSeconds: 15,
  renewTime: microTime(Date.now() - ago),
});

test('9.8 above the shoots stands whether the Lease is held, stale, or gone', async () => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const name = 'dwd-prober-leader-election';
  const spec = renewed(0);
  await seed.call('POST', leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec });
  try {
    const { holderIdentity: holder } = spec;
    expect(await status()).toMatchObject({ leader: { is: 'led', holder } });
    await seed.call('PATCH', `${leases}/${name}`, { spec: renewed(3_600_000) });
    expect(await status()).toMatchObject({ leader: { is: 'nobody' }, code: 1 });
  } finally {
    await seed.call('DELETE', `${leases}/${name}`);
  }
  expect(await status()).toMatchObject({ leader: { is: 'noLease' }, code: 1 });
});

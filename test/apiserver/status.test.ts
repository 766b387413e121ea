import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { runStatus } from '../../src/commands/status.ts';
import { kubeconfigText } from '../../src/simulator/api/certificates.ts';
import { isRemovedAfterUs } from '../../hack/real/clearing-up.ts';
import { seedUser } from '../../hack/real/gardener-rbac.ts';
import { mergePatch } from '../../hack/real/operator-client.ts';
import { Program } from '../support/program.ts';
import { GuardedScene } from './guarded-scene.ts';
import { realSeed, realShoot } from './real-tier.ts';

const shoot = 'shoot--status--one';
const reader = 'status-reader';

const config = `
kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 500ms
initialDelay: 0s
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}
  scaleUp: {level: 1, initialDelay: 8s}
  scaleDown: {level: 0}
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 1}
`;

const seed = realSeed();
const scene = new GuardedScene(seed, realShoot(), shoot);
const directory = mkdtempSync(join(tmpdir(), 'dwd-status-'));
isRemovedAfterUs(directory);
const left: (() => unknown)[] = [];
const ends = { onTestFinished: (end: () => unknown) => void left.push(end) };
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const patience = { timeout: 60_000 };

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function kubeconfigOf(user: string): string {
  const { url: server, ca } = seed.reach;
  return kubeconfigText({ name: user, server, ca, token: seed.token(user) });
}

/** As somebody who has no more than the role that the docs show. */
async function status(...flags: readonly string[]) {
  const asReader = parse(kubeconfigOf('admin')) as { users: [{ user: Record<string, unknown> }] };
  asReader.users[0].user['as'] = reader;
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runStatus(
    [
      `--config-file=${file('status.yaml', config)}`,
      `--kubeconfig=${file('status.kubeconfig', stringify(asReader))}`,
      // The Lease of other tests' probers is not ours to judge by.
      '--leader-election-namespace=default',
      `--shoot=${shoot}`,
      '-o=json',
      ...flags,
    ],
    { out: (line) => void out.push(line), err: (line) => void err.push(line), env: {} },
  );
  expect(err).toEqual([]);
  const { shoots } = JSON.parse(out.join('\n')) as { shoots: readonly [Readonly<Record<string, unknown>>] };
  return { code, ...shoots[0] } as Readonly<Record<string, unknown> & { down?: { since: string; by: string } }>;
}

beforeAll(async () => {
  const page = readFileSync(new URL('../../docs/status.md', import.meta.url), 'utf8');
  const role = parse(/```yaml\n(apiVersion: rbac[^]*?)```/.exec(page)?.[1] ?? '') as { metadata: { name: string } };
  await seed.call('POST', `${rbac}/clusterroles`, role);
  await seed.call('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: role.metadata.name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: reader }],
  });
  await scene.enter(config);
});

afterAll(async () => {
  for (const end of left.toReversed()) await end();
  await scene.leave();
});

test('9.8 under the role of the docs, an outage on a real API server: since when, by whom, which way, and what somebody else scaled', async () => {
  expect(await status()).toMatchObject({ code: 0, state: 'protected', atOdds: [] });

  const args = [
    `--config-file=${file('prober.yaml', config)}`,
    `--kubeconfig=${file('prober.kubeconfig', kubeconfigOf(seedUser))}`,
  ];
  const addresses = ['metrics', 'health', 'inspector'].map((what) => `--${what}-bind-addr=127.0.0.1:0`);
  const prober = new Program(ends as never, [
    'prober',
    ...args,
    ...addresses,
    '--kube-api-qps=20',
    '--kube-api-burst=100',
  ]);
  await prober.line('state changed', { shoot, to: 'probing' });
  const cutOffAt = Date.now();
  await scene.cutOff();
  await expect.poll(() => status(), patience).toMatchObject({ code: 0, state: 'down' });
  const { down } = await status();
  // The seed's instants have whole seconds.
  expect(Date.parse(down!.since)).toBeGreaterThanOrEqual(Math.floor(cutOffAt / 1_000) * 1_000);
  expect(Date.parse(down!.since)).toBeLessThanOrEqual(Date.now());
  expect(down!.by).toMatch(/^dependency-watchdog/);

  await scene.heal();
  await expect.poll(() => status(), patience).toMatchObject({ state: 'healing', down: { since: down!.since } });
  await expect.poll(() => status(), patience).toMatchObject({ state: 'protected', atOdds: [], code: 0 });

  prober.kill('SIGTERM');
  await prober.end();
  const name = 'kube-controller-manager';
  const deployment = `/apis/apps/v1/namespaces/${shoot}/deployments/${name}`;
  const downBy = (down: object) => ({
    code: 1,
    state: 'downByOthers',
    atOdds: [`Deployment ${name} is at 0 replicas, but not by the watchdog`],
    dependants: [{}, { name, state: 'downByOthers', down }],
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

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import { findProgram } from '@dwd/lab/programs/find-program.ts';
import { BareSeed } from './bare-seed.ts';
import { chart, checkout, kustomized, settingsOf, type Manifest } from './render.ts';
import { renderings } from './renderings.ts';
import { Workload } from './workload.ts';

let seed: BareSeed;
let workload: Workload;
/** What the cluster had before anything was installed. */
let before: readonly string[];
const directory = mkdtempSync(join(tmpdir(), 'dwd-overlay-'));

beforeAll(async () => {
  seed = await BareSeed.start();
  await Promise.all([seed.define('VerticalPodAutoscaler'), seed.define('PodMonitor'), seed.define('PrometheusRule')]);
  workload = new Workload(seed);
  before = await workload.everything();
});

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await seed?.close();
});

// Neither of the two takes anything else away with the namespace: that would hide what is left.
const namespace = '/api/v1/namespaces: /garden';
afterEach(async () => {
  await seed.api.call('DELETE', '/api/v1/namespaces/garden', undefined, [404]);
  while ((await left()).length > 0) await pause(100);
});

const left = async () => (await workload.everything()).filter((name) => !before.includes(name));

/** An overlay of an operator: all that there is, with a prober that probes every 20 s. */
function configured(): string {
  const usual = readFileSync(join(checkout, 'deploy/base/prober/dep-config.yaml'), 'utf8');
  writeFileSync(join(directory, 'dep-config.yaml'), usual.replace('probeInterval: 30s', 'probeInterval: 20s'));
  const overlay = {
    resources: [relative(directory, join(checkout, 'deploy/overlays/everything'))],
    configMapGenerator: [
      {
        name: 'dependency-watchdog-prober-config',
        namespace: 'garden',
        behavior: 'replace',
        files: ['dep-config.yaml'],
        options: { immutable: true },
      },
    ],
  };
  writeFileSync(join(directory, 'kustomization.yaml'), JSON.stringify(overlay));
  return directory;
}

const configMapIn = (manifests: readonly Manifest[], role: string): string =>
  manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.includes(role))?.metadata.name ?? '';

test('1.7 what kustomize says is installed, is counted by its budgets, rolls to another configuration and back, and goes', async () => {
  const usual = await kustomized('deploy/overlays/everything');
  await seed.install(usual);
  await workload.settle('prober', 2);
  await workload.settle('weeder', 2);
  for (const role of ['prober', 'weeder']) {
    const [first, second] = await workload.pods(role);
    // As they were admitted: with the priority, and with no other token than that of 12 h.
    expect(first?.spec).toMatchObject({ priority: 999_998_800, serviceAccountName: `dependency-watchdog-${role}` });
    expect(first?.spec.volumes.map(({ name }) => name)).toEqual(['config', 'kube-api-access-gardener', 'journal']);

    // One may go, and not both at once.
    const counted = { expectedPods: 2, currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1 };
    await expect.poll(() => workload.budget(role)).toMatchObject(counted);
    expect([await workload.evict(first!), await workload.evict(second!)]).toEqual([201, 429]);
    await workload.settle(role, 2);
  }

  // What is there cannot be changed, only replaced.
  const mounted = configMapIn(usual, 'prober');
  const path = `/api/v1/namespaces/garden/configmaps/${mounted}`;
  expect((await seed.api.call('PATCH', path, { data: { 'dep-config.yaml': '' } }, [422])).status).toBe(422);

  const weeders = (await workload.pods('weeder')).map(({ metadata }) => metadata.uid);
  const other = await kustomized(configured());
  const next = configMapIn(other, 'prober');
  expect(next).not.toBe(mounted);
  await seed.install(other);
  await workload.settle('prober', 2, next);
  await seed.install(usual);
  await workload.settle('prober', 2, mounted);
  expect((await workload.pods('weeder')).map(({ metadata }) => metadata.uid)).toEqual(weeders);

  for (const manifest of [...usual, ...other].toReversed())
    if (manifest.kind !== 'Namespace') await seed.remove(manifest);
  await expect.poll(left).toEqual([namespace]);
});

async function run(...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: directory, KUBECONFIG: seed.kubeconfig };
  return await runProgram(await findProgram('helm'), [...args, '--namespace=garden'], { cwd: directory, env });
}

test('1.7 helm installs it with one command, upgrades it, rolls it back, and uninstalls it', async () => {
  const said = await run('install', 'dependency-watchdog', chart, '--create-namespace', ...settingsOf([]));
  expect(said).toContain('kubectl -n garden rollout status deployment/dependency-watchdog-prober');
  await workload.settle('prober', 1);
  await workload.settle('weeder', 1);
  const [usual = ''] = await workload.mounted('prober');

  await run('upgrade', 'dependency-watchdog', chart, ...settingsOf(['prober.config.probeInterval="20s"']));
  const others = async () => (await workload.mounted('prober')).filter((name) => name !== usual);
  await expect.poll(others).toHaveLength(1);
  await workload.settle('prober', 1, (await others())[0]);

  await run('rollback', 'dependency-watchdog');
  await workload.settle('prober', 1, usual);
  await run('uninstall', 'dependency-watchdog');
  await expect.poll(left).toEqual([namespace]);
});

test('1.7 helm installs the monitoring beside roles that are not its own, and takes it away without them', async () => {
  await seed.api.call('POST', '/api/v1/namespaces', { metadata: { name: 'garden' } });
  const usual = await kustomized('deploy/overlays/one-replica');
  await seed.install(usual);
  await workload.settle('prober', 1);
  await workload.settle('weeder', 1);
  const gardenlets = await left();
  const { settings = [] } = renderings.find(({ overlay }) => overlay === 'beside-gardenlet') ?? {};
  await run('install', 'watchdog-monitoring', chart, ...settings.flatMap((one) => ['--set-json', one]));
  const added = (await left()).filter((name) => !gardenlets.includes(name) && !name.includes('/secrets:'));
  expect(added.map((name) => name.replace(/^.*\//, '')).toSorted()).toEqual([
    'dependency-watchdog',
    'dependency-watchdog',
    'dependency-watchdog-plutono-seed',
    'dependency-watchdog-plutono-shoot',
    'dependency-watchdog-plutono-weeder',
    'dependency-watchdog-prober',
    'dependency-watchdog-weeder',
  ]);
  await run('uninstall', 'watchdog-monitoring');
  await expect.poll(left).toEqual(gardenlets);
  for (const manifest of usual.toReversed()) await seed.remove(manifest);
  await expect.poll(left).toEqual([namespace]);
});

/**
 * One outage and its healing against the real thing: etcd, a kube-apiserver as the seed and one as a shoot, RBAC on
 * with Gardener's rules, a real kube-controller-manager that runs while its Deployment has replicas, and the program
 * as Gardener starts it.
 *
 *   node hack/real-outage.ts --bin DIR [--outages N] [--nodes N] [--unwatched]
 *
 * DIR holds etcd, kube-apiserver and kube-controller-manager. `--unwatched` runs without the watchdog, to see the harm.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfigFile } from '../src/adapters/config-file.ts';
import { readProberConfig } from '../src/domain/config/read-prober-config.ts';
import { grantInSeed, grantInShoot, seedUser, shootUser } from '../test/support/real/gardener-rbac.ts';
import { end, endAll, freePort, start } from '../test/support/real/processes.ts';
import { RealApiServer } from '../test/support/real/real-api-server.ts';
import { startEtcd } from '../test/support/real/real-etcd.ts';
import { RealNodes } from '../test/support/real/real-nodes.ts';
import { addShoot, defineKinds, settle } from '../test/support/real/real-seed.ts';
import type { ChildProcess } from 'node:child_process';

const { values } = parseArgs({
  options: {
    bin: { type: 'string' },
    outages: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '5' },
    unwatched: { type: 'boolean', default: false },
  },
});
if (values.bin === undefined)
  throw new Error('--bin DIR is missing: the directory of etcd, kube-apiserver and kube-controller-manager');
const bin = values.bin;
const shootName = 'shoot--real--one';
const directory = mkdtempSync(join(tmpdir(), 'dwd-real-'));
const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 23)} ${line}\n`);
process.on('exit', endAll);

const configFile = join(import.meta.dirname, '../test/support/gardener-prober.yaml');
const read = await readConfigFile(configFile, (written) => readProberConfig(written, { strict: true }));
if (!read.ok) throw new Error('the configuration cannot be read');
const { config } = read;

const etcd = await startEtcd(bin, directory);
const [seed, shoot] = await Promise.all([
  RealApiServer.start(bin, directory, 'seed', etcd, [
    { name: seedUser, token: 'prober-in-seed', groups: ['system:serviceaccounts', 'system:authenticated'] },
  ]),
  RealApiServer.start(bin, directory, 'shoot', etcd, [
    { name: shootUser, token: 'probe-in-shoot', groups: ['system:serviceaccounts', 'system:authenticated'] },
  ]),
]);
say(`seed ${seed.url}, shoot ${shoot.url}, logs in ${directory}`);

await defineKinds(seed);
await seed.call('POST', '/api/v1/namespaces', { metadata: { name: 'garden' } });
await shoot.call('POST', '/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } }, [409]);
await grantInSeed(seed);
await grantInShoot(shoot);
const nodes = new RealNodes(shoot, Number(values.nodes));
await nodes.join();
await addShoot(seed, shootName, config, shoot.kubeconfig(shootUser), nodes.names);

// The controller-manager of the shoot lives as long as its Deployment has replicas.
const scaled = new Map<string, { at: number; replicas: number }>();
let controllerManager: ChildProcess | undefined;
writeFileSync(join(directory, 'kcm.kubeconfig'), shoot.kubeconfig('admin'));
function runControllerManager(): void {
  controllerManager ??= start(directory, 'kube-controller-manager', join(bin, 'kube-controller-manager'), [
    `--kubeconfig=${join(directory, 'kcm.kubeconfig')}`,
    '--controllers=node-lifecycle-controller',
    '--node-monitor-grace-period=40s',
    '--leader-elect=false',
    '--secure-port=0',
  ]);
}
async function follow(event: { object: Record<string, unknown> }): Promise<void> {
  const { metadata, spec, status } = event.object as {
    metadata: { name: string; namespace: string; generation: number };
    spec: { replicas: number };
    status: { observedGeneration?: number };
  };
  if (scaled.get(metadata.name)?.replicas !== spec.replicas)
    scaled.set(metadata.name, { at: Date.now(), replicas: spec.replicas });
  if (status.observedGeneration === metadata.generation) return;
  await pause(spec.replicas === 0 ? 300 : 2_000);
  if (metadata.name === 'kube-controller-manager') {
    if (spec.replicas > 0) runControllerManager();
    else if (controllerManager !== undefined) {
      await end(controllerManager);
      controllerManager = undefined;
    }
  }
  await settle(seed, metadata.namespace, metadata.name, spec.replicas, metadata.generation);
}
void seed.watch(
  '/apis/apps/v1/deployments?watch=1',
  (event) => void follow(event).catch((error: unknown) => say(`the Deployment controller: ${String(error)}`)),
);
runControllerManager();

const seedKubeconfig = join(directory, 'prober.kubeconfig');
writeFileSync(seedKubeconfig, seed.kubeconfig(seedUser));
const metricsPort = await freePort();
if (!values.unwatched)
  start(directory, 'prober', process.execPath, [
    join(import.meta.dirname, '../src/main.ts'),
    'prober',
    `--config-file=${configFile}`,
    `--kubeconfig=${seedKubeconfig}`,
    '--kube-api-qps=20.0',
    '--kube-api-burst=100',
    '--zap-log-level=INFO',
    '--enable-leader-election=true',
    `--metrics-bind-addr=127.0.0.1:${metricsPort}`,
    `--health-bind-addr=127.0.0.1:${await freePort()}`,
    '--inspector-bind-addr=0',
    `--journal-dir=${directory}`,
  ]);
say('calm for 50 s');
await pause(50_000);

const results: string[] = [];
for (let outage = 1; outage <= Number(values.outages); outage++) {
  await pause(Math.random() * 30_000);
  nodes.cutOff();
  const cutAt = Date.now();
  const expiries = nodes.names.map((name) => (nodes.renewedAt.get(name) ?? cutAt) + 30_000).toSorted((a, b) => a - b);
  const threshold = expiries[Math.ceil(nodes.names.length * config.nodeLeaseFailureFraction) - 1] ?? cutAt;
  say(`outage ${outage}: cut off; the threshold is met in ${((threshold - cutAt) / 1_000).toFixed(1)} s`);
  await pause(threshold - cutAt + 25_000);
  const marked = await nodes.marked();
  const after = (name: string) => {
    const one = scaled.get(name);
    return one === undefined || one.at < cutAt ? 'never' : `${((one.at - threshold) / 1_000).toFixed(3)} s`;
  };
  const down = config.dependants.map(({ ref }) => `${ref.name} ${after(ref.name)}`).join(', ');
  results.push(
    `outage ${outage}: at 0 after the threshold: ${down}; nodes marked: ${marked.length} of ${nodes.names.length}`,
  );
  say(results.at(-1) ?? '');

  nodes.heal();
  const healedAt = Date.now();
  for (let back = false; !back && Date.now() - healedAt < 180_000; await pause(500)) {
    const all = await Promise.all(
      config.dependants.map(({ ref }) =>
        seed.call('GET', `/apis/apps/v1/namespaces/${shootName}/deployments/${ref.name}`),
      ),
    );
    const texts = all.map(({ body }) => JSON.stringify(body));
    back =
      all.every(({ body }) => (body['spec'] as { replicas: number }).replicas === 1) &&
      !texts.some((text) => text.includes('dependency-watchdog.gardener.cloud'));
    if (back) say(`healed: all back at 1, no annotation left, ${((Date.now() - healedAt) / 1_000).toFixed(1)} s after`);
  }
  await pause(15_000);
}
for (const line of results) process.stdout.write(`${line}\n`);
if (!values.unwatched) {
  const log = readFileSync(join(directory, 'prober.log'), 'utf8');
  process.stdout.write(`${log.split('\n').length - 1} log lines of the prober in ${join(directory, 'prober.log')}\n`);
}
process.exit(0);

/**
 * Recoveries of etcd against the real thing: etcd, a kube-apiserver with RBAC on and Gardener's rules, real controllers for
 * Deployments, StatefulSets and EndpointSlices, and the weeder as Gardener starts it.
 *
 *   npm run real -- weeding [--namespaces N] [--recoveries N]
 */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../src/adapters/clock/wall-clock.ts';
import { grantWeederInSeed, weederUser } from './real/gardener-rbac.ts';
import { progress } from './options/progress.ts';
import { findControlPlane } from './control-plane/find-control-plane.ts';
import { freePort } from './real/free-port.ts';
import { endAll, start } from './real/processes.ts';
import { RealApiServer } from './real/api-server.ts';
import { RealControlPlanes } from './real/control-planes.ts';
import { startEtcd } from './real/etcd.ts';
import { readWeedingOptions, usage } from './weeding/weeding-options.ts';

const options = readWeedingOptions(process.argv.slice(2));
if (options === 'help' || 'wrong' in options) {
  process.stderr.write(options === 'help' ? usage : `${options.wrong}\n`);
  process.exit(options === 'help' ? 0 : 2);
}
const { say, goesOn } = progress(systemClock, (line) => process.stdout.write(`${line}\n`));
goesOn(() => 'looking for etcd, kube-apiserver and kube-controller-manager');
const { directory: bin } = await findControlPlane(say);
goesOn(() => 'etcd and an API server start');
const directory = mkdtempSync(join(tmpdir(), 'dwd-real-weeding-'));
process.on('exit', endAll);

const seed = await RealApiServer.start(bin, directory, 'seed', await startEtcd(bin, directory), [
  { name: weederUser, token: 'weeder-in-seed', groups: ['system:serviceaccounts', 'system:authenticated'] },
]);
say(`seed ${seed.url}, logs in ${directory}`);
await seed.operator.core.createNamespace({ body: { metadata: { name: 'garden' } } });
await grantWeederInSeed(seed);
writeFileSync(join(directory, 'kcm.kubeconfig'), seed.kubeconfig('admin'));
start(directory, 'kube-controller-manager', join(bin, 'kube-controller-manager'), [
  `--kubeconfig=${join(directory, 'kcm.kubeconfig')}`,
  '--controllers=deployment-controller,replicaset-controller,statefulset-controller,endpointslice-controller',
  '--kube-api-qps=500',
  '--kube-api-burst=1000',
  '--leader-elect=false',
  '--secure-port=0',
]);

const namespaces = Array.from({ length: options.namespaces }, (_, index) => `shoot--real--${index + 1}`);
const planes = new RealControlPlanes(seed, namespaces);
/** When a slice of the service first had a ready endpoint again after it had none. */
const readyAt = new Map<string, number>();
void seed.watch('/apis/discovery.k8s.io/v1/endpointslices?watch=1', ({ object }) => {
  const { metadata, endpoints } = object as {
    metadata: { namespace: string; labels?: Record<string, string> };
    endpoints?: { conditions?: { ready?: boolean } }[] | null;
  };
  const key = `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`;
  if (!(endpoints ?? []).some(({ conditions }) => conditions?.ready === true)) readyAt.delete(key);
  else if (!readyAt.has(key)) readyAt.set(key, Date.now());
});
await planes.start(say);
await until('every control plane is well', () => namespaces.every((one) => planes.isWell(one)));

writeFileSync(join(directory, 'weeder.kubeconfig'), seed.kubeconfig(weederUser));
start(directory, 'weeder', process.execPath, [
  join(import.meta.dirname, '../src/main.ts'),
  'weeder',
  `--config-file=${join(import.meta.dirname, '../deploy/base/weeder/dep-config.yaml')}`,
  `--kubeconfig=${join(directory, 'weeder.kubeconfig')}`,
  '--enable-leader-election=true',
  `--metrics-bind-addr=127.0.0.1:${await freePort()}`,
  `--health-bind-addr=127.0.0.1:${await freePort()}`,
  '--inspector-bind-addr=0',
  `--journal-dir=${directory}`,
]);
const log = join(directory, 'weeder.log');
await until('the weeder leads', () => existsSync(log) && readFileSync(log, 'utf8').includes('"leading"'));

const chain = [
  ['etcd-main-client', (name: string) => name.startsWith('kube-apiserver')],
  ['kube-apiserver', (name: string) => /^kube-(controller|scheduler)/.test(name)],
] as const;
const reactions: number[] = [];
const wrong: string[] = [];
for (let recovery = 1; recovery <= options.recoveries; recovery++) {
  await Promise.all(namespaces.map((one) => planes.fail(one)));
  await until('no service is ready', () => readyAt.size === 0);
  await pause(2_000);
  planes.deleted.length = 0;
  await Promise.all(namespaces.map((one) => planes.heal(one)));
  const wellAfter = await until('every control plane is well again', () =>
    namespaces.every((one) => planes.isWell(one)),
  );
  for (const namespace of namespaces)
    for (const [service, isTheirs] of chain) {
      const ready = readyAt.get(`${namespace}/${service}`);
      const first = planes.deleted.find((one) => one.namespace === namespace && isTheirs(one.name));
      if (ready !== undefined && first !== undefined) reactions.push(first.at - ready);
    }
  wrong.push(...planes.deleted.filter(({ state }) => state !== 'crashLooping').map(({ name }) => name));
  say(`recovery ${recovery}: ${planes.deleted.length} pods deleted, all well ${wellAfter} ms after`);
}
const sorted = reactions.toSorted((one, other) => one - other);
say(
  `service ready → first deletion seen: median ${sorted[sorted.length >> 1]} ms, worst ${sorted.at(-1)} ms, of ${sorted.length}`,
);
say(wrong.length === 0 ? 'nothing else was deleted' : `WRONGLY DELETED: ${wrong.join(', ')}`);
process.exit(wrong.length === 0 ? 0 : 1);

/** Resolves to the milliseconds that it took. */
async function until(what: string, isSo: () => boolean): Promise<number> {
  const from = Date.now();
  goesOn(() => `not yet: ${what}`);
  while (!isSo()) {
    if (Date.now() - from > 120_000) throw new Error(`not within two minutes: ${what}`);
    await pause(20);
  }
  say(what);
  return Date.now() - from;
}

/**
 * Recoveries of etcd against the real thing: etcd, a kube-apiserver with RBAC on and Gardener's rules, real controllers for
 * Deployments, StatefulSets and EndpointSlices, and the weeder as Gardener starts it.
 *
 *   npm run real -- weeding [--namespaces N] [--recoveries N]
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { playAsked } from './options/read-options.ts';
import { progress } from './options/progress.ts';
import { endTheLiving } from './real/clearing-up.ts';
import { ControlPlane } from './real/control-plane.ts';
import { startControllerManager } from './real/controller-manager.ts';
import { weederUser } from '@dwd/testing/gardener-rbac.ts';
import { startSeed } from './real/gardener-servers.ts';
import { prepareGround } from './control-plane/prepare-ground.ts';
import { seedNode } from './real/played-pods.ts';
import { StartedRole } from './real/started-role.ts';
import { readWeedingOptions, usage, type WeedingOptions } from './weeding/weeding-options.ts';

await playAsked(readWeedingOptions(process.argv.slice(2)), usage, play);

async function play({ namespaces, recoveries }: WeedingOptions): Promise<void> {
  const { say, goesOn } = progress(systemClock, (line) => process.stdout.write(`${line}\n`));
  goesOn(() => 'looking for etcd, kube-apiserver and kube-controller-manager');
  const ground = await prepareGround('real-weeding', say);
  const { directory } = ground;
  goesOn(() => 'an API server starts');
  const seed = await startSeed(ground, 'seed');
  say(`seed ${seed.url}, logs in ${directory} until the end`);
  const controllers = ['deployment', 'replicaset', 'statefulset', 'endpointslice'].map((one) => `${one}-controller`);
  const fast = ['--kube-api-qps=500', '--kube-api-burst=1000'];
  startControllerManager(ground, 'kube-controller-manager', seed, controllers, fast);

  const ending = new AbortController();
  const planes = Array.from(
    { length: namespaces },
    (_, index) => new ControlPlane(seed.operator, `shoot--real--${index + 1}`, ending.signal),
  );
  /** When a slice of the service first had a ready endpoint again after it had none. */
  const readyAt = new Map<string, number>();
  const onSlice = ({ object }: { object: Record<string, unknown> }) => {
    const { metadata, endpoints } = object as {
      metadata: { namespace: string; labels?: Record<string, string> };
      endpoints?: { conditions?: { ready?: boolean } }[] | null;
    };
    const key = `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`;
    if (!(endpoints ?? []).some(({ conditions }) => conditions?.ready === true)) readyAt.delete(key);
    else if (!readyAt.has(key)) readyAt.set(key, Date.now());
  };
  seed.watch('/apis/discovery.k8s.io/v1/endpointslices?watch=1', onSlice).catch((error: unknown) => {
    // In the end its server goes.
    if (!ending.signal.aborted) throw error;
  });
  // The EndpointSlice controller ignores pods of a node that does not exist.
  await seed.operator.core.createNode({ body: { metadata: { name: seedNode } } });
  goesOn(() => 'not yet: every control plane is well');
  await Promise.all(planes.map((plane) => plane.raise()));

  const weeder = await StartedRole.start('weeder', {
    directory,
    kubeconfig: seed.kubeconfig(weederUser),
    configFile: join(import.meta.dirname, '../../deploy/base/weeder/dep-config.yaml'),
    more: [`--journal-dir=${directory}`],
  });
  await until('the weeder leads', () => weeder.leads());

  const chain = [
    ['etcd-main-client', (name: string) => name.startsWith('kube-apiserver')],
    ['kube-apiserver', (name: string) => /^kube-(controller|scheduler)/.test(name)],
  ] as const;
  const reactions: number[] = [];
  const wrong: string[] = [];
  for (let recovery = 1; recovery <= recoveries; recovery++) {
    await Promise.all(planes.map((plane) => plane.fail('main')));
    await until('no service is ready', () => readyAt.size === 0);
    await pause(2_000);
    for (const { pods } of planes) pods.deleted.length = 0;
    await Promise.all(planes.map((plane) => plane.heal('main')));
    const wellAfter = await until('every control plane is well again', () => planes.every(({ isWell }) => isWell));
    for (const { namespace, pods } of planes)
      for (const [service, isTheirs] of chain) {
        const ready = readyAt.get(`${namespace}/${service}`);
        const first = pods.deleted.find(({ name }) => isTheirs(name));
        if (ready !== undefined && first !== undefined) reactions.push(first.at - ready);
      }
    const deleted = planes.flatMap(({ pods }) => pods.deleted);
    wrong.push(...deleted.filter(({ state }) => state !== 'crashLooping').map(({ name }) => name));
    say(`recovery ${recovery}: ${deleted.length} pods deleted, all well ${wellAfter} ms after`);
  }
  ending.abort();
  const sorted = reactions.toSorted((one, other) => one - other);
  say(
    `service ready → first deletion seen: median ${sorted[sorted.length >> 1]} ms, worst ${sorted.at(-1)} ms, of ${sorted.length}`,
  );
  say(wrong.length === 0 ? 'nothing else was deleted' : `WRONGLY DELETED: ${wrong.join(', ')}`);
  await endTheLiving();
  process.exit(wrong.length === 0 ? 0 : 1);

  /** Resolves to the milliseconds that it took. */
  async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<number> {
    const from = Date.now();
    goesOn(() => `not yet: ${what}`);
    while (!(await isSo())) {
      if (Date.now() - from > 120_000) throw new Error(`not within two minutes: ${what}`);
      await pause(20);
    }
    say(what);
    return Date.now() - from;
  }
}

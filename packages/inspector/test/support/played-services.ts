import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import type { SimEndpoint } from '@dwd/testing/weeder-watches.ts';
import { WeededWorld } from '@dwd/testing/weeded-world.ts';
import { gardenerWeederConfig } from '@dwd/testing/weeder-configs.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** The namespace of a control plane that loses its etcd and is weeded. */
export const weededNamespace = 'shoot--dev--etcd';

const up: readonly SimEndpoint[] = ['ready'];
const down: readonly SimEndpoint[] = ['unready'];

/** etcd is down for three minutes; API servers, then controllers, crash-loop for it, and are deleted once it is back. */
export async function playEtcdOutage(startAt: Instant): Promise<readonly WeederTurn[]> {
  const weeded = new WeededWorld(gardenerWeederConfig, startAt);
  const { world } = weeded;
  const etcd = `${weededNamespace}/etcd-main-client` as const;
  const apiserver = `${weededNamespace}/kube-apiserver` as const;
  const controlPlane = { 'gardener.cloud/role': 'controlplane' };
  for (const service of [etcd, apiserver]) world.setSlice(service, 'slice', up);
  const servers = [0, 1].map((index) =>
    world.addPod(weededNamespace, `kube-apiserver-${index}`, { ...controlPlane, role: 'apiserver' }),
  );
  const controllers = ['kube-controller-manager', 'kube-scheduler', 'machine-controller-manager'].map((name) =>
    world.addPod(weededNamespace, `${name}-0`, { ...controlPlane, role: 'controller' }),
  );
  weeded.start();
  await weeded.pass(6 * minutes);
  world.setSlice(etcd, 'slice', down);
  await weeded.pass(20 * seconds);
  world.setSlice(apiserver, 'slice', down);
  for (const pod of servers) world.setCrashing(pod, true, 'kube-apiserver');
  await weeded.pass(60 * seconds);
  for (const pod of controllers) world.setCrashing(pod, true, 'main');
  await weeded.pass(100 * seconds);
  world.setSlice(etcd, 'slice', up);
  await weeded.pass(10 * seconds);
  world.setSlice(apiserver, 'slice', up);
  await weeded.pass(7 * minutes);
  weeded.stop();
  if (weeded.broken.length > 0) throw new Error(weeded.broken.join('\n'));
  return weeded.turns;
}

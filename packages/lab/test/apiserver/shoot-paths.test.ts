import { afterAll, expect, test } from 'vitest';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { LoadBalancer } from '@dwd/simulator/api/load-balancer.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';
import { balancerBefore } from '@dwd/simulator/api/load-balancer.ts';
import { balancedPaths } from '@dwd/simulator/contract/balanced-paths.ts';
import { balancedPathsContract } from '@dwd/simulator/contract/shoot-paths.contract.ts';
import { realShoot } from './real-tier.ts';

const shoot = realShoot();
let balancer: Promise<LoadBalancer> | undefined;
afterAll(async () => (await balancer)?.stop());

/** As the probe under Gardener's grants; a TCP load balancer stands before the API server. */
balancedPathsContract('real', async () => {
  const between = await (balancer ??= balancerBefore(shoot.url));
  return balancedPaths('shoot--contract--paths', shoot.kubeconfig(shootUser), between, {
    clock: systemClock,
    wait: (work) => work,
  });
});

test('4.8 4.9 the two paths need no grant in the shoot: whoever may log in may ask for /version', async () => {
  const between = await (balancer ??= balancerBefore(shoot.url));
  const real = { clock: systemClock, wait: <Value>(work: Promise<Value>) => work };
  const { api, shoot: name } = await balancedPaths('shoot--contract--paths', shoot.kubeconfig('weak'), between, real);
  const never = new AbortController().signal;
  for (const path of ['internal', 'external'] as const)
    expect(await api.askPath(name, path, systemClock.now() + 30_000, never)).toBeUndefined();
});

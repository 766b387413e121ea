import { afterAll } from 'vitest';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import type { LoadBalancer } from '../../src/simulator/api/load-balancer.ts';
import { shootUser } from '../../hack/real/gardener-rbac.ts';
import { balancedPaths, balancerOf } from '../contract/balanced-paths.ts';
import { balancedPathsContract } from '../contract/shoot-paths.contract.ts';
import { realShoot } from './real-tier.ts';

const shoot = realShoot();
let balancer: Promise<LoadBalancer> | undefined;
afterAll(async () => (await balancer)?.stop());

/** As the probe under Gardener's grants; a TCP load balancer stands before the API server. */
balancedPathsContract('real', async () => {
  const between = await (balancer ??= balancerOf(shoot.url));
  return balancedPaths('shoot--contract--paths', shoot.kubeconfig(shootUser), between, {
    clock: systemClock,
    wait: (work) => work,
  });
});

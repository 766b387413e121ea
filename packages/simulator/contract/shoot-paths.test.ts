import { afterAll, describe, expect, test } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { valueAt } from 'dependency-watchdog/domain/value-at.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../embedded-seed.ts';
import { kinds } from '../store/embedded-kinds.ts';
import type { LoadBalancer } from '../api/load-balancer.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { SimWorld } from '@dwd/testing/sim-world.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { balancerBefore } from '../api/load-balancer.ts';
import { balancedPaths } from './balanced-paths.ts';
import { balancedPathsContract, shootPathsContract, type BalancedPathsStage } from './shoot-paths.contract.ts';

const name = 'shoot--contract--paths';
/** It stands still, but where a question waits for its deadline. */
const clock = new VirtualClock(Date.parse('2026-11-21T20:00:00Z'));
let scene: Promise<Readonly<{ seed: EmbeddedSeed; balancer: LoadBalancer }>> | undefined;
afterAll(async () => {
  const started = await scene;
  await started?.balancer.stop();
  await started?.seed.stop();
});

/** One seed with one shoot and its load balancer, for all. */
async function started() {
  const options = { clock, chance: seededChance(1), config: gardenerConfig, shoots: [name], nodes: 1 };
  const seed = await startEmbeddedSeed(options);
  return { seed, balancer: await balancerBefore(seed.shoot(name).api.url) };
}

async function open(): Promise<BalancedPathsStage> {
  const { seed, balancer } = await (scene ??= started());
  const secret = seed.api.storage.store.of(kinds.secret).get(`${name}/${gardenerConfig.kubeConfigSecretName}`);
  const kubeconfig = Buffer.from(String(valueAt(secret?.object, 'data', 'kubeconfig')), 'base64').toString();
  return balancedPaths(name, kubeconfig, balancer, {
    clock,
    wait: async (work, hangs) => {
      if (!hangs) return work;
      // The clock must not run ahead of the wire: otherwise what does not hang would have no time to be answered.
      await expect.poll(() => balancer.connectionsNow, { interval: 1 }).toBe(1);
      return clock.until(work);
    },
  });
}

balancedPathsContract('embedded', open);

shootPathsContract('SimWorld', async () => {
  const world = new SimWorld(clock, gardenerConfig, 1);
  return {
    api: world,
    shoot: world.shoot,
    clock,
    wait: (work) => clock.until(work),
    fail: async (as) => void (world.loadBalancer = as === 'hang' ? 'hanging' : 'down'),
    heal: async () => void (world.loadBalancer = 'up'),
    leave: () => void Object.assign(world, { api: 'down', loadBalancer: 'down' }),
  };
});

describe('the questions of a probe of two paths', () => {
  test('4.8 4.9 each is one GET of /version over one connection, and nothing else', async () => {
    const { api, shoot, clock } = await open();
    const { seed } = await scene!;
    const { api: server } = seed.shoot(name);
    server.requests.take();
    const before = server.connections;
    const never = new AbortController().signal;
    const asked = (['internal', 'external'] as const).map((path) =>
      api.askPath(shoot, path, clock.now() + 5_000, never),
    );
    expect(await Promise.all(asked)).toEqual([undefined, undefined]);
    expect(server.requests.take().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'get /version',
      'get /version',
    ]);
    expect(server.connections - before).toBe(2);
  });
});

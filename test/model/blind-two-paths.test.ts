import { expect, test } from 'vitest';
import type { ClusterReading } from '../../src/domain/prober/cluster-view.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { autoscaler, controllerManager, machineController, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster, type ApiBehaviour } from '@dwd/testing/sim-world.ts';

const all = [controllerManager, machineController, autoscaler].map(({ key }) => key);
const hibernated: ClusterReading = { readable: true, cluster: { ...activeCluster, hibernationEnabled: true } };

/** A shoot whose two paths are asked, and whose Clusters' stream has just gone out. */
async function blind(): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(twoPathConfig);
  await guarded.pass(100_000);
  guarded.world.breakClusters();
  return guarded;
}

const replicas = ({ world }: GuardedWorld) => all.map((key) => world.state(key).replicas);

test('3.5 4.9 a shoot that hibernates while the stream of Clusters is out is left to gardenlet', async () => {
  const guarded = await blind();
  guarded.world.setCluster(hibernated);
  for (const key of all) guarded.world.edit(key, { replicas: 0 });
  await guarded.pass(120_000);
  expect(guarded.world.writes).toEqual([]);
  expect(guarded.state).toBe('idle');
});

test.each<ApiBehaviour>([
  'down',
  // What is asked for then gets time of its own, though the probe's is over.
  'hanging',
])(
  '3.5 4.9 a shoot that is cut off and hibernates is not taken down against gardenlet: the load balancer is %s',
  async (way) => {
    const guarded = await blind();
    guarded.world.setCluster(hibernated);
    guarded.world.loadBalancer = way;
    await guarded.pass(120_000);
    expect(guarded.world.writes).toEqual([]);
    expect(guarded.state).toBe('idle');
  },
);

test('3.5 4.9 where the Cluster cannot be asked for either, only what carries our mark goes up', async () => {
  const guarded = await blind();
  const { world } = guarded;
  world.clusterReadingFails = true;
  for (const key of all) world.edit(key, { replicas: 0 });
  world.edit(machineController.key, { mark: true, record: '3' });
  await guarded.pass(300_000);
  expect(replicas(guarded)).toEqual([0, 3, 0]);
});

test.each<readonly [ApiBehaviour, boolean]>([
  ['down', true],
  ['down', false],
  ['hanging', true],
  ['hanging', false],
])(
  '3.5 4.9 going down stays possible: the load balancer is %s, and the Cluster can be asked for (%s)',
  async (how, asked) => {
    const guarded = await blind();
    guarded.world.clusterReadingFails = !asked;
    guarded.world.loadBalancer = how;
    await guarded.pass(60_000);
    expect(guarded.state).toBe('scaledDown');
    expect(replicas(guarded)).toEqual([0, 0, 0]);
    // A question that ran into the deadline leaves the Cluster time of its own.
    const lost = guarded.turns.flatMap(({ notes }) => notes).filter(({ kind }) => kind === 'probeLost');
    expect(lost).toEqual([]);
  },
);

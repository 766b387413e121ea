import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ClusterAnswer, ClusterReading, ClusterView } from '../../src/domain/prober/cluster-view.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import {
  autoscaler,
  controllerManager,
  deployment,
  gardenerConfig,
  machineController,
  twoPathConfig,
} from '@dwd/testing/prober-configs.ts';
import { kcm, probedShoot } from '../support/lease-shoots.ts';
import type { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { activeCluster, type SimWorld } from '@dwd/testing/sim-world.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import type { Guarding } from '../../src/effects/guard-shoots.ts';
import { present } from '@dwd/testing/views.ts';

const all = [controllerManager, machineController, autoscaler].map(({ key }) => key);
const hibernated: ClusterReading = { readable: true, cluster: { ...activeCluster, hibernationEnabled: true } };
const awake: ClusterReading = { readable: true, cluster: activeCluster };

/** A shoot that is probed, whose Clusters' stream has just gone out. */
async function blind(): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(100_000);
  guarded.world.breakClusters();
  return guarded;
}

/** Scales as gardenlet does. */
function hibernate({ world }: GuardedWorld): void {
  world.setCluster(hibernated);
  for (const key of all) world.edit(key, { replicas: 0 });
}

const replicas = ({ world }: GuardedWorld) => all.map((key) => world.state(key).replicas);

test('3.5 a shoot that hibernates while the stream of Clusters is out is left to gardenlet', async () => {
  const guarded = await blind();
  hibernate(guarded);
  await guarded.pass(300_000);
  expect(guarded.world.writes).toEqual([]);
  expect(guarded.state).toBe('idle');
  expect(guarded.turns.at(-1)?.after?.context).toMatchObject({ pause: { because: 'the shoot is hibernated' } });
});

/** Its nodes take 20 s to be listed. */
const slowNodes = (world: SimWorld, clock: VirtualClock): Partial<Guarding> => ({
  shoots: {
    listLeases: world.listLeases.bind(world),
    askPath: world.askPath.bind(world),
    listNodes: async (...asked) => {
      const answer = await world.listNodes(...asked);
      await firstValueFrom(clock.wakeAt(clock.now() + 20_000), { defaultValue: undefined });
      return answer;
    },
  },
});

test('3.5 a shoot that is put to sleep while it lists its nodes slowly is not raised by an older Cluster', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 5, { instead: slowNodes });
  await guarded.pass(100_000);
  // By another hand, so its Cluster is asked for, and says that it is awake.
  guarded.world.edit(controllerManager.key, { replicas: 0 });
  const asked = () => guarded.world.asked.clusters;
  while (asked() === 0) await guarded.pass(500);
  guarded.world.breakClusters();
  hibernate(guarded);
  await guarded.pass(300_000);
  expect(guarded.world.writes).toEqual([]);
});

test('3.5 where the Cluster cannot be asked for either, only what carries our mark goes up', async () => {
  const guarded = await blind();
  const { world } = guarded;
  world.clusterReadingFails = true;
  hibernate(guarded);
  world.edit(machineController.key, { mark: true, record: '3' });
  await guarded.pass(300_000);
  expect(replicas(guarded)).toEqual([0, 3, 0]);
  expect(world.state(machineController.key).mark).toBe(false);
});

test.each([true, false])('3.5 going down stays possible, whether the Cluster can be asked for (%s)', async (asked) => {
  const guarded = await blind();
  guarded.world.clusterReadingFails = !asked;
  guarded.world.cutOff();
  await guarded.pass(60_000);
  expect(guarded.state).toBe('scaledDown');
  expect(replicas(guarded)).toEqual([0, 0, 0]);
});

test('3.5 a shoot that is cut off and hibernates is not taken down against gardenlet', async () => {
  const guarded = await blind();
  guarded.world.setCluster(hibernated);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  expect(guarded.world.writes).toEqual([]);
});

test('3.5 a Cluster that is awake is no hindrance', async () => {
  const guarded = await blind();
  guarded.world.edit(controllerManager.key, { replicas: 0 });
  await guarded.pass(60_000);
  expect(guarded.world.state(controllerManager.key).replicas).toBe(1);
});

test('3.5 a Cluster that is gone rests its shoot', async () => {
  const guarded = await blind();
  guarded.world.setCluster(undefined);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  expect(guarded.world.writes).toEqual([]);
  expect(guarded.state).toBe('idle');
  const { leases } = guarded.world.asked;
  await guarded.pass(300_000);
  expect(guarded.world.asked.leases, 'and is probed no more').toBe(leases);
});

test('3.5 a way up that runs as the stream goes out goes on with no more than what is ours', async () => {
  // No verdict comes before the delay is over.
  const hasty = deployment('machine-controller-manager', { down: 0, up: 1, upDelay: 2_000 });
  const guarded = new GuardedWorld({ ...gardenerConfig, dependants: [controllerManager, hasty, autoscaler] });
  const { world } = guarded;
  await guarded.pass(100_000);
  // Somebody else set one to 0, and we set two.
  world.edit(controllerManager.key, { replicas: 0, mark: true, record: '2' });
  world.edit(machineController.key, { replicas: 0 });
  world.edit(autoscaler.key, { replicas: 0, mark: true, record: '2' });
  for (let waited = 0; guarded.state !== 'scalingUp' && waited < 40; waited++) await guarded.pass(1_000);
  world.clusterReadingFails = true;
  world.breakClusters();
  await guarded.pass(200_000);
  expect(replicas(guarded)).toEqual([2, 0, 2]);
  world.clusterReadingFails = false;
  await guarded.pass(400_000);
  expect(replicas(guarded), 'once the Cluster was asked for').toEqual([2, 1, 2]);
});

test('3.5 when the stream is back, a shoot that was found at rest is probed again', async () => {
  const guarded = await blind();
  const { world } = guarded;
  hibernate(guarded);
  await guarded.pass(120_000);
  expect(guarded.state).toBe('idle');
  // It woke up unseen: the stream still holds the old Cluster.
  world.setCluster(awake);
  await guarded.pass(120_000);
  expect(guarded.state).toBe('idle');
  world.mendClusters();
  await guarded.pass(120_000);
  expect(guarded.state).toBe('probing');
});

test('3.5 as long as the stream works, nobody asks for a Cluster', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(100_000);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  guarded.world.heal();
  await guarded.pass(300_000);
  expect(guarded.state).toBe('probing');
  expect(guarded.world.asked.clusters).toBe(0);
});

test('5.4 nor does a healthy shoot while it does not', async () => {
  const guarded = await blind();
  await guarded.pass(600_000);
  expect(guarded.world.asked).toMatchObject({ clusters: 0, machines: 0 });
});

/** What a GET shows of the Cluster. */
const got = (change: Partial<ClusterView>): ClusterAnswer => ({
  outcome: 'read',
  reading: { readable: true, cluster: { ...activeCluster, ...change } },
});

/** A shoot whose look is under way, while the stream of Clusters is out; its leases moved once, and are 30 s old. */
function looking(): ShootDriver {
  const driver = probedShoot();
  driver.wholeProbe('connected');
  driver.clustersWatched(false);
  driver.wakeProbe();
  expect(driver.leases([30_000, 30_000])).toContain('listCandidates and the Cluster');
  return driver;
}

describe('3.5 what the stream has told since a look was asked for wins', () => {
  test('3.5 an older grace that the look brings is passed over', () => {
    const driver = looking();
    driver.cluster({ nodeMonitorGrace: 120_000 });
    expect(driver.candidatesWith(got({}))).toEqual(['say connected']);
    expect(driver.context.cluster?.nodeMonitorGrace).toBe(120_000);
  });

  test('3.5 what it had told before is older than the look', () => {
    const driver = probedShoot();
    driver.clustersWatched(false);
    driver.wakeProbe();
    driver.cluster({ nodeMonitorGrace: 120_000 });
    driver.leases([95_000, 95_000]);
    driver.candidatesWith(got({ nodeMonitorGrace: 200_000 }));
    expect([driver.state, driver.context.cluster?.nodeMonitorGrace]).toEqual(['probing', 200_000]);
  });

  test('3.5 nor does a rest that it brings stop a shoot that the stream has shown awake', () => {
    const driver = looking();
    driver.cluster({ nodeMonitorGrace: 120_000 });
    driver.candidatesWith(got({ hibernationEnabled: true }));
    expect([driver.state, driver.probe]).toEqual(['probing', 'resting']);
  });

  test('3.5 5.3 nothing without our mark goes up by a look that was overtaken', () => {
    const driver = looking();
    driver.sees(kcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '20' }));
    driver.cluster({ nodeMonitorGrace: 120_000 });
    expect(driver.candidatesWith(got({}))).toEqual(['say connected']);
    expect(driver.state).toBe('probing');
  });

  test('3.4 3.5 a look that comes after a stop tells nothing: an unreadable Cluster is not taken for readable', () => {
    const driver = looking();
    const number = driver.probeNumber;
    driver.unreadableCluster();
    driver.candidatesWith(got({}), number);
    expect(driver.context.pause).toMatchObject({ interrupted: true });
    // Creation would start nothing, but it was cut short.
    driver.cluster({ lastOperation: { type: 'Create', state: 'Processing' } });
    expect([driver.state, driver.probe]).toEqual(['probing', 'resting']);
  });
});

describe('3.5 6.5 before something without our mark is raised, its Cluster is read, whatever the watch shows', () => {
  test.each([gardenerConfig, twoPathConfig])(
    '3.5 4.9 6.5 a watch that lags behind with bookmarks raises nothing of a shoot that hibernates',
    async (config) => {
      const guarded = new GuardedWorld(config);
      await guarded.pass(100_000);
      guarded.world.clustersLag = true;
      hibernate(guarded);
      await guarded.pass(300_000);
      expect(guarded.world.writes).toEqual([]);
      expect(guarded.state).toBe('idle');
    },
  );

  test.each([gardenerConfig, twoPathConfig])(
    '3.5 4.9 6.5 nor after a delay in which the shoot was put to sleep and its API server went',
    async (config) => {
      const guarded = new GuardedWorld(config);
      const { world } = guarded;
      await guarded.pass(100_000);
      world.edit(machineController.key, { replicas: 0 });
      while (guarded.state !== 'scalingUp') await guarded.pass(500);
      world.clustersLag = true;
      world.api = 'down';
      hibernate(guarded);
      await guarded.pass(300_000);
      expect(world.writes).toEqual([]);
      world.setCluster(awake);
      world.api = 'up';
      await guarded.pass(300_000);
      expect(replicas(guarded)).not.toContain(0);
    },
  );

  test.each([gardenerConfig, twoPathConfig])(
    '3.5 4.9 6.5 nor where the Cluster cannot be read; what carries our mark goes up',
    async (config) => {
      const guarded = new GuardedWorld(config);
      await guarded.pass(100_000);
      guarded.world.clusterReadingFails = true;
      hibernate(guarded);
      guarded.world.setCluster(awake);
      guarded.world.edit(machineController.key, { mark: true, record: '3' });
      await guarded.pass(300_000);
      expect(replicas(guarded)).toEqual([0, 3, 0]);
    },
  );
});

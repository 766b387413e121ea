import { describe } from 'vitest';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { dependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import {
  ignoreAnnotation,
  markAnnotation,
  replicasAnnotation,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import { serviceKey } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import { controllerManager, dependant, deployment, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import type { SimEndpoint } from '@dwd/testing/weeder-watches.ts';
import { activeCluster, SimWorld } from '@dwd/testing/sim-world.ts';
import { WeederWorld } from '@dwd/testing/weeder-world.ts';
import { clusterApiContract, type ClusterApiStage } from './cluster-api.contract.ts';
import { machineApiContract, type MachineApiStage } from './machine-api.contract.ts';
import { scalerContract, type ScalerStage } from './scaler.contract.ts';
import { seedEventsContract, type SeedEventsStage } from './seed-events.contract.ts';
import { shootApiContract, type ShootApiStage } from './shoot-api.contract.ts';
import { weederSeedContract, type Readiness, type WeederSeedStage } from './weeder-seed.contract.ts';

// The laws are checked on these worlds (test/model): what they show must be what a seed shows. They live by the real clock
// here, since the contracts wait for what they expect.

const config = {
  ...gardenerConfig,
  dependants: [
    deployment('kcm', { down: 0, up: 0 }),
    dependant('example.org/v1', 'Widget', 'etcd', { down: 0, up: 0 }),
  ],
};

/** Nothing is there yet, and no replicas follow. */
function emptyWorld(of = config): SimWorld {
  const world = new SimWorld(systemClock, of, 0);
  world.setCluster(undefined);
  for (const { key } of of.dependants) {
    world.stuck.add(key);
    world.edit(key, { exists: false });
  }
  return world;
}

const now = () => systemClock.now();

const clusterSetter =
  (world: SimWorld): ClusterApiStage['setCluster'] =>
  async (state) => {
    const cluster = { ...activeCluster, hibernationEnabled: state === 'hibernated' };
    world.setCluster(state === undefined ? undefined : { readable: true, cluster });
  };

function scalerStage(): ScalerStage {
  const world = emptyWorld();
  return {
    scaler: world,
    shoot: world.shoot,
    create: async (writes, _name, { replicas, marked: mark = false, record, ignored = false }) => {
      const [once, twice] = config.dependants;
      const { key, ref } = (writes === 'once' ? once : twice)!;
      world.edit(key, { exists: true, replicas, mark, record, ignored });
      world.follow(key);
      world.stuck.add(key);
      return ref;
    },
    touch: async (ref) => world.edit(dependantKey(ref), {}),
    setReplicas: async (ref, replicas) => world.edit(dependantKey(ref), { replicas }),
    remove: async (ref) => world.edit(dependantKey(ref), { exists: false }),
    stored: async (ref) => {
      const { replicas, mark, record, ignored } = world.state(dependantKey(ref));
      const annotations = {
        ...(mark ? { [markAnnotation]: '' } : {}),
        ...(record === undefined ? {} : { [replicasAnnotation]: record }),
        ...(ignored ? { [ignoreAnnotation]: 'true' } : {}),
      };
      return { replicas, annotations };
    },
  };
}

function machineStage(): MachineApiStage {
  const world = emptyWorld();
  return {
    machines: world,
    shoot: world.shoot,
    now,
    // A Machine without a node is none that this world can hold, and none that the port may show.
    addMachines: async (machines) => {
      for (const { node, phase } of machines) if (node !== undefined) world.addNode(node, phase);
    },
  };
}

function seedEventsStage(): SeedEventsStage {
  const world = emptyWorld({ ...config, dependants: [controllerManager] });
  return {
    watch: world,
    shoot: world.shoot,
    synced: async () => undefined,
    setCluster: clusterSetter(world),
    setReplicas: async (replicas) =>
      world.edit(controllerManager.key, replicas === undefined ? { exists: false } : { exists: true, replicas }),
  };
}

async function shootStage(): Promise<ShootApiStage> {
  const world = new SimWorld(systemClock, config, 3);
  return {
    api: world,
    shoot: world.shoot,
    clock: systemClock,
    nodes: world.nodes.map(({ name }) => name),
    leave: () => void (world.api = 'down'),
  };
}

function weederStage(): WeederSeedStage {
  const namespace = 'contract';
  const world = new WeederWorld(systemClock, 60_000);
  world.replacements = 'none';
  world.grace = 0;
  const owners = new Map<string, string>();
  const podOf = (name: string) => world.pods.find((pod) => pod.name === name)!;
  const setSlice = (name: string, service: string, ready: Readiness | undefined): void => {
    // Of services that are not configured this world is told nothing, as the watch on a seed tells nothing of them.
    if (service === 'contract-unknown') return;
    const endpoints = ready?.map((is): SimEndpoint => (is === undefined ? 'unknown' : is ? 'ready' : 'unready'));
    world.setSlice(serviceKey({ namespace, service }), name, endpoints);
  };
  return {
    services: world,
    pods: world,
    remover: world,
    namespace,
    synced: async () => undefined,
    createSlice: async (name, service, ready) => {
      owners.set(name, service);
      setSlice(name, service, ready);
    },
    changeSlice: async (name, service, ready) => {
      const before = owners.get(name)!;
      if (before !== service) setSlice(name, before, undefined);
      owners.set(name, service);
      setSlice(name, service, ready);
    },
    deleteSlice: async (name) => setSlice(name, owners.get(name)!, undefined),
    createPod: async (name, labels, node) => {
      world.grace = node === undefined ? 0 : 60_000;
      const { uid } = world.addPod(namespace, name, labels);
      return { name, uid };
    },
    report: async (name, container, reason) => world.setCrashing(podOf(name), reason === 'CrashLoopBackOff', container),
    label: async (name, labels) => {
      const all = Object.entries({ ...podOf(name).labels, ...labels });
      world.setLabels(podOf(name), Object.fromEntries(all.flatMap(([key, of]) => (of === null ? [] : [[key, of]]))));
    },
    endPod: async (name) => world.endPod(podOf(name)),
    uids: async () => world.pods.map(({ uid }) => uid),
  };
}

const contract = (of: string, world: string, suite: () => void): void => {
  describe(`${of}, ${world}`, () => {
    suite();
  });
};

contract('scaler', 'SimWorld', () => scalerContract(async () => scalerStage()));
contract('Machine API', 'SimWorld', () => machineApiContract(async () => machineStage()));
contract('Cluster API', 'SimWorld', () =>
  clusterApiContract(async () => {
    const world = emptyWorld();
    return { clusters: world, shoot: world.shoot, now, setCluster: clusterSetter(world) };
  }),
);
contract('seed events', 'SimWorld', () => seedEventsContract(async () => seedEventsStage()));
shootApiContract('SimWorld', shootStage);
contract('weeder on the seed', 'WeederWorld', () => weederSeedContract(async () => weederStage()));

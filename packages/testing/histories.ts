import * as fc from 'fast-check';
import type { ClusterView } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { GuardedWorld } from './guarded-world.ts';
import { activeCluster, type ApiBehaviour, type WriteBehaviour } from './sim-world.ts';

/** One thing that can happen to a shoot, its seed, or the watchdog. */
export type HistoryStep =
  | Readonly<{ do: 'pass'; millis: number }>
  | Readonly<{ do: 'cutOff'; nodes: number }>
  | Readonly<{ do: 'heal' | 'breakWatch' | 'mendWatch' | 'crash' | 'unreadableLeases' | 'readableLeases' }>
  | Readonly<{ do: 'breakClusters' | 'mendClusters' }>
  | Readonly<{ do: 'clusterReads'; fail: boolean }>
  | Readonly<{ do: 'forbid'; resource: number; forbidden: boolean }>
  | Readonly<{ do: 'clock'; ahead: number }>
  | Readonly<{ do: 'kubeletClock'; node: number; behind: number }>
  | Readonly<{ do: 'api'; behaviour: ApiBehaviour }>
  | Readonly<{ do: 'loadBalancer'; behaviour: ApiBehaviour }>
  | Readonly<{ do: 'secret'; path: ShootPath; missing: boolean }>
  | Readonly<{ do: 'writes'; behaviour: WriteBehaviour }>
  | Readonly<{ do: 'reads'; fail: boolean }>
  | Readonly<{ do: 'cluster'; state: keyof typeof clusters }>
  | Readonly<{ do: 'machine'; node: number; phase: string | undefined }>
  | Readonly<{ do: 'unmanaged'; node: number; unmanaged: boolean }>
  | Readonly<{ do: 'condition'; node: number; conditions: readonly string[] }>
  | Readonly<{ do: 'ignore'; resource: number; ignored: boolean }>
  | Readonly<{ do: 'exists'; resource: number; exists: boolean }>
  | Readonly<{ do: 'replicas'; resource: number; replicas: number }>
  | Readonly<{ do: 'annotate'; resource: number; mark: boolean; record: string | undefined }>;

const clusters = {
  active: activeCluster,
  hibernated: { ...activeCluster, hibernationEnabled: true },
  migrating: { ...activeCluster, lastOperation: { type: 'Migrate', state: 'Processing' } },
  workerless: { ...activeCluster, workers: [] },
  shortGrace: { ...activeCluster, nodeMonitorGrace: 30_000 },
  creating: { ...activeCluster, lastOperation: { type: 'Create', state: 'Processing' } },
  unreadable: undefined,
  gone: null,
} satisfies Record<string, ClusterView | undefined | null>;

const node = fc.nat(4);
const resource = fc.nat(3);

/** What the world may do to us. */
export const faults: fc.Arbitrary<HistoryStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      millis: fc.oneof(fc.nat(1_000), fc.nat(12_000), fc.nat(90_000)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cutOff' as const), nodes: fc.constantFrom(5, 5, 5, 3, 2, 1) }) },
  { weight: 2, arbitrary: fc.constantFrom<HistoryStep>({ do: 'heal' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<HistoryStep>(
      { do: 'breakWatch' },
      { do: 'mendWatch' },
      { do: 'breakClusters' },
      { do: 'mendClusters' },
      { do: 'crash' },
      { do: 'crash' },
      { do: 'unreadableLeases' },
      { do: 'readableLeases' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('api' as const),
      behaviour: fc.constantFrom<ApiBehaviour>('up', 'up', 'down', 'hanging', 'throttled', 'garbled'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('writes' as const),
      behaviour: fc.constantFrom<WriteBehaviour>('fine', 'fine', 'conflict', 'refused', 'lostAnswer'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reads' as const), fail: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clusterReads' as const), fail: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forbid' as const), resource, forbidden: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      ahead: fc.constantFrom(0, 2_000, -2_000, 30_000, -30_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('kubeletClock' as const),
      node,
      // One that is far behind would be cut off for as long as nobody has seen its lease move.
      behind: fc.constantFrom(0, 2_000, -2_000, -60_000, -3_600_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cluster' as const),
      state: fc.constantFrom(...(Object.keys(clusters) as (keyof typeof clusters)[])),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('machine' as const),
      node,
      phase: fc.constantFrom('Running', 'Terminating', 'Failed', undefined),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unmanaged' as const), node, unmanaged: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('condition' as const),
      node,
      conditions: fc.constantFrom([], ['KernelDeadlock'], ['Ready'], ['Ready']),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ignore' as const), resource, ignored: fc.boolean() }) },
);

/** What else may happen to a shoot whose two paths are asked (SPEC 4.9). */
export const pathFaults: fc.Arbitrary<HistoryStep> = fc.oneof(
  { weight: 6, arbitrary: faults },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('loadBalancer' as const),
      behaviour: fc.constantFrom<ApiBehaviour>('up', 'up', 'down', 'hanging', 'slow', 'throttled', 'garbled'),
    }),
  },
  { weight: 1, arbitrary: fc.constant<HistoryStep>({ do: 'api', behaviour: 'slow' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('secret' as const),
      path: fc.constantFrom<ShootPath>('internal', 'external'),
      missing: fc.boolean(),
    }),
  },
);

/** What others may do to the dependants. */
export const otherHands: fc.Arbitrary<HistoryStep> = fc.oneof(
  fc.record({ do: fc.constant('exists' as const), resource, exists: fc.boolean() }),
  fc.record({ do: fc.constant('replicas' as const), resource, replicas: fc.nat(3) }),
  fc.record({
    do: fc.constant('annotate' as const),
    resource,
    mark: fc.boolean(),
    record: fc.constantFrom(undefined, '3', '0', 'two', '-1'),
  }),
);

/** Lets one thing happen. */
export async function happen(
  guarded: GuardedWorld,
  happening: HistoryStep,
  keys: readonly DependantKey[],
): Promise<void> {
  const { world } = guarded;
  switch (happening.do) {
    case 'pass':
      return guarded.pass(happening.millis);
    case 'cutOff':
      return world.cutOff(happening.nodes);
    case 'heal':
      return world.heal();
    case 'breakWatch':
      return world.breakWatch();
    case 'mendWatch':
      return world.mendWatch();
    case 'breakClusters':
      return world.breakClusters();
    case 'mendClusters':
      return world.mendClusters();
    case 'clusterReads':
      world.clusterReadingFails = happening.fail;
      return undefined;
    case 'forbid': {
      const key = keys[happening.resource % keys.length]!;
      if (happening.forbidden) world.forbidden.add(key);
      else world.forbidden.delete(key);
      return undefined;
    }
    case 'clock':
      world.shootAhead = happening.ahead;
      return undefined;
    case 'kubeletClock':
      world.nodes[happening.node]!.clockBehind = happening.behind;
      return undefined;
    case 'crash':
      return guarded.restart();
    case 'unreadableLeases':
    case 'readableLeases':
      world.unreadable = happening.do === 'unreadableLeases';
      return undefined;
    case 'api':
      world.api = happening.behaviour;
      return undefined;
    case 'loadBalancer':
      world.loadBalancer = happening.behaviour;
      return undefined;
    case 'secret':
      if (happening.missing) world.withoutSecret.add(happening.path);
      else world.withoutSecret.delete(happening.path);
      return undefined;
    case 'writes':
      world.writing = happening.behaviour;
      return undefined;
    case 'reads':
      world.readingFails = happening.fail;
      return undefined;
    case 'cluster': {
      const cluster = clusters[happening.state];
      if (cluster === null) return world.setCluster(undefined);
      return world.setCluster(
        cluster === undefined ? { readable: false, problem: 'spec.shoot is missing' } : { readable: true, cluster },
      );
    }
    case 'machine':
      world.nodes[happening.node]!.machine = happening.phase;
      return undefined;
    case 'unmanaged':
    case 'condition': {
      const one = world.nodes[happening.node]!;
      one.view =
        happening.do === 'unmanaged'
          ? { ...one.view, unmanaged: happening.unmanaged }
          : { ...one.view, trueConditions: happening.conditions };
      return undefined;
    }
    case 'ignore':
      return world.edit(keys[happening.resource % keys.length]!, { ignored: happening.ignored });
    case 'exists':
      return world.edit(keys[happening.resource % keys.length]!, { exists: happening.exists });
    case 'replicas':
      return world.edit(keys[happening.resource % keys.length]!, { replicas: happening.replicas });
    case 'annotate':
      return world.edit(keys[happening.resource % keys.length]!, { mark: happening.mark, record: happening.record });
  }
}

/** Everything is well again, and stays so. */
export function calm(guarded: GuardedWorld, keys: readonly DependantKey[]): void {
  const { world } = guarded;
  world.heal();
  world.api = 'up';
  world.loadBalancer = 'up';
  world.withoutSecret.clear();
  world.writing = 'fine';
  world.readingFails = false;
  world.unreadable = false;
  world.clusterReadingFails = false;
  world.forbidden.clear();
  world.mendClusters();
  for (const one of world.nodes) {
    one.machine = 'Running';
    one.clockBehind = 0;
    one.view = { ...one.view, unmanaged: false, trueConditions: ['Ready'] };
  }
  world.mendWatch();
  world.setCluster({ readable: true, cluster: activeCluster });
  for (const key of keys) world.edit(key, { exists: true, ignored: false });
}

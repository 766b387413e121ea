import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { leaseObject, zoneNames, zoneOf } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { createObject } from '@dwd/simulator/store/object-writes.ts';
import { cutOff, type Happening, type HappeningKind, type Struck } from '../happening.ts';
import type { Scene, Shoot } from '../scene.ts';
import { shootNames } from '../seed-plan.ts';

const pathFaults: readonly PathFault[] = [
  { kind: 'refuse' },
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'slow', delay: 12_000 },
];

/** What kubelets cannot reach any more, of one shoot or of all, and how that ends. */
export const outages: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: 1,
    draw({ at, shoot, chance, between, strikes }) {
      const fraction = strikes(0.7) ? 1 : chance();
      return cutOff(shoot, at, at + between(5_000, 900_000), fraction);
    },
    strike: {
      'nodes cut off': strikeCutOff,
      'nodes healed': ({ scene, shoot }) => {
        shoot?.heal();
        if (hasTwoPaths(scene.config)) void shoot?.paths.heal('external');
      },
    },
    calm: healPaths,
    tell: ({ kind, shoot, of }) =>
      kind === 'nodes healed'
        ? `the nodes of ${shoot} reached their API server again`
        : `${Math.round(100 * of.fraction)} % of the nodes of ${shoot} were cut off`,
  },
  {
    // The load balancer comes and goes.
    of: 'shoot',
    hourly: 0.3,
    draw({ at, shoot, between }) {
      const flaps: Happening[] = [];
      let [from, left] = [at, between(3, 15)];
      while ((left -= 1) >= 0) {
        const healedAt = from + between(2_000, 60_000);
        flaps.push(...cutOff(shoot, from, healedAt));
        from = healedAt + between(1_000, 40_000);
      }
      return flaps;
    },
  },
  {
    // The seed's own load balancer, or its zone: every shoot at once.
    of: 'seed',
    hourly: 0.5,
    draw({ at, shape, between }) {
      const healedAt = at + between(30_000, 900_000);
      return shootNames(shape.shoots).flatMap((shoot) => cutOff(shoot, at, healedAt + between(0, 5_000)));
    },
  },
  {
    // Of the two paths, the one that no kubelet goes.
    of: 'shoot',
    hourly: ({ twoPaths }) => (twoPaths ? 2 : 0),
    draw: ({ at, shoot, between, oneOf }) => [
      { at, kind: 'internal path broken', shoot, of: { fault: oneOf(pathFaults) } },
      { at: at + between(5_000, 400_000), kind: 'internal path healed', shoot },
    ],
    strike: {
      'internal path broken': ({ shoot, of }) => void shoot?.paths.break('internal', of.fault),
      'internal path healed': ({ shoot }) => void shoot?.paths.heal('internal'),
    },
  },
];

/** Where there are two paths, the external one breaks with all kubelets; in which way, the instant says. */
function strikeCutOff({ scene, shoot, it, of }: Struck): void {
  shoot?.cutOff(of.fraction);
  if (of.fraction < 1 || !hasTwoPaths(scene.config)) return;
  void shoot?.paths.break('external', pathFaults[it.at % pathFaults.length]!);
}

function healPaths(scene: Scene): void {
  if (!hasTwoPaths(scene.config)) return;
  for (const { paths } of scene.seed.shoots) void paths.heal();
}

/** A few leases expire, so that nodes are asked for; the answer comes so late that those of all others seem to have expired meanwhile. */
export const slowLooks: HappeningKind = {
  of: 'shoot',
  hourly: ({ nodes, twoPaths }) => (nodes > 2 && !twoPaths ? 0.5 : 0),
  draw({ at, shoot, between }) {
    const end = at + between(100_000, 200_000);
    return [
      ...cutOff(shoot, at, end, 0.3),
      { at, kind: 'nodes listed late', of: { by: between(22_000, 29_000) } },
      { at: end, kind: 'nodes listed in time', of: { by: 0 } },
    ];
  },
  strike: { 'nodes listed late': delayNodes, 'nodes listed in time': delayNodes },
  tell: ({ kind, of }) => `${kind}${kind === 'nodes listed late' ? `, by ${of.by} ms` : ''}`,
};

function delayNodes({ scene, of }: Struck): void {
  for (const { links } of scene.slots) links.shoot.nodesLate = of.by;
}

/** Nodes that come, go and are rolled, and Machines whose phase says that their node is not to be counted. */
export const nodes: HappeningKind = {
  of: 'shoot',
  hourly: 1,
  draw({ at, shoot, between, oneOf, strikes }) {
    const which = between(0, 9);
    const end = at + between(10_000, 500_000);
    const kind = oneOf(['node added', 'node removed', 'rolled', 'Machine ill', 'Machine ill'] as const);
    switch (kind) {
      case 'node added':
        return [{ at, kind, shoot }];
      case 'node removed':
        return [{ at, kind, shoot, of: { which } }];
      case 'rolled':
        return Array.from({ length: 3 }, (_, step) => [
          { at: at + step * 60_000, kind: 'node added', shoot },
          { at: at + step * 60_000 + 30_000, kind: 'node removed', shoot, of: { which: 0 } },
        ]).flat();
      case 'Machine ill': {
        const phase = oneOf(['Failed', 'Pending', 'Terminating', 'Unknown', '']);
        // What is ill is silent, too, and others are who are too few to tell.
        const isSilent = strikes(0.4);
        const silentAt = at + between(100_000, 130_000);
        return [
          { at, kind, shoot, of: { which: isSilent ? 0 : which, phase } },
          ...(isSilent ? cutOff(shoot, silentAt, silentAt + 60_000, 0.5) : []),
          { at: isSilent ? silentAt + 60_000 : end, kind: 'Machines well', shoot },
        ];
      }
      default:
        return kind satisfies never;
    }
  },
  strike: {
    'node added': ({ shoot }) => shoot?.addNodes(1),
    // A shoot without nodes is another one.
    'node removed': ({ shoot, of }) => shoot && shoot.nodes.length > 1 && shoot.removeNode(nodeOf(shoot, of.which)),
    'Machine ill': ({ scene, shoot, of }) => shoot && setPhase(scene, shoot, nodeOf(shoot, of.which), of.phase),
    'Machines well': ({ scene, shoot }) => shoot && healMachines(scene, shoot),
  },
  calm(scene) {
    for (const shoot of scene.seed.shoots) healMachines(scene, shoot);
  },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind}${of.phase === undefined ? '' : ` (${of.phase})`}`,
};

/** What is known of Machines may be two minutes old (5.4), and a kubelet falls silent later than its Machine begins to go. */
const known = [121_000, 140_000] as const;

/** Most nodes of a shoot go, so they fall silent one with the other; the two that stay renew, and nothing is cut off. */
export const leavingNodes: HappeningKind = {
  of: 'shoot',
  hourly: ({ nodes: count, twoPaths }) => (count > 4 && !twoPaths ? 0.6 : 0),
  draw({ at, shoot, shape, between }) {
    const fraction = (shape.nodes - 2) / shape.nodes;
    const silentAt = at + between(...known);
    const end = silentAt + between(40_000, 120_000);
    return [
      { at, kind: 'Machines terminating', shoot, of: { fraction } },
      ...cutOff(shoot, silentAt, end, fraction),
      { at: end, kind: 'Machines well', shoot },
    ];
  },
  strike: {
    'Machines terminating': ({ scene, shoot, of }) => {
      const going = shoot?.nodes.slice(0, Math.ceil(of.fraction * shoot.nodes.length)) ?? [];
      if (shoot !== undefined) for (const node of going) setPhase(scene, shoot, node, 'Terminating');
    },
  },
  tell: ({ shoot, of }) => `${Math.round(100 * of.fraction)} % of the Machines of ${shoot} terminate`,
};

/** The leases are as old as they may be without expiring, and older, in turns: a gateway lets a renewal through now and then (6.5). */
export const seesaws: HappeningKind = {
  of: 'shoot',
  hourly: ({ twoPaths }) => (twoPaths ? 0 : 0.5),
  draw({ at, shoot, between }) {
    const swings: Happening[] = [];
    let [from, left] = [at, between(6, 40)];
    while ((left -= 1) >= 0) {
      const healedAt = from + between(20_000, 33_000);
      swings.push(...cutOff(shoot, from, healedAt));
      from = healedAt + between(2_000, 12_000);
    }
    return swings;
  },
};

function nodeOf({ nodes: names }: Shoot, which: number): string {
  return names[which % names.length] ?? '';
}

function healMachines(scene: Scene, shoot: Shoot): void {
  for (const node of shoot.nodes) setPhase(scene, shoot, node, 'Running');
}

/** A restored etcd may have no Machine of a node. */
function setPhase({ seed }: Scene, shoot: Shoot, node: string, phase = ''): void {
  const machines = seed.api.storage.store.of(kinds.machine).list(shoot.name);
  if (machines.some(({ object }) => object.metadata.name.endsWith(node)))
    shoot.editMachine(node, { status: { currentStatus: { phase } } });
}

const day = 86_400_000;

/** Leases of nodes that are gone for long: nobody deletes them, in the weather or in the calm after it. */
export const leakedLeases: HappeningKind = {
  of: 'shoot',
  hourly: ({ twoPaths }) => (twoPaths ? 0 : 0.3),
  draw: ({ at, shoot, between }) => [{ at, kind: 'leases leaked', shoot, of: { count: between(1, 5) } }],
  strike: {
    'leases leaked': ({ scene, shoot, it, of }) => {
      const storage = shoot?.api.storage;
      if (storage === undefined) return;
      for (let index = 0; index < of.count; index += 1)
        createObject(storage, kinds.lease, leaseObject(`gone-${it.at}-${index}`, scene.now() - day));
    },
  },
  tell: ({ shoot, of }) => `${shoot}: ${of.count} leases of nodes that are gone`,
};

/** One zone of a shoot, often, since it is seldom left alone: too few nodes for the threshold, so they are marked, and their Machines replaced, and it is told (5.6). */
export const zones: HappeningKind = {
  of: 'shoot',
  hourly: ({ shoots, nodes: count, twoPaths }) => (count > zoneNames.length && !twoPaths ? 6 / shoots : 0),
  draw: ({ at, shoot, shape, between }) => [
    // Of those that have two nodes; one alone is no zone.
    { at, kind: 'zone cut off', shoot, of: { which: between(0, shape.nodes - zoneNames.length - 1) } },
    { at: at + between(120_000, 900_000), kind: 'nodes healed', shoot },
  ],
  strike: {
    'zone cut off': ({ shoot, of }) =>
      shoot?.cutOff(shoot.nodes.filter((node) => zoneOf(shoot.api.storage, node) === zoneNames[of.which])),
  },
  tell: ({ shoot, of }) => `${zoneNames[of.which]} of ${shoot} was cut off`,
};

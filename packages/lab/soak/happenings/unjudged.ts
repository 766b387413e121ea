import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { cutOff, type Happening, type HappeningKind, type Struck } from '../happening.ts';
import type { Scene, Shoot } from '../scene.ts';

/** What makes a lease tell nothing (SPEC 5.2), where there is a Machine with the label. */
const unmanaged = 'node.machine.sapcloud.io/not-managed-by-mcm';
const nodeLabel = 'node';

/** By what mistake the leases of a shoot tell nothing any more, in an outage or just before one. */
export const untellingLeases: HappeningKind = {
  of: 'shoot',
  hourly: ({ nodes, twoPaths }) => (nodes > 2 && !twoPaths ? 0.6 : 0),
  draw({ at, shoot, between, oneOf, strikes }) {
    const kind = oneOf([
      'nodes uncounted by hand',
      'nodes uncounted by their Machines',
      'nodes uncounted without leases',
    ] as const);
    const fraction = kind === 'nodes uncounted without leases' && strikes(0.5) ? 0.8 : 1;
    const silentAt = at + (strikes(0.6) ? -between(100_000, 150_000) : between(1_000, 60_000));
    const end = at + between(240_000, 500_000);
    return [
      ...(silentAt > 0 ? cutOff(shoot, silentAt, end) : []),
      { at, kind, shoot, of: { fraction } },
      { at: end, kind: 'nodes counted again', shoot },
    ];
  },
  strike: {
    'nodes uncounted by hand': ({ shoot }) => shoot && mark(shoot, { [unmanaged]: '' }),
    'nodes uncounted by their Machines': ({ scene, shoot }) => shoot && label(scene, shoot, false),
    'nodes uncounted without leases': ({ shoot, of }) => {
      const leases = shoot?.api.storage.store.of(kinds.lease);
      const names = shoot?.nodes ?? [];
      for (const node of names.slice(0, Math.ceil(of.fraction * names.length)))
        leases?.remove(`kube-node-lease/${node}`);
    },
    'nodes counted again': countAgain,
  },
  calm: (scene) => scene.seed.shoots.forEach((shoot) => countedAgain(scene, shoot)),
  tell: ({ kind, shoot }) => `${shoot}: its ${kind}`,
};

function countAgain({ scene, shoot }: Struck): void {
  if (shoot !== undefined) countedAgain(scene, shoot);
}

function countedAgain(scene: Scene, shoot: Shoot): void {
  mark(shoot, { [unmanaged]: null });
  label(scene, shoot, true);
}

/** Where it is so already nothing is written. */
function mark(shoot: Shoot, annotations: Readonly<Record<string, string | null>>): void {
  const nodes = shoot.api.storage.store.of(kinds.node);
  for (const node of shoot.nodes)
    if (nodes.get(node) !== undefined) shoot.editNode(node, { metadata: { annotations } });
}

/** A restored etcd may have no Machine of a node. */
function label({ seed }: Scene, shoot: Shoot, is: boolean): void {
  const machines = seed.api.storage.store.of(kinds.machine).list(shoot.name);
  for (const node of shoot.nodes) {
    const machine = machines.find(({ object }) => object.metadata.name.endsWith(node))?.object;
    if (machine === undefined || (machine.metadata.labels?.[nodeLabel] === node) === is) continue;
    shoot.editMachine(node, { metadata: { labels: { [nodeLabel]: is ? node : null } } });
  }
}

/** Its stream brings what Clusters say late, bookmarks too, while gardenlet puts a shoot to sleep: all of it is at 0, and by no mark of ours. */
export const lateClusters: HappeningKind = {
  of: 'shoot',
  hourly: 0.6,
  draw({ at, shoot, between }) {
    const lag = between(70_000, 110_000);
    const asleepAt = at + between(1_000, 20_000);
    const end = asleepAt + lag + between(0, 60_000);
    const scaled = (when: number, replicas: number): readonly Happening[] =>
      [0, 1, 2].map((which) => ({ at: when, kind: 'scaled by hand', shoot, of: { which, replicas } }));
    return [
      { at, kind: 'Clusters late', of: { lag } },
      { at: asleepAt, kind: 'hibernated', shoot },
      ...scaled(asleepAt + 100, 0),
      { at: end, kind: 'Clusters late', of: { lag: 0 } },
      { at: end + 130_000, kind: 'Cluster mended', shoot },
      ...scaled(end + 130_100, 1),
    ];
  },
  strike: {
    'Clusters late': ({ scene, of }) => {
      for (const { links } of scene.slots) links.seed.clustersLate = of.lag;
    },
  },
  tell: ({ of }) =>
    of.lag === 0 ? 'the stream of Clusters was in time again' : `the stream of Clusters was ${of.lag} ms late`,
};

import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { between, oneOf, strikes } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';
import { cutOff } from './outages.ts';
import { shootOf } from './shoot-of.ts';

/** Nodes that come, go and are rolled, and Machines whose phase says that their node is not to be counted. */
export const nodes: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1,
    draw(chance, _, at, shoot) {
      const which = between(chance, 0, 9);
      const end = at + between(chance, 10_000, 500_000);
      const kind = oneOf(chance, ['node added', 'node removed', 'rolled', 'Machine ill', 'Machine ill'] as const);
      switch (kind) {
        case 'node added':
          return [{ at, kind, shoot }];
        case 'node removed':
          return [{ at, kind, shoot, of: { which } }];
        case 'rolled':
          return Array.from({ length: 3 }, (__, step) => [
            { at: at + step * 60_000, kind: 'node added', shoot },
            { at: at + step * 60_000 + 30_000, kind: 'node removed', shoot, of: { which: 0 } },
          ]).flat();
        case 'Machine ill': {
          const phase = oneOf(chance, ['Failed', 'Pending', 'Terminating', 'Unknown', '']);
          // What is ill is silent, too, and others are who are too few to tell.
          const isSilent = strikes(chance, 0.4);
          const silentAt = at + between(chance, 100_000, 130_000);
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
      'node added': (scene, it) => shootOf(scene, it)?.addNodes(1),
      // A shoot without nodes is another one.
      'node removed': (scene, it) => {
        const shoot = shootOf(scene, it);
        if (shoot !== undefined && shoot.nodes.length > 1) shoot.removeNode(nodeOf(shoot, it));
      },
      'Machine ill': (scene, it) => {
        const shoot = shootOf(scene, it);
        if (shoot !== undefined) setPhase(scene, shoot, nodeOf(shoot, it), String(it.of?.['phase']));
      },
      'Machines well': (scene, it) => heal(scene, shootOf(scene, it)),
    },
    calm(scene) {
      for (const shoot of scene.seed.shoots) heal(scene, shoot);
    },
    tell: ({ kind, shoot, of }) =>
      `${shoot}: ${kind}${of?.['phase'] === undefined ? '' : ` (${of['phase'] as string})`}`,
  },
];

type Shoot = Scene['seed']['shoots'][number];

const nodeOf = ({ nodes: names }: Shoot, { of }: Happening): string =>
  names[Number(of?.['which']) % names.length] ?? '';

function heal(scene: Scene, shoot: Shoot | undefined): void {
  for (const node of shoot?.nodes ?? []) if (shoot !== undefined) setPhase(scene, shoot, node, 'Running');
}

/** A restored etcd may have no Machine of a node. */
export function setPhase({ seed }: Scene, shoot: Shoot, node: string, phase: string): void {
  const machines = seed.api.storage.store.of(kinds.machine).list(shoot.name);
  if (machines.some(({ object }) => object.metadata.name.endsWith(node)))
    shoot.editMachine(node, { status: { currentStatus: { phase } } });
}

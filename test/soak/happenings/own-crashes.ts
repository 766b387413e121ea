import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { planeOf } from './services.ts';

const controllers = ['kube-controller-manager', 'kube-scheduler', 'cluster-autoscaler'];

/** A dependant crashes for a reason of its own, whatever its service does: to delete its pods helps nobody (7.3). */
export const ownCrashes: readonly HappeningKind[] = [
  {
    of: 'control plane',
    hourly: ({ replicas }) => (replicas.weeder > 0 ? 1 : 0),
    draw(chance, _, at, shoot) {
      const of = { group: oneOf(chance, controllers) };
      const end = at + between(chance, 200_000, 900_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: at + 1_000, kind: 'dependant broken', shoot, of },
        { at: end, kind: 'dependant repaired', shoot, of },
      ];
    },
    strike: {
      'dependant broken': (scene, it) => planeOf(scene, it)?.down(String(it.of?.['group'])),
      'dependant repaired': (scene, it) => planeOf(scene, it)?.up(String(it.of?.['group'])),
    },
    calm: (scene) => {
      for (const plane of scene.seed.controlPlanes) for (const group of controllers) plane.up(group);
    },
    tell: ({ kind, shoot, of = {} }) => `${shoot}: ${kind} (${String(of['group'])})`,
  },
];

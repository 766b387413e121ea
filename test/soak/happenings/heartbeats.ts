import type { HappeningKind } from '../happening-kind.ts';
import { shootOf } from './shoot-of.ts';

/** gardenlet writes a Cluster whenever anything of its shoot changes, which is most often nothing that we use. */
export const heartbeats: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 6,
    draw: (_, __, at, shoot) => [{ at, kind: 'heartbeat', shoot }],
    strike: {
      heartbeat: (scene, it) =>
        shootOf(scene, it)?.editShoot({ metadata: { resourceVersion: String(Math.round(scene.age)) } }),
    },
    tell: ({ shoot }) => `${shoot}: its Cluster was written, with nothing new in it`,
  },
];

import { between, oneOf, strikes } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { cutOff } from './outages.ts';
import { shootOf } from './shoot-of.ts';

/**
 * Ways of a shoot that take several steps: it wakes up, comes from another seed, or goes to one. In the steps between, a probe that runs goes on, and none
 * is started (3.2). Often its nodes do not reach it yet, as is the case then.
 */
export const lifecycles: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 0.7,
    draw(chance, _, at, shoot) {
      const [first, second] = oneOf(chance, [
        ['hibernated', 'waking'],
        ['migrated', 'restoring'],
        ['migrating live', 'restoring'],
        ['migrating live', 'creating'],
      ] as const);
      const secondAt = at + between(chance, 20_000, 200_000);
      const end = secondAt + between(chance, 20_000, 200_000);
      const last: Happening = { at: end, kind: 'Cluster mended', shoot };
      return [
        ...(strikes(chance, 0.7) ? cutOff(shoot, at + between(chance, 0, 20_000), end) : []),
        { at, kind: first, shoot },
        { at: secondAt, kind: second, shoot },
        last,
      ];
    },
    strike: {
      waking: (scene, it) =>
        shootOf(scene, it)?.editShoot({ spec: { hibernation: { enabled: false } }, status: { hibernated: true } }),
      restoring: (scene, it) => shootOf(scene, it)?.lastOperation('Restore', 'Processing'),
      creating: (scene, it) => shootOf(scene, it)?.lastOperation('Create', 'Processing'),
      'migrating live': (scene, it) => shootOf(scene, it)?.lastOperation('LiveMigrate', 'Processing'),
    },
    tell: ({ kind, shoot }) => `${shoot} is ${kind}`,
  },
];

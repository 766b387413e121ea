import type { Millis } from '../../../src/domain/time.ts';
import { between, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';
import type { Happening } from '../happening.ts';

const shootOf = (scene: Scene, { shoot }: Happening) => scene.seed.shoots.find(({ name }) => name === shoot);

/** What kubelets of one shoot cannot reach any more, and how that ends. */
export const outages: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1,
    draw(chance, _, at, shoot) {
      const fraction = strikes(chance, 0.7) ? 1 : chance();
      const length = between(chance, 5_000, 900_000);
      return cutOff(shoot, at, at + length, fraction);
    },
    strike: {
      'nodes cut off': (scene, it) => shootOf(scene, it)?.cutOff(Number(it.of?.['fraction'])),
      'nodes healed': (scene, it) => shootOf(scene, it)?.heal(),
    },
    tell: ({ kind, shoot, of }) =>
      kind === 'nodes healed'
        ? `the nodes of ${shoot} reached their API server again`
        : `${Math.round(100 * Number(of?.['fraction']))} % of the nodes of ${shoot} were cut off`,
  },
];

/** Nodes of a shoot are cut off, all of them unless told, and reach their API server again later. */
export function cutOff(shoot: string, at: Millis, healedAt: Millis, fraction = 1): readonly Happening[] {
  return [
    { at, kind: 'nodes cut off', shoot, of: { fraction } },
    { at: healedAt, kind: 'nodes healed', shoot },
  ];
}

import { between } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { shootNames } from './outages.ts';
import type { Scene } from '../scene.ts';
import { shootOf } from './shoot-of.ts';

/**
 * Shoots that are deleted with all that belongs to them, and created anew under the same name. Not where etcd is restored from a backup:
 * gardenlet's part in putting such a shoot right is not simulated.
 */
export const births: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: ({ restores }) => (restores ? 0 : 0.6),
    draw: (chance, _, at, shoot) => [
      { at, kind: 'deletion asked for', shoot },
      { at: at + between(chance, 100, 60_000), kind: 'shoot deleted', shoot },
      { at: at + between(chance, 61_000, 400_000), kind: 'shoot created', shoot },
    ],
    strike: {
      'deletion asked for': (scene, it) => shootOf(scene, it)?.markDeleted(),
      'shoot deleted': (scene, it) => inTurn(scene, it.shoot, removeShoot),
      'shoot created': (scene, it) => inTurn(scene, it.shoot, create),
    },
    calm(scene) {
      for (const name of shootNames(scene.plan.shoots)) inTurn(scene, name, create);
    },
    tell: ({ kind, shoot }) => `${shoot}: ${kind}`,
  },
];

type Change = (seed: Scene['seed'], name: string) => Promise<unknown>;

/** The last change of each shoot: one must be over before the next begins. */
const last = new WeakMap<Scene, Map<string, Promise<unknown>>>();

export function inTurn(scene: Scene, name = '', change: Change): void {
  const ofScene = last.get(scene) ?? new Map<string, Promise<unknown>>();
  last.set(scene, ofScene);
  ofScene.set(
    name,
    (ofScene.get(name) ?? Promise.resolve()).then(() => change(scene.seed, name)),
  );
}

const isThere = ({ shoots }: Scene['seed'], name: string): boolean => shoots.some((shoot) => shoot.name === name);

export async function removeShoot(seed: Scene['seed'], name: string): Promise<void> {
  if (isThere(seed, name)) await seed.removeShoot(name);
}

async function create(seed: Scene['seed'], name: string): Promise<void> {
  if (!isThere(seed, name)) await seed.addShoot(name);
}

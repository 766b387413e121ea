import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';

/** The shoot to which it happens; undefined while the seed has none of that name. */
export function shootOf(scene: Scene, { shoot }: Happening): Scene['seed']['shoots'][number] | undefined {
  return scene.seed.shoots.find(({ name }) => name === shoot);
}

import type { Millis } from '../../../src/domain/time.ts';
import type { AccessAsked } from '../../../src/simulator/api/access.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import type { Slot } from '../slot.ts';

/** Who waits for a request that does not come gives up. */
const patience: Millis = 300_000;

/**
 * Once, before the seed carries out one of our requests with this verb in the namespace of the happening's shoot: the one that its `which` counts to.
 * Within some minutes, or never. With `resource`, those of that one alone count.
 */
export function atRequest(
  scene: Scene,
  { shoot, of }: Happening,
  verb: 'patch' | 'delete',
  then: (access: AccessAsked) => void,
  resource?: string,
): void {
  let left = Number(of?.['which']);
  const stop = scene.seed.api.onRequest((access) => {
    if (access.verb !== verb || access.namespace !== shoot || access.name === '') return;
    if (resource !== undefined && access.resource !== resource) return;
    left -= 1;
    if (left > 0) return;
    stop();
    if (scene.calmSince !== undefined) return;
    byAnother(scene, () => then(access));
  });
  scene.seed.api.agenda.after(patience, stop);
}

/** It is not the process that does it, although its request is being answered. */
export function byAnother(scene: Scene, does: () => void): void {
  const { store } = scene.seed.api.storage;
  const { writer } = store;
  store.writer = undefined;
  does();
  store.writer = writer;
}

/** Where the process lives that sent a request under this name. */
export function slotOf({ slots }: Scene, user: string): Slot | undefined {
  return slots.find(({ name, incarnation, process }) => process !== undefined && `${name}#${incarnation}` === user);
}

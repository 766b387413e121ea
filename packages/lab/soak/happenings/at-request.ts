import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Struck } from '../happening.ts';
import type { Scene, Slot } from '../scene.ts';

/** Who waits for a request that does not come gives up. */
export const patience: Millis = 300_000;

/** One of our requests: the name that it is about, who sent it, and where that process lives, if it still does. */
export type Asked = Readonly<{ name: string; user: string; slot: Slot | undefined }>;

/**
 * Once, before the seed carries out one of our requests with this verb in the namespace of the happening's shoot: the one that its `which` counts to.
 * Within some minutes, or never. With `resource`, those of that one alone count.
 */
export function atRequest(
  { scene, it, of, agenda }: Struck,
  verb: 'patch' | 'delete',
  then: (asked: Asked) => void,
  resource?: string,
): void {
  let left = of.which;
  const stop = scene.seed.api.onRequest((access) => {
    if (access.verb !== verb || access.namespace !== it.shoot || access.name === '') return;
    if (resource !== undefined && access.resource !== resource) return;
    left -= 1;
    if (left > 0) return;
    stop();
    if (scene.calmSince !== undefined) return;
    const { name, user } = access;
    byAnother(scene, () => then({ name, user, slot: slotOf(scene, user) }));
  });
  agenda.after(patience, stop);
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

/** Its packets vanish for as long as the happening says. */
export function silenceSeed({ agenda, of }: Struck, { links }: Slot): void {
  links.seed.out = 'silent';
  agenda.after(of.length, () => (links.seed.out = undefined));
}

import { ignoreAnnotation as ignore } from '../../../src/domain/prober/resource-view.ts';
import type { AccessAsked } from '../../../src/simulator/api/access.ts';
import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import { cutOff } from './outages.ts';
import { shootOf } from './shoot-of.ts';

/**
 * What happens in the very moment in which one of our writes reaches the seed, in an outage that begins for it. By chance alone it would come
 * once in thousands of lives.
 */
export const worstMoments: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 4,
    draw(chance, _, at, shoot) {
      const kind = oneOf(chance, [
        'overtaken by a hand',
        'told to ignore as it is written',
        'paused as it writes',
        'paused as it writes',
        'crashed as it writes',
        'cut off as it writes',
        'hibernated as it writes',
      ] as const);
      const which = between(chance, 1, 4);
      const replicas = between(chance, 1, 4);
      const length = between(chance, 16_000, 90_000);
      const healed = at + between(chance, 30_000, 180_000);
      return [
        { at, kind, shoot, of: { which, replicas, length } },
        ...cutOff(shoot, at + 1, healed),
        ...(kind === 'hibernated as it writes' ? [{ at: healed + length, kind: 'Cluster mended', shoot }] : []),
        ...(kind === 'told to ignore as it is written' ? [{ at: healed + length, kind: 'heeded again', shoot }] : []),
      ];
    },
    strike: {
      'overtaken by a hand': (scene, it) =>
        atWrite(scene, it, ({ name }) => dependantsOf(scene, it)?.scale(name, Number(it.of?.['replicas']))),
      'told to ignore as it is written': (scene, it) =>
        atWrite(scene, it, ({ name }) => dependantsOf(scene, it)?.annotate(name, { [ignore]: 'true' })),
      'heeded again': (scene, it) => {
        const dependants = dependantsOf(scene, it);
        for (const name of dependants?.names ?? [])
          if (dependants?.get(name) !== undefined) dependants.annotate(name, { [ignore]: null });
      },
      'paused as it writes': (scene, it) =>
        atWrite(scene, it, ({ user }) => {
          const slot = slotOf(scene, user);
          if (slot !== undefined) scene.pause(slot, Number(it.of?.['length']));
        }),
      'crashed as it writes': (scene, it) =>
        atWrite(scene, it, ({ user }) => {
          const slot = slotOf(scene, user);
          if (slot !== undefined) scene.crash(slot);
        }),
      'cut off as it writes': (scene, it) =>
        atWrite(scene, it, ({ user }) => {
          const link = slotOf(scene, user)?.links.seed;
          if (link === undefined) return;
          link.out = 'silent';
          scene.seed.api.agenda.after(Number(it.of?.['length']), () => (link.out = undefined));
        }),
      'hibernated as it writes': (scene, it) => atWrite(scene, it, () => shootOf(scene, it)?.hibernate()),
    },
    tell: ({ kind, shoot, of }) => `${shoot}: ${kind}, at write ${Number(of?.['which'])}`,
  },
];

const dependantsOf = (scene: Scene, it: Happening) => shootOf(scene, it)?.dependants;

const slotOf = ({ slots }: Scene, user: string) =>
  slots.find(({ name, incarnation, process }) => process !== undefined && `${name}#${incarnation}` === user);

/** Once, before the seed carries out the write of the shoot's dependants that is due to be struck; within three minutes, or never. */
function atWrite(scene: Scene, { shoot, of }: Happening, then: (access: AccessAsked) => void): void {
  let left = Number(of?.['which']);
  const stop = scene.seed.api.onRequest((access) => {
    if (access.verb !== 'patch' || access.namespace !== shoot || access.name === '') return;
    left -= 1;
    if (left > 0) return;
    stop();
    if (scene.calmSince !== undefined) return;
    // It is not the process that does it, although its request is being answered.
    const { store } = scene.seed.api.storage;
    const { writer } = store;
    store.writer = undefined;
    then(access);
    store.writer = writer;
  });
  scene.seed.api.agenda.after(180_000, stop);
}

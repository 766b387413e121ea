import { ignoreAnnotation as ignore } from '../../../src/domain/prober/resource-view.ts';
import { between, oneOf } from '../chance-of.ts';
import { atRequest, slotOf } from './at-request.ts';
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
        atRequest(scene, it, 'patch', ({ name }) => dependantsOf(scene, it)?.scale(name, Number(it.of?.['replicas']))),
      'told to ignore as it is written': (scene, it) =>
        atRequest(scene, it, 'patch', ({ name }) => dependantsOf(scene, it)?.annotate(name, { [ignore]: 'true' })),
      'heeded again': (scene, it) => {
        const dependants = dependantsOf(scene, it);
        for (const name of dependants?.names ?? [])
          if (dependants?.get(name) !== undefined) dependants.annotate(name, { [ignore]: null });
      },
      'paused as it writes': (scene, it) =>
        atRequest(scene, it, 'patch', ({ user }) => {
          const slot = slotOf(scene, user);
          if (slot !== undefined) scene.pause(slot, Number(it.of?.['length']));
        }),
      'crashed as it writes': (scene, it) =>
        atRequest(scene, it, 'patch', ({ user }) => {
          const slot = slotOf(scene, user);
          if (slot !== undefined) scene.crash(slot);
        }),
      'cut off as it writes': (scene, it) =>
        atRequest(scene, it, 'patch', ({ user }) => {
          const link = slotOf(scene, user)?.links.seed;
          if (link === undefined) return;
          link.out = 'silent';
          scene.seed.api.agenda.after(Number(it.of?.['length']), () => (link.out = undefined));
        }),
      'hibernated as it writes': (scene, it) => atRequest(scene, it, 'patch', () => shootOf(scene, it)?.hibernate()),
    },
    tell: ({ kind, shoot, of }) => `${shoot}: ${kind}, at write ${Number(of?.['which'])}`,
  },
];

const dependantsOf = (scene: Scene, it: Happening) => shootOf(scene, it)?.dependants;

import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { SlotName } from '../observation.ts';

/** Ends and pauses of our own processes. */
export const processDeaths: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: () => 4,
    draw(chance, { replicas }, at) {
      const names = [
        ...Array.from({ length: replicas.prober }, (_, index) => `prober-${index}`),
        ...Array.from({ length: replicas.weeder }, (_, index) => `weeder-${index}`),
      ];
      const of = { slot: oneOf(chance, names), length: between(chance, 1_000, 90_000) };
      return [{ at, kind: oneOf(chance, ['process crashed', 'process paused', 'process told to end']), of }];
    },
    strike: {
      'process crashed': (scene, { of }) => scene.crash(scene.slot(of?.['slot'] as SlotName)!),
      'process paused': (scene, { of }) => scene.pause(scene.slot(of?.['slot'] as SlotName)!, Number(of?.['length'])),
      'process told to end': (scene, { of }) => scene.terminate(scene.slot(of?.['slot'] as SlotName)!),
    },
    tell: ({ kind, of }) =>
      `${String(of?.['slot'])}: ${kind}${kind === 'process paused' ? ` for ${Number(of?.['length'])} ms` : ''}`,
  },
];

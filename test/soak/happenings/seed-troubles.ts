import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';

/** The seed's API server, and the way to it. */
export const seedTroubles: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: () => 6,
    draw(chance, _, at) {
      const length = between(chance, 500, 240_000);
      const begin = oneOf(chance, [
        'seed down',
        'seed hung',
        'seed throttled',
        'seed failed',
        'Clusters unwatchable',
      ] as const);
      return [
        { at, kind: begin, of: { code: oneOf(chance, [500, 503]) } },
        { at: at + length, kind: 'seed well' },
      ];
    },
    strike: {
      'seed down': ({ seed }) => void seed.api.down(),
      'seed hung': ({ seed }) => seed.api.setFault({ kind: 'hang', at: 'answer' }),
      'seed throttled': ({ seed }) => seed.api.setFault({ kind: 'throttle', retryAfterSeconds: 1 }),
      'seed failed': ({ seed }, { of }) => seed.api.setFault({ kind: 'status', code: Number(of?.['code']) }),
      'Clusters unwatchable': ({ seed }) => seed.api.refuseWatches(['clusters']),
      'seed well': ({ seed }) => {
        void seed.api.up();
        seed.api.clearFault();
        seed.api.refuseWatches([]);
      },
    },
    tell: ({ kind }) => `the ${kind}`,
  },
  {
    of: 'seed',
    hourly: () => 6,
    draw: (chance, _, at) => [
      { at, kind: oneOf(chance, ['watches cut', 'watches expired', 'history forgotten'] as const) },
    ],
    strike: {
      'watches cut': ({ seed }) => seed.api.breakWatches(),
      'watches expired': ({ seed }) => {
        seed.api.compact();
        seed.api.expireWatches();
      },
      'history forgotten': ({ seed }) => {
        seed.api.compact();
        seed.api.breakWatches();
      },
    },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
  {
    of: 'seed',
    hourly: () => 3,
    draw(chance, { replicas }, at) {
      const slot = `prober-${between(chance, 0, replicas.prober - 1)}`;
      const of = {
        slot,
        to: strikes(chance, 0.7) ? 'seed' : 'shoot',
        as: oneOf(chance, ['refused', 'silent'] as const),
      };
      const end = at + between(chance, 1_000, 180_000);
      return [
        { at, kind: 'process cut off', of },
        { at: end, kind: 'process connected', of },
      ];
    },
    strike: {
      'process cut off'(scene, { of }) {
        const link = scene.slots.find(({ name }) => name === of?.['slot'])?.links[of?.['to'] as 'seed' | 'shoot'];
        if (link !== undefined) link.out = of?.['as'] as 'refused' | 'silent';
      },
      'process connected'(scene, { of }) {
        const link = scene.slots.find(({ name }) => name === of?.['slot'])?.links[of?.['to'] as 'seed' | 'shoot'];
        if (link !== undefined) link.out = undefined;
      },
    },
    tell: ({ kind, of }) => `${String(of?.['slot'])}: ${kind} (${String(of?.['to'])}, ${String(of?.['as'])})`,
  },
];

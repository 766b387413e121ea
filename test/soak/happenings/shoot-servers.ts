import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { shootOf } from './shoot-of.ts';

/** The API server of one shoot is away, hangs, refuses or talks nonsense: what a probe sees of it must never be taken for dead nodes. */
export const shootServers: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1.5,
    draw(chance, _, at, shoot) {
      const kind = oneOf(chance, [
        'API server down',
        'API server unreachable',
        'API server hung',
        'API server throttled',
        'API server failed',
        'API server garbled',
        'API server cutting answers',
        'API server redirecting',
      ] as const);
      return [
        { at, kind, shoot, of: { code: oneOf(chance, [500, 503, 401, 403]), json: between(chance, 0, 1) } },
        { at: at + between(chance, 2_000, 400_000), kind: 'API server well', shoot },
      ];
    },
    strike: {
      'API server down': (scene, it) => void shootOf(scene, it)?.down(),
      // The watchdog's own way is out: kubelets and controllers are served.
      'API server unreachable': (scene, it) => shootOf(scene, it)?.hang('answer', () => true),
      'API server hung': (scene, it) => shootOf(scene, it)?.hang(),
      'API server throttled': (scene, it) => shootOf(scene, it)?.throttle(),
      'API server failed': (scene, it) =>
        shootOf(scene, it)?.api.setFault({ kind: 'status', code: Number(it.of?.['code']) }),
      'API server garbled': (scene, it) => shootOf(scene, it)?.garble(it.of?.['json'] === 1 ? 'json' : 'text'),
      'API server cutting answers': (scene, it) => shootOf(scene, it)?.api.setFault({ kind: 'cut' }),
      'API server redirecting': (scene, it) =>
        shootOf(scene, it)?.api.setFault({ kind: 'redirect', to: 'https://elsewhere.example/' }),
      'API server well': (scene, it) => void shootOf(scene, it)?.up(),
    },
    tell: ({ kind, shoot }) => `${shoot}: ${kind}`,
  },
];

import { between, strikes } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';

/**
 * A shoot's API server gives no answer for a while: nobody has one, as when its etcd starts afresh, or the watchdog alone, whose own way is out. At the
 * end of either the nodes may be cut off as well, and then it is what was seen meanwhile that tells one from the other (5.1).
 */
export const silences: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1,
    draw(chance, _, at, shoot) {
      const length = between(chance, 20_000, 150_000);
      const [back, cutAt] = [at + length, at + between(chance, length - 20_000, length)];
      const kind = strikes(chance, 0.6) ? 'API server down' : 'API server unreachable';
      const cut: readonly Happening[] = strikes(chance, 0.4)
        ? [
            { at: cutAt, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
            { at: back + between(chance, 60_000, 120_000), kind: 'nodes healed', shoot },
          ]
        : [];
      return [{ at, kind, shoot }, ...cut, { at: back, kind: 'API server well', shoot }];
    },
    strike: {},
    tell: () => '',
  },
];

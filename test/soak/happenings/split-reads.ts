import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { SplitReads } from '../link.ts';
import { atRequest, slotOf } from './at-request.ts';
import { cutOff } from './outages.ts';

/**
 * A kind with a scale subresource is read by two requests at once. One of them fails and the other one is never answered, from the moment in which
 * it was scaled: nothing watches it, so it is read each second until its replicas have followed.
 */
export const splitReads: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: ({ proberConfig }) => (proberConfig.includes('kind: Widget') ? 3 : 0),
    draw(chance, _, at, shoot) {
      const healed = at + between(chance, 60_000, 200_000);
      // By then all is down in half of them, so that what is read is on its way up.
      const isUp = strikes(chance, 0.5);
      const of = {
        which: 1,
        fails: oneOf(chance, ['object', 'scale'] as const),
        as: oneOf(chance, ['refused', 'status'] as const),
        length: between(chance, 15_000, 30_000),
      };
      return [{ at: isUp ? healed - 1 : at, kind: 'reads split', shoot, of }, ...cutOff(shoot, at + 1, healed)];
    },
    strike: {
      'reads split': (scene, it) =>
        atRequest(
          scene,
          it,
          'patch',
          ({ user }) => {
            const link = slotOf(scene, user)?.links.seed;
            if (link === undefined) return;
            link.splits = it.of as SplitReads;
            scene.seed.api.agenda.after(Number(it.of?.['length']), () => (link.splits = undefined));
          },
          'widgets/scale',
        ),
    },
    tell: ({ kind, shoot, of }) => `${shoot}: ${kind}; of the two requests, the ${String(of?.['fails'])}'s fails`,
  },
];

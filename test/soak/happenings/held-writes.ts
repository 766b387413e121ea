import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { inTurn, removeShoot } from './births.ts';
import { atRequest, slotOf } from './at-request.ts';
import { cutOff, shootNames } from './outages.ts';
import { shootOf } from './shoot-of.ts';

/**
 * The seed answers one of our writes with 429 and asks for patience, so that the scale-ups of all shoots wait in their lane. Meanwhile something happens
 * to the shoot, or to the process, for which what waits must not go out.
 */
export const heldWrites: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1.5,
    draw(chance, shape, at, shoot) {
      const drawn = oneOf(chance, [
        'hibernated',
        'cut off',
        'cut off',
        'deletion',
        'gone',
        'paused',
        'crashed',
      ] as const);
      // As with other births: who puts such a shoot right in a restored seed is not simulated.
      const meanwhile = drawn === 'gone' && shape.restores ? 'deletion' : drawn;
      // Leases need 30 s to expire.
      const patience = meanwhile === 'cut off' ? between(chance, 45, 58) : between(chance, 3, 40);
      const healed = at + between(chance, 40_000, 120_000);
      const which = between(chance, 2, 6);
      // By then all is down in half of them, so that what waits is a way up.
      const isUp = strikes(chance, 0.5);
      return [
        {
          at: isUp ? healed - 1 : at,
          kind: 'writes held',
          shoot,
          of: { which: isUp ? 1 : which, patience, meanwhile },
        },
        ...cutOff(shoot, at + 1, healed),
        ...(meanwhile === 'hibernated' || meanwhile === 'deletion'
          ? [{ at: healed + 300_000, kind: 'Cluster mended', shoot }]
          : []),
        ...(meanwhile === 'gone' ? [{ at: healed + 300_000, kind: 'shoot created', shoot }] : []),
      ];
    },
    strike: {
      'writes held': (scene, it) =>
        atRequest(scene, it, 'patch', ({ user }) => {
          const { agenda } = scene.seed.api;
          const seconds = Number(it.of?.['patience']);
          for (const server of scene.servers()) server.setFault({ kind: 'throttle', retryAfterSeconds: seconds });
          agenda.after(Number(it.of?.['hold'] ?? 200), () => scene.servers().forEach((server) => server.clearFault()));
          agenda.after(Number(it.of?.['after'] ?? Math.min(2_000, 500 * seconds)), () => {
            const shoot = shootOf(scene, it);
            const slot = slotOf(scene, user);
            if (scene.calmSince !== undefined) return;
            switch (it.of?.['meanwhile']) {
              case 'hibernated':
                return shoot?.hibernate();
              case 'cut off':
                return shoot?.cutOff();
              case 'deletion':
                return shoot?.markDeleted();
              case 'gone':
                return inTurn(scene, it.shoot, removeShoot);
              case 'others gone':
                for (const { name } of scene.seed.shoots) if (name !== it.shoot) inTurn(scene, name, removeShoot);
                return undefined;
              case 'paused':
                return slot && scene.pause(slot, 30_000);
              case 'crashed':
                return slot && scene.crash(slot);
              default:
                return undefined;
            }
          });
        }),
    },
    tell: ({ kind, shoot, of }) =>
      `${shoot}: ${kind} for ${Number(of?.['patience'])} s, at write ${Number(of?.['which'])}; then: ${String(of?.['meanwhile'])}`,
  },
];

/** All shoots come back at once. Soon after the first scale-up some are answered with 429, so that others wait in the lane; and most shoots go, with all that is theirs. */
export const heldWays: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ shoots, restores }) => (shoots > 2 && !restores ? 0.5 : 0),
    draw(chance, { shoots }, at) {
      const names = shootNames(shoots);
      const [first = '', ...others] = names;
      const healed = at + between(chance, 40_000, 120_000);
      const of = { which: 1, patience: between(chance, 20, 40), meanwhile: 'others gone', hold: 3_000, after: 9_000 };
      return [
        ...names.flatMap((shoot) => cutOff(shoot, at, healed)),
        { at: healed - 1, kind: 'writes held', shoot: first, of },
        ...others.map((shoot) => ({ at: healed + 200_000, kind: 'shoot created', shoot })),
      ];
    },
    strike: {},
    tell: () => '',
  },
];

import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Link } from '../link.ts';
import { atRequest, slotOf } from './at-request.ts';
import { planeOf } from './services.ts';

/** What happens in the very moment in which the weeder deletes a pod of a service that has just come back. */
export const weededMoments: readonly HappeningKind[] = [
  {
    of: 'control plane',
    hourly: ({ replicas }) => (replicas.weeder > 0 ? 2 : 0),
    draw(chance, _, at, shoot) {
      const of = { group: oneOf(chance, ['etcd-main', 'etcd-main', 'kube-apiserver']) };
      const meanwhile = oneOf(chance, ['service down', 'paused', 'crashed', 'cut off', 'deletions refused'] as const);
      const length = between(chance, 16_000, 120_000);
      const upAt = at + 30_000 + between(chance, 60_000, 200_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: at + 30_000, kind: 'service down', shoot, of },
        {
          at: upAt,
          kind: 'as pods are deleted',
          shoot,
          of: { ...of, meanwhile, length, which: between(chance, 1, 3) },
        },
        { at: upAt + 1, kind: 'service up', shoot, of },
        { at: upAt + 330_000, kind: 'service up', shoot, of },
      ];
    },
    strike: {
      'as pods are deleted': (scene, it) =>
        atRequest(scene, it, 'delete', ({ user }) => {
          const { agenda } = scene.seed.api;
          const slot = slotOf(scene, user);
          const length = Number(it.of?.['length']);
          const refuse = (during: number): void => {
            for (const server of scene.servers())
              server.setFault({ kind: 'status', code: 503 }, ({ verb }) => verb === 'delete');
            agenda.after(during, () => scene.servers().forEach((server) => server.clearFault()));
          };
          if (slot === undefined) return;
          switch (it.of?.['meanwhile']) {
            case 'service down':
              // What was refused is asked for again, and must not be once the service is down.
              refuse(3_000);
              planeOf(scene, it)?.down(String(it.of['group']));
              return;
            case 'deletions refused':
              return refuse(length);
            case 'paused':
              return scene.pause(slot, length);
            case 'crashed':
              return scene.crash(slot);
            case 'cut off':
              slot.links.seed.out = 'silent';
              agenda.after(length, () => (slot.links.seed.out = undefined));
              return;
            default:
              return;
          }
        }),
    },
    tell: ({ kind, shoot, of }) =>
      `${shoot}: ${kind}, at deletion ${Number(of?.['which'])}: ${String(of?.['meanwhile'])}`,
  },
  {
    // A service goes and comes back while no weeder can hear of it.
    of: 'control plane',
    hourly: ({ replicas }) => (replicas.weeder > 0 ? 1 : 0),
    draw(chance, _, at, shoot) {
      const of = { group: oneOf(chance, ['etcd-main', 'etcd-main', 'kube-apiserver']) };
      const downAt = at + 30_000;
      const upAt = downAt + between(chance, 200_000, 400_000);
      // Its own pods wait for their back-off, too.
      const heardAt = upAt + between(chance, 20_000, 90_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: downAt - 1, kind: 'weeders blind', of: { as: oneOf(chance, ['refused', 'silent'] as const) } },
        { at: downAt, kind: 'service down', shoot, of },
        { at: upAt, kind: 'service up', shoot, of },
        // Half of them are told what they missed, and the others list how it is now.
        ...(strikes(chance, 0.5)
          ? [{ at: heardAt - 1, kind: 'history forgotten', of: { tellsExpiredBy: 'event' } }]
          : []),
        { at: heardAt, kind: 'weeders blind', of: {} },
      ];
    },
    strike: {
      'weeders blind': ({ slots }, { of }) => {
        for (const { role, links } of slots) if (role === 'weeder') links.seed.out = of?.['as'] as Link['out'];
      },
    },
    tell: ({ of = {} }) =>
      of['as'] === undefined ? 'the weeders reached the seed again' : 'no weeder reached the seed',
  },
  {
    // A shoot goes soon after its pods were weeded; as with other births, not where etcd is restored.
    of: 'control plane',
    hourly: ({ replicas, restores }) => (replicas.weeder > 0 && !restores ? 0.7 : 0),
    draw(chance, _, at, shoot) {
      const of = { group: oneOf(chance, ['etcd-main', 'kube-apiserver']) };
      const upAt = at + 30_000 + between(chance, 60_000, 200_000);
      const goneAt = upAt + between(chance, 60_000, 250_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: at + 30_000, kind: 'service down', shoot, of },
        { at: upAt, kind: 'service up', shoot, of },
        { at: goneAt, kind: 'shoot deleted', shoot },
        { at: goneAt + between(chance, 30_000, 120_000), kind: 'shoot created', shoot },
      ];
    },
    strike: {},
    tell: () => '',
  },
];

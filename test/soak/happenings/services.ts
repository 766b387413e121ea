import { between, oneOf } from '../chance-of.ts';
import { largeControlPlane } from '../large-control-plane.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import { shootOf } from './shoot-of.ts';
import type { Scene } from '../scene.ts';
import type { ControlPlane } from '../../../src/simulator/workloads/control-plane.ts';

/** The control plane is there from its first trouble on, as long as its shoot is. */
export function planeOf(scene: Scene, it: Happening): ControlPlane | undefined {
  const name = shootOf(scene, it)?.name;
  if (name === undefined) return undefined;
  const known = scene.seed.controlPlanes.find(({ namespace }) => namespace === name);
  return known ?? scene.seed.addControlPlane(name, scene.plan.largeControlPlanes ? largeControlPlane : undefined);
}

/** Services of control planes that go down and come back, which is what the weeder is for. */
export const services: readonly HappeningKind[] = [
  {
    of: 'control plane',
    hourly: ({ replicas }) => (replicas.weeder > 0 ? 2 : 0),
    draw(chance, _, at, shoot) {
      const of = { group: oneOf(chance, ['etcd-main', 'etcd-main', 'kube-apiserver']) };
      const end = at + between(chance, 60_000, 500_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: at + 30_000, kind: 'service down', shoot, of },
        { at: end, kind: 'service up', shoot, of },
      ];
    },
    strike: {
      'control plane set up': (scene, it) => void planeOf(scene, it),
      'service down': (scene, it) => planeOf(scene, it)?.down(String(it.of?.['group'])),
      'service up': (scene, it) => planeOf(scene, it)?.up(String(it.of?.['group'])),
    },
    calm(scene) {
      for (const plane of scene.seed.controlPlanes) {
        plane.up('etcd-main');
        plane.up('kube-apiserver');
      }
    },
    tell: ({ kind, shoot, of = {} }) =>
      of['group'] === undefined ? `${shoot}: ${kind}` : `${shoot}: ${kind} (${of['group'] as string})`,
  },
];

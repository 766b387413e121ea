import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject } from '@dwd/simulator/store/kube-object.ts';
import { createObject, removeObject } from '@dwd/simulator/store/object-writes.ts';
import { sliceObject } from '@dwd/simulator/workloads/service-slices.ts';
import type { ControlPlane } from '@dwd/simulator/workloads/control-plane.ts';
import { gardenerControlPlane, type PodGroup } from '@dwd/simulator/workloads/pod-group.ts';
import type { HappeningKind, Struck } from '../happening.ts';
import type { Link } from '../link.ts';
import type { Slot } from '../scene.ts';
import { atRequest, silenceSeed } from './at-request.ts';

/** More pods than the weeder deletes at a time (7.3), of a StatefulSet, so that each has the name of the one before it. */
const crowd: readonly PodGroup[] = gardenerControlPlane
  .filter(({ name }) => name === 'kube-scheduler')
  .map((group) => ({ ...group, name: 'extension-controller', replicas: 12, stateful: true }));

/** A control plane in which each endpoint has a slice of its own, for either family of addresses, and a dozen pods wait for the API server. */
const largeControlPlane: readonly PodGroup[] = [
  ...gardenerControlPlane.map((group) => ({ ...group, dualStack: true, endpointsPerSlice: 1 })),
  ...crowd,
  // No selector picks it, so the weeder tells of it and leaves it alone (7.7).
  ...crowd.map((group) => ({ ...group, name: 'extension', replicas: 1, labels: { app: 'extension' } })),
];

/** The control plane is there from its first trouble on, as long as its shoot is. The kubelets of every other seed are new ones. */
function planeOf({ scene: { seed, plan }, shoot }: Struck): ControlPlane | undefined {
  if (shoot === undefined) return undefined;
  const known = seed.controlPlanes.find(({ namespace }) => namespace === shoot.name);
  if (known !== undefined) return known;
  const groups = plan.largeControlPlanes ? largeControlPlane : gardenerControlPlane;
  const looksLate = plan.number % 2 === 1;
  return seed.addControlPlane(
    shoot.name,
    groups.map((group) => ({ ...group, looksLate })),
  );
}

const goesDown = (struck: Struck): void => planeOf(struck)?.down(struck.of.group ?? '');
const comesUp = (struck: Struck): void => planeOf(struck)?.up(struck.of.group ?? '');

const weededGroups = ['etcd-main', 'etcd-main', 'kube-apiserver'];

/** Services of control planes that go down and come back, which is what the weeder is for. */
export const services: HappeningKind = {
  of: 'shoot',
  hourly: ({ replicas }) => (replicas.weeder > 0 ? 2 : 0),
  draw({ at, shoot, between, oneOf }) {
    const of = { group: oneOf(weededGroups) };
    const end = at + between(60_000, 500_000);
    return [
      { at, kind: 'control plane set up', shoot },
      { at: at + 30_000, kind: 'service down', shoot, of },
      { at: end, kind: 'service up', shoot, of },
    ];
  },
  strike: {
    'control plane set up': (struck) => void planeOf(struck),
    'service down': goesDown,
    'service up': comesUp,
  },
  calm(scene) {
    for (const plane of scene.seed.controlPlanes) {
      plane.up('etcd-main');
      plane.up('kube-apiserver');
    }
  },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind}${of.group === undefined ? '' : ` (${of.group})`}`,
};

/** A slice of a service that was deleted, and that a finalizer holds for ever: its endpoint stays ready, whatever becomes of the service (7.1). */
export const lingeringSlices: HappeningKind = {
  of: 'shoot',
  hourly: ({ replicas }) => (replicas.weeder > 0 ? 1 : 0),
  draw({ at, shoot, between, oneOf }) {
    const of = { group: oneOf(weededGroups) };
    const end = at + between(60_000, 400_000);
    return [
      { at, kind: 'control plane set up', shoot },
      { at: at + 20_000, kind: 'service with a slice that lingers', shoot, of },
      { at: at + 30_000, kind: 'service down', shoot, of },
      { at: end, kind: 'service up', shoot, of },
    ];
  },
  strike: {
    'service with a slice that lingers'({ scene, shoot, of: { group = '' } }) {
      const { storage } = scene.seed.api;
      const { service = '' } = gardenerControlPlane.find(({ name }) => name === group) ?? {};
      const name = `${service}-lingers`;
      if (shoot === undefined || storage.store.of(kinds.endpointSlice).get(`${shoot.name}/${name}`)) return;
      const endpoints = [{ address: '10.9.9.9', ready: true, serving: true, terminating: false }];
      const { metadata, ...draft } = sliceObject({ name, namespace: shoot.name, service, endpoints });
      const held = { ...draft, metadata: { ...asObject(metadata), finalizers: ['example.org/for-ever'] } };
      removeObject(storage, kinds.endpointSlice, createObject(storage, kinds.endpointSlice, held));
    },
  },
  calm({ seed }) {
    const slices = seed.api.storage.store.of(kinds.endpointSlice);
    for (const { key } of slices.list()) if (key.endsWith('-lingers')) slices.remove(key);
  },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind} (${of.group})`,
};

const controllers = ['kube-controller-manager', 'kube-scheduler', 'cluster-autoscaler'];

/** A dependant crashes for a reason of its own, whatever its service does: to delete its pods helps nobody (7.3). */
export const ownCrashes: HappeningKind = {
  of: 'shoot',
  hourly: ({ replicas }) => (replicas.weeder > 0 ? 1 : 0),
  draw({ at, shoot, between, oneOf }) {
    const of = { group: oneOf(controllers) };
    const end = at + between(200_000, 900_000);
    return [
      { at, kind: 'control plane set up', shoot },
      { at: at + 1_000, kind: 'dependant broken', shoot, of },
      { at: end, kind: 'dependant repaired', shoot, of },
    ];
  },
  strike: { 'dependant broken': goesDown, 'dependant repaired': comesUp },
  calm: (scene) => {
    for (const plane of scene.seed.controlPlanes) for (const group of controllers) plane.up(group);
  },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind} (${of.group})`,
};

/** What happens in the very moment in which the weeder deletes a pod of a service that has just come back. */
export const weededMoments: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: ({ replicas }) => (replicas.weeder > 0 ? 2 : 0),
    draw({ at, shoot, between, oneOf }) {
      const of = { group: oneOf(weededGroups) };
      const meanwhile = oneOf(Object.keys(meanwhiles));
      const length = between(16_000, 120_000);
      const upAt = at + 30_000 + between(60_000, 200_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: at + 30_000, kind: 'service down', shoot, of },
        { at: upAt, kind: 'as pods are deleted', shoot, of: { ...of, meanwhile, length, which: between(1, 3) } },
        { at: upAt + 1, kind: 'service up', shoot, of },
        { at: upAt + 330_000, kind: 'service up', shoot, of },
      ];
    },
    strike: {
      'as pods are deleted': (struck) =>
        atRequest(struck, 'delete', ({ slot }) => slot && meanwhiles[struck.of.meanwhile]?.(struck, slot)),
    },
    tell: ({ kind, shoot, of }) => `${shoot}: ${kind}, at deletion ${of.which}: ${of.meanwhile}`,
  },
  {
    // A service goes and comes back while no weeder can hear of it.
    of: 'shoot',
    hourly: ({ replicas }) => (replicas.weeder > 0 ? 1 : 0),
    draw({ at, shoot, between, oneOf, strikes }) {
      const of = { group: oneOf(weededGroups) };
      const downAt = at + 30_000;
      const upAt = downAt + between(200_000, 400_000);
      // Its own pods wait for their back-off, too.
      const heardAt = upAt + between(20_000, 90_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: downAt - 1, kind: 'weeders blind', of: { as: oneOf(['refused', 'silent']) } },
        { at: downAt, kind: 'service down', shoot, of },
        { at: upAt, kind: 'service up', shoot, of },
        // Half of them are told what they missed, and the others list how it is now.
        ...(strikes(0.5) ? [{ at: heardAt - 1, kind: 'history forgotten', of: { tellsExpiredBy: 'event' } }] : []),
        { at: heardAt, kind: 'weeders blind', of: {} },
      ];
    },
    strike: {
      'weeders blind': ({ scene, of }) => {
        for (const { role, links } of scene.slots) if (role === 'weeder') links.seed.out = of.as as Link['out'];
      },
    },
    tell: ({ of }) => (of.as === undefined ? 'the weeders reached the seed again' : 'no weeder reached the seed'),
  },
  {
    // A shoot goes soon after its pods were weeded; as with other births, not where etcd is restored.
    of: 'shoot',
    hourly: ({ replicas, restores }) => (replicas.weeder > 0 && !restores ? 0.7 : 0),
    draw({ at, shoot, between, oneOf }) {
      const of = { group: oneOf(['etcd-main', 'kube-apiserver']) };
      const upAt = at + 30_000 + between(60_000, 200_000);
      const goneAt = upAt + between(60_000, 250_000);
      return [
        { at, kind: 'control plane set up', shoot },
        { at: at + 30_000, kind: 'service down', shoot, of },
        { at: upAt, kind: 'service up', shoot, of },
        { at: goneAt, kind: 'shoot deleted', shoot },
        { at: goneAt + between(30_000, 120_000), kind: 'shoot created', shoot },
      ];
    },
  },
];

/** What happens as a pod is deleted by the process in this slot. The order is part of what a number draws. */
const meanwhiles: Readonly<Record<string, (struck: Struck, slot: Slot) => void>> = {
  'service down': (struck) => {
    // What was refused is asked for again, and must not be once the service is down.
    refuseDeletions(struck, 3_000);
    goesDown(struck);
  },
  paused: ({ scene, of }, slot) => scene.pause(slot, of.length),
  crashed: ({ scene }, slot) => scene.crash(slot),
  'cut off': silenceSeed,
  'deletions refused': (struck) => refuseDeletions(struck, struck.of.length),
};

function refuseDeletions({ scene, agenda }: Struck, length: Millis): void {
  for (const server of scene.servers()) server.setFault({ kind: 'status', code: 503 }, ({ verb }) => verb === 'delete');
  agenda.after(length, () => scene.servers().forEach((server) => server.clearFault()));
}

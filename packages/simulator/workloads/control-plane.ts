import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import { type Storage, createObject, removeObject } from '../store/object-writes.ts';
import type { PodGroup } from './pod-group.ts';
import { PodReplicas } from './pod-replicas.ts';
import { ServiceSlices } from './service-slices.ts';
import type { Change } from '../store/collection.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { objectKey } from '../store/revision.ts';

/** A pod as it stands in the seed. */
export type ControlPlanePod = Readonly<{
  name: string;
  uid: string;
  group: string;
  ready: boolean;
  crashLooping: boolean;
  /** Of its containers, within this incarnation. */
  restarts: number;
  /** Its kubelet's, while it waits in CrashLoopBackOff. */
  backOffUntil: Instant | undefined;
  /** It is being deleted. */
  ending: boolean;
}>;

export type ControlPlaneParts = Readonly<{
  storage: Storage;
  agenda: Agenda;
  namespace: string;
  groups: readonly PodGroup[];
  /** A number that no other pod of the seed has. */
  nextPod: () => number;
}>;

/** One namespace's etcd, API servers and controllers, as pods of the seed; all of them ready at first. */
export class ControlPlane {
  readonly namespace: string;
  readonly #groups: readonly PodReplicas[];
  /** By the name of the service. */
  readonly #services = new Map<string, ServiceSlices>();

  constructor({ storage, agenda, namespace, groups, nextPod }: ControlPlaneParts) {
    this.namespace = namespace;
    this.#groups = groups.map((group) => {
      const { service, needs, dualStack = false, endpointsPerSlice = 100 } = group;
      const replicas = new PodReplicas({
        storage,
        agenda,
        namespace,
        group,
        newIps: () => addresses(nextPod(), dualStack),
        // A service that no group here provides counts as available.
        isFed: () => needs === undefined || this.#services.get(needs)?.available !== false,
        changed: () => (service === undefined ? undefined : this.#services.get(service)?.follow()),
      });
      if (service === undefined) return replicas;
      const slices = new ServiceSlices({
        storage,
        agenda,
        namespace,
        service,
        families: dualStack ? ['IPv4', 'IPv6'] : ['IPv4'],
        endpointsPerSlice,
        pods: () => replicas.lives,
        turned: () => this.#weighNeeds(service),
      });
      this.#services.set(service, slices);
      return replicas;
    });
  }

  /** Whether every pod is there and ready. */
  get isWell(): boolean {
    return this.#groups.every(({ isWell }) => isWell);
  }

  get pods(): readonly ControlPlanePod[] {
    return this.#groups.flatMap(({ group, lives }) =>
      lives.map(({ name, uid, ready, crashLooping, restarts, backOffUntil, ending }) => ({
        name,
        uid,
        group: group.name,
        ready,
        crashLooping,
        restarts,
        backOffUntil,
        ending,
      })),
    );
  }

  /** The group's containers exit, and exit again whenever they are started. */
  down(group: string): void {
    this.#groupOf(group).down();
  }

  /** They may run again, each from the end of its back-off. */
  up(group: string): void {
    this.#groupOf(group).up();
  }

  /** The group's pods are deleted, as by an operator; those that take their place begin without a back-off. */
  replace(group: string): void {
    this.#groupOf(group).replace();
  }

  /** A pod is being deleted, or gone. */
  notice(name: string, uid: string, became: 'ending' | 'gone'): void {
    this.#groups.some((group) => group.notice(name, uid, became));
  }

  /** From now on nothing happens; all objects stay as they are. */
  stop(): void {
    for (const part of [...this.#groups, ...this.#services.values()]) part.stop();
  }

  #weighNeeds(service: string): void {
    for (const replicas of this.#groups) if (replicas.group.needs === service) replicas.weighNeeds();
  }

  #groupOf(name: string): PodReplicas {
    const found = this.#groups.find(({ group }) => group.name === name);
    if (found === undefined) throw new Error(`the control plane of ${this.namespace} has no ${name}`);
    return found;
  }
}

function addresses(number: number, dualStack: boolean): readonly string[] {
  const ipv4 = `100.${64 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}`;
  return dualStack ? [ipv4, `fd00::${number.toString(16)}`] : [ipv4];
}

/** Until a pod that is being deleted has ended: SIGTERM to an idle program. */
const endTime: Millis = 300;

/** The control planes of a seed by namespace, and the kubelets' part in the end of every pod there is. */
export class ControlPlanes {
  readonly #storage: Storage;
  readonly #agenda: Agenda;
  readonly #planes = new Map<string, ControlPlane>();
  /** Namespaces that were made with a control plane, and go with it. */
  readonly #ownNamespaces = new Set<string>();
  #podsMade = 0;

  constructor(storage: Storage, agenda: Agenda) {
    this.#storage = storage;
    this.#agenda = agenda;
    storage.store.of(kinds.pod).onChange((change) => this.#see(change));
  }

  get all(): readonly ControlPlane[] {
    return [...this.#planes.values()];
  }

  /** All its pods are ready at once. Throws where the namespace has a control plane already. */
  add(namespace: string, groups: readonly PodGroup[]): ControlPlane {
    if (this.#planes.has(namespace)) throw new Error(`${namespace} has a control plane already`);
    const storage = this.#storage;
    if (storage.store.of(kinds.namespace).get(namespace) === undefined) {
      createObject(storage, kinds.namespace, { metadata: { name: namespace } });
      this.#ownNamespaces.add(namespace);
    }
    const nextPod = (): number => (this.#podsMade += 1);
    const plane = new ControlPlane({ storage, agenda: this.#agenda, namespace, groups, nextPod });
    this.#planes.set(namespace, plane);
    return plane;
  }

  /** With every pod and EndpointSlice in its namespace, at once. */
  remove(namespace: string): void {
    this.#planes.get(namespace)?.stop();
    this.#planes.delete(namespace);
    for (const kind of [kinds.pod, kinds.endpointSlice]) {
      const collection = this.#storage.store.of(kind);
      for (const { key } of collection.list(namespace)) collection.remove(key);
    }
    if (this.#ownNamespaces.delete(namespace)) this.#storage.store.of(kinds.namespace).remove(namespace);
  }

  #see({ type, revision, previous }: Change): void {
    const { name, namespace = '', uid, deletionTimestamp } = revision.object.metadata;
    if (type === 'DELETED') {
      this.#planes.get(namespace)?.notice(name, uid, 'gone');
      return;
    }
    if (deletionTimestamp === undefined || previous?.object.metadata.deletionTimestamp !== undefined) return;
    this.#planes.get(namespace)?.notice(name, uid, 'ending');
    this.#agenda.after(endTime * (1 + this.#storage.chance()), () => {
      const current = this.#storage.store.of(kinds.pod).get(objectKey(namespace, name));
      if (current?.object.metadata.uid === uid)
        removeObject(this.#storage, kinds.pod, current, { gracePeriodSeconds: 0 });
    });
  }
}

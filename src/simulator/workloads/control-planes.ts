import type { Millis } from '../../domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import type { Change } from '../store/collection.ts';
import { ControlPlane } from './control-plane.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { objectKey } from '../store/revision.ts';
import { createObject, removeObject, type Storage } from '../store/object-writes.ts';
import type { PodGroup } from './pod-group.ts';

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

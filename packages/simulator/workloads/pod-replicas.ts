import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { newUid, randomSuffix } from '../store/names-by-chance.ts';
import { objectKey } from '../store/revision.ts';
import { removeObject, type Storage } from '../store/object-writes.ts';
import type { PodGroup } from './pod-group.ts';
import { PodLife } from './pod-life.ts';

export type PodReplicasParts = Readonly<{
  storage: Storage;
  agenda: Agenda;
  namespace: string;
  group: PodGroup;
  /** Addresses that no other pod has. */
  newIps: () => readonly string[];
  /** Whether there is what the group needs. */
  isFed: () => boolean;
  /** Called after each change of any of its pods. */
  changed: () => void;
}>;

/** Until a controller has seen what became of its pods. */
const controllerTime: Millis = 50;

/** The pods of one group, and the ReplicaSet or StatefulSet that keeps them there. */
export class PodReplicas {
  readonly group: PodGroup;
  readonly #parts: PodReplicasParts;
  readonly #owner: Readonly<{ kind: string; name: string; uid: string }>;
  readonly #lives = new Map<string, PodLife>();
  #isDown = false;
  #coming: (() => void) | undefined;

  constructor(parts: PodReplicasParts) {
    const { storage, group } = parts;
    this.#parts = parts;
    if (group.stateful === true) {
      this.group = group;
      this.#owner = { kind: 'StatefulSet', name: group.name, uid: newUid(storage.chance) };
    } else {
      const hash = `${randomSuffix(storage.chance)}${randomSuffix(storage.chance)}`;
      this.group = { ...group, labels: { ...group.labels, 'pod-template-hash': hash } };
      this.#owner = { kind: 'ReplicaSet', name: `${group.name}-${hash}`, uid: newUid(storage.chance) };
    }
    this.#fill('ready');
  }

  get lives(): readonly PodLife[] {
    return [...this.#lives.values()];
  }

  get isWell(): boolean {
    return this.#lives.size === this.group.replicas && this.lives.every(({ ready, ending }) => ready && !ending);
  }

  down(): void {
    this.#isDown = true;
    for (const life of this.lives) life.fail();
  }

  up(): void {
    this.#isDown = false;
    this.weighNeeds();
  }

  /** Deletes all its pods, gracefully. */
  replace(): void {
    const { storage, namespace } = this.#parts;
    for (const { name, uid } of this.lives) {
      const current = storage.store.of(kinds.pod).get(objectKey(namespace, name));
      if (current !== undefined) removeObject(storage, kinds.pod, current, { preconditions: { uid } });
    }
  }

  /** What the group needs may have come or gone. */
  weighNeeds(): void {
    for (const life of this.lives) life.weighNeeds();
  }

  /** One of its pods is being deleted, or gone. Answers whether it is one of its pods. */
  notice(name: string, uid: string, became: 'ending' | 'gone'): boolean {
    const life = this.#lives.get(name);
    if (life?.uid !== uid) return false;
    life.ending = true;
    life.stop();
    if (became === 'gone') this.#lives.delete(name);
    this.#coming ??= this.#parts.agenda.after(controllerTime, () => {
      this.#coming = undefined;
      this.#fill('pending');
    });
    this.#parts.changed();
    return true;
  }

  stop(): void {
    this.#coming?.();
    for (const life of this.lives) life.stop();
  }

  /** A pod of a Deployment no longer counts once it is being deleted; a pod of a StatefulSet keeps its name until it is gone. */
  #fill(begin: 'ready' | 'pending'): void {
    const { replicas, stateful } = this.group;
    if (stateful === true) {
      for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
        const name = `${this.#owner.name}-${ordinal}`;
        if (this.#lives.has(name)) continue;
        this.#clear(name);
        this.#begin(name, begin);
      }
      return;
    }
    const missing = replicas - this.lives.filter(({ ending }) => !ending).length;
    for (let made = 0; made < missing; made += 1)
      this.#begin(`${this.#owner.name}-${randomSuffix(this.#parts.storage.chance)}`, begin);
  }

  /** A backup may have brought back a pod of that name which no node runs any more. */
  #clear(name: string): void {
    const { storage, namespace } = this.#parts;
    const left = storage.store.of(kinds.pod).get(objectKey(namespace, name));
    if (left !== undefined) removeObject(storage, kinds.pod, left, { gracePeriodSeconds: 0 });
  }

  #begin(name: string, begin: 'ready' | 'pending'): void {
    const { storage, agenda, namespace, newIps, isFed, changed } = this.#parts;
    const mayRun = (): boolean => !this.#isDown && isFed();
    const { group } = this;
    const owner = this.#owner;
    this.#lives.set(
      name,
      new PodLife({ storage, agenda, namespace, name, group, owner, ips: newIps(), mayRun, changed }, begin),
    );
    if (begin === 'pending') changed();
  }
}

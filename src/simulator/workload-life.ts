import type { Millis } from '../domain/time.ts';
import type { Agenda } from './agenda.ts';
import type { Change } from './collection.ts';
import { asObject, type JsonObject, valueAt } from './kube-object.ts';
import { replaceObject, type World } from './object-writes.ts';
import type { ResourceKind } from './resource-kind.ts';

/** How long a controller and its pods take. */
export type WorkloadPace = Readonly<{
  /** Until the status has seen a new spec (`observedGeneration`). */
  observe: Millis;
  /** From there until the pods that are too many are gone. */
  down: Millis;
  /** From there until those that are missing are ready. */
  up: Millis;
}>;

/** A pod's usual end and start: SIGTERM to an idle controller; image there, probes passed. */
export const usualPace: WorkloadPace = { observe: 30, down: 300, up: 3_000 };

/**
 * The controller of one scalable kind, and the kubelets that run its pods: the status follows the spec, first
 * `observedGeneration`, then the pods. Only the newest spec counts.
 */
export class WorkloadLife {
  readonly #world: World;
  readonly #agenda: Agenda;
  readonly #kind: ResourceKind;
  /** What is still to come, by object: a newer spec takes the older one's place. */
  readonly #coming = new Map<string, () => void>();
  /** May be changed while the world runs. */
  pace: WorkloadPace;

  constructor(world: World, agenda: Agenda, kind: ResourceKind, pace: WorkloadPace) {
    this.#world = world;
    this.#agenda = agenda;
    this.#kind = kind;
    this.pace = pace;
    world.store.of(kind).follow((change) => this.#notice(change));
  }

  #notice({ type, revision, previous }: Change): void {
    const { key, object } = revision;
    if (type === 'DELETED') {
      this.#plan(key, undefined);
      return;
    }
    const isOld = previous !== undefined && previous.object.metadata.generation === object.metadata.generation;
    if (isOld || isSettled(this.#kind, object)) return;
    this.#plan(
      key,
      this.#agenda.after(this.pace.observe, () => this.#observe(key)),
    );
  }

  /** The controller has seen the spec and starts or ends pods; none of it is done yet. */
  #observe(key: string): void {
    this.#coming.delete(key);
    const object = this.#write(key, (status, { generation, desired }) => {
      const { replicas = 0 } = status;
      const existing = Math.max(Number(replicas), desired);
      return { ...status, observedGeneration: generation, replicas: existing, updatedReplicas: existing };
    });
    if (object === undefined) return;
    const { ready, desired } = numbersOf(this.#kind, object);
    const delay = desired > ready ? this.pace.up : this.pace.down;
    this.#plan(
      key,
      this.#agenda.after(delay, () => this.#settle(key)),
    );
  }

  #settle(key: string): void {
    this.#coming.delete(key);
    this.#write(key, (status, { desired }) => ({
      ...status,
      replicas: desired,
      updatedReplicas: desired,
      readyReplicas: desired,
      availableReplicas: desired,
    }));
  }

  #write(key: string, change: (status: JsonObject, numbers: Numbers) => JsonObject): JsonObject | undefined {
    const current = this.#world.store.of(this.#kind).get(key);
    if (current === undefined) return undefined;
    const status = withoutZeros(change(asObject(current.object['status']), numbersOf(this.#kind, current.object)));
    return replaceObject(this.#world, this.#kind, current, { ...current.object, status }, 'status').object;
  }

  #plan(key: string, cancel: (() => void) | undefined): void {
    this.#coming.get(key)?.();
    if (cancel === undefined) this.#coming.delete(key);
    else this.#coming.set(key, cancel);
  }
}

type Numbers = Readonly<{ generation: number; desired: number; ready: number }>;

function numbersOf(kind: ResourceKind, object: JsonObject): Numbers {
  const desired = valueAt(object, kind.scale?.specReplicas ?? []) ?? 1;
  return {
    generation: Number(valueAt(object, ['metadata', 'generation']) ?? 0),
    desired: Number(desired),
    ready: Number(valueAt(object, ['status', 'readyReplicas']) ?? 0),
  };
}

function isSettled(kind: ResourceKind, object: JsonObject): boolean {
  const { desired, ready, generation } = numbersOf(kind, object);
  return desired === ready && valueAt(object, ['status', 'observedGeneration']) === generation;
}

/** Kubernetes leaves counts of zero out of the status. */
function withoutZeros(status: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0));
}

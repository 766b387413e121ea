import type { Millis } from '../domain/time.ts';
import type { Agenda } from './agenda.ts';
import type { Change } from './collection.ts';
import { type JsonObject, withValueAt } from './kube-object.ts';
import { replaceObject, type World } from './object-writes.ts';
import type { ResourceKind } from './resource-kind.ts';
import type { Revision } from './revision.ts';
import { withPods, workloadNumbers } from './workload-status.ts';

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
    const { generation, observedGeneration, desired, ready } = workloadNumbers(this.#kind, object);
    if (isOld || (desired === ready && observedGeneration === generation)) return;
    this.#plan(
      key,
      this.#agenda.after(this.pace.observe, () => this.#observe(key)),
    );
  }

  /** The controller has seen the spec and starts or ends pods; none of it is done yet. */
  #observe(key: string): void {
    this.#coming.delete(key);
    const current = this.#world.store.of(this.#kind).get(key);
    if (current === undefined) return;
    const { generation, desired, existing, ready } = workloadNumbers(this.#kind, current.object);
    // A custom resource tells one number only, which counts the pods that are there to stay.
    const started = this.#kind.custom === true ? existing : Math.max(existing, desired);
    const observed = withValueAt(current.object, ['status', 'observedGeneration'], generation);
    this.#write(current, withPods(this.#kind, observed, started, ready));
    const delay = desired > ready ? this.pace.up : this.pace.down;
    this.#plan(
      key,
      this.#agenda.after(delay, () => this.#settle(key)),
    );
  }

  #settle(key: string): void {
    this.#coming.delete(key);
    const current = this.#world.store.of(this.#kind).get(key);
    if (current === undefined) return;
    const { desired } = workloadNumbers(this.#kind, current.object);
    this.#write(current, withPods(this.#kind, current.object, desired, desired));
  }

  #write(current: Revision, next: JsonObject): void {
    replaceObject(this.#world, this.#kind, current, next, 'status');
  }

  #plan(key: string, cancel: (() => void) | undefined): void {
    this.#coming.get(key)?.();
    if (cancel === undefined) this.#coming.delete(key);
    else this.#coming.set(key, cancel);
  }
}

import type { DependantRef } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { ApiServer } from '../api/api-server.ts';
import { asObject, type JsonObject, withValueAt } from '../store/kube-object.ts';
import { mergePatch } from '../store/patches.ts';
import { objectKey, type Revision } from '../store/revision.ts';
import { createObject, removeObject, replaceObject } from '../store/object-writes.ts';
import { type ResourceKind, workloadNumbers } from '../store/resource-kind.ts';
import { workloadObject } from './shoot-objects.ts';

/** A dependant as it stands in the seed. */
export type DependantState = Readonly<{
  desired: number;
  ready: number;
  annotations: Readonly<Record<string, string>>;
}>;

/** The dependants of one shoot, by name: what an operator, gardenlet, or the story does with them and reads of them. */
export class ShootDependants {
  readonly #shoot: ShootNamespace;
  readonly #seed: ApiServer;
  readonly #refs: readonly DependantRef[];

  constructor(shoot: ShootNamespace, seed: ApiServer, refs: readonly DependantRef[]) {
    this.#shoot = shoot;
    this.#seed = seed;
    this.#refs = refs;
  }

  get names(): readonly string[] {
    return this.#refs.map(({ name }) => name);
  }

  /** Undefined where it is missing. */
  get(name: string): DependantState | undefined {
    const current = this.#find(name);
    if (current === undefined) return undefined;
    const { desired, ready } = workloadNumbers(this.#kindOf(name), current.object);
    return { desired, ready, annotations: current.object.metadata.annotations ?? {} };
  }

  /** With all its pods ready. Does nothing where the seed does not serve its kind. */
  add(name: string, replicas: number): void {
    const { kind, apiVersion } = this.#refOf(name);
    const served = this.#seed.kindOf(apiVersion, kind);
    if (served !== undefined)
      createObject(this.#seed.storage, served, workloadObject(served, this.#shoot, name, replicas));
  }

  remove(name: string): void {
    const current = this.#find(name);
    if (current !== undefined) removeObject(this.#seed.storage, this.#kindOf(name), current);
  }

  /** As by `kubectl scale`. */
  scale(name: string, replicas: number): void {
    const path = this.#kindOf(name).scale?.specReplicas ?? ['spec', 'replicas'];
    this.#edit(name, (object) => withValueAt(object, path, replicas));
  }

  /** null takes an annotation away. */
  annotate(name: string, annotations: Readonly<Record<string, string | null>>): void {
    this.#edit(name, (object) => asObject(mergePatch(object, { metadata: { annotations } })));
  }

  #edit(name: string, change: (object: JsonObject) => JsonObject): void {
    const current = this.#find(name);
    if (current === undefined) throw new Error(`${this.#shoot} has no ${name}`);
    replaceObject(this.#seed.storage, this.#kindOf(name), current, change(current.object));
  }

  #find(name: string): Revision | undefined {
    const { kind, apiVersion } = this.#refOf(name);
    const served = this.#seed.kindOf(apiVersion, kind);
    return served === undefined ? undefined : this.#seed.storage.store.of(served).get(objectKey(this.#shoot, name));
  }

  #kindOf(name: string): ResourceKind {
    const { kind, apiVersion } = this.#refOf(name);
    const served = this.#seed.kindOf(apiVersion, kind);
    if (served === undefined) throw new Error(`the seed does not serve ${apiVersion} ${kind}`);
    return served;
  }

  #refOf(name: string): DependantRef {
    const ref = this.#refs.find((one) => one.name === name);
    if (ref === undefined) throw new Error(`the configuration knows no dependant ${name}`);
    return ref;
  }
}

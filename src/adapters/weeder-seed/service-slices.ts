import { isDeepStrictEqual } from 'node:util';
import { serviceKey, type ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { SliceReading, Slices, SliceView } from '../../domain/weeder/service-slices.ts';
import {
  appliedIn,
  deletedIn,
  objectKey,
  type Applied,
  type Deleted,
  type StreamItem,
} from '../reflector/stream-item.ts';

type Item = StreamItem<SliceReading | undefined>;
type Draft = Map<string, SliceView>;

/** `slices`: those of the service now; undefined where the last one is gone. `isNew`: the service had none before. */
export type ServiceChange = Readonly<{ service: ServiceKey; slices: Slices | undefined; isNew: boolean }>;

/** Groups the slices of the seed by their service (SPEC 7.1). */
export class ServiceSlices {
  readonly #slices = new Map<ServiceKey, Slices>();
  /** The service of each slice, by the slice's key: its label may change and name another service. */
  readonly #owners = new Map<string, ServiceKey>();

  /** A copy. */
  get services(): ReadonlySet<ServiceKey> {
    return new Set(this.#slices.keys());
  }

  /** Undefined where the service has no slice. */
  of(service: ServiceKey): Slices | undefined {
    return this.#slices.get(service);
  }

  /**
   * Applies a change of one slice, or a whole list, and returns the services that are different now. A list counts as one
   * change: where one slice replaced another, the service was not without slices in between. After a list, every service is returned
   * of which a slice was written; where the seed's history went back, every service.
   */
  apply(item: Item): readonly ServiceChange[] {
    const drafts = new Map<ServiceKey, Draft>();
    for (const one of deletedIn(item)) this.#remove(one, drafts);
    for (const one of appliedIn(item)) this.#put(one, drafts);
    const isListed = item.type === 'listed';
    if (isListed && item.rewound) for (const service of this.services) this.#draftOf(service, drafts);
    return [...drafts].flatMap(([service, draft]) => this.#record(service, draft, isListed) ?? []);
  }

  forget(): void {
    this.#slices.clear();
    this.#owners.clear();
  }

  #put({ object }: Applied<SliceReading | undefined>, drafts: Map<ServiceKey, Draft>): void {
    const { namespace, name, value } = object;
    this.#remove(object, drafts);
    if (value === undefined) return;
    const owner = serviceKey({ namespace, service: value.service });
    this.#owners.set(objectKey(namespace, name), owner);
    this.#draftOf(owner, drafts).set(name, value.view);
  }

  #remove({ namespace, name }: Pick<Deleted, 'namespace' | 'name'>, drafts: Map<ServiceKey, Draft>): void {
    const key = objectKey(namespace, name);
    const owner = this.#owners.get(key);
    if (owner === undefined) return;
    this.#owners.delete(key);
    this.#draftOf(owner, drafts).delete(name);
  }

  #draftOf(service: ServiceKey, drafts: Map<ServiceKey, Draft>): Draft {
    const draft = drafts.get(service) ?? new Map(Object.entries(this.#slices.get(service) ?? {}));
    drafts.set(service, draft);
    return draft;
  }

  /** Undefined where nothing is different, unless `always`. Only the views are compared: Kubernetes often writes a slice without a change that we use. */
  #record(service: ServiceKey, draft: Draft, always: boolean): ServiceChange | undefined {
    const before = this.#slices.get(service);
    const slices = draft.size === 0 ? undefined : Object.fromEntries(draft);
    if (!always && isDeepStrictEqual(slices, before)) return undefined;
    if (slices === undefined) this.#slices.delete(service);
    else this.#slices.set(service, slices);
    return { service, slices, isNew: before === undefined };
  }
}

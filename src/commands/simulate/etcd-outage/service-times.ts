import { Subject, type Observable } from 'rxjs';
import type { Instant } from '../../../domain/time.ts';
import { serviceKey, type ServiceKey, type ServiceRef } from '../../../domain/weeder/service-ref.ts';
import type { Clock } from '../../../effects/ports.ts';
import { kinds } from '../../../simulator/store/embedded-kinds.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { asObject, type KubeObject } from '../../../simulator/store/kube-object.ts';

type ServiceChange = ServiceRef & Readonly<{ at: Instant; available: boolean }>;

const serviceLabel = 'kubernetes.io/service-name';

/** Since when each service of a seed has a ready endpoint. It reads the seed's EndpointSlices, and does not ask the weeder. */
export class ServiceTimes {
  readonly #seed: EmbeddedSeed;
  readonly #since = new Map<ServiceKey, Instant>();
  readonly #changes$ = new Subject<ServiceChange>();

  constructor(seed: EmbeddedSeed, clock: Clock) {
    this.#seed = seed;
    const slices = seed.api.storage.store.of(kinds.endpointSlice);
    for (const { object } of slices.list()) this.#weigh(object, clock.now());
    slices.onChange(({ revision }) => this.#weigh(revision.object, clock.now()));
  }

  get changes$(): Observable<ServiceChange> {
    return this.#changes$;
  }

  /** Null while the service is not available. */
  servingSince(of: ServiceRef): Instant | null {
    return this.#since.get(serviceKey(of)) ?? null;
  }

  #weigh({ metadata }: KubeObject, at: Instant): void {
    const { namespace = '', labels = {} } = metadata;
    const service = labels[serviceLabel];
    if (service === undefined) return;
    const key = serviceKey({ namespace, service });
    const available = this.#seed.api.storage.store
      .of(kinds.endpointSlice)
      .list(namespace)
      .some(({ object }) => object.metadata.labels?.[serviceLabel] === service && hasReady(object));
    if (available === this.#since.has(key)) return;
    if (available) this.#since.set(key, at);
    else this.#since.delete(key);
    this.#changes$.next({ at, namespace, service, available });
  }
}

function hasReady({ endpoints }: KubeObject): boolean {
  return Array.isArray(endpoints) && endpoints.some((one) => asObject(asObject(one)['conditions'])['ready'] !== false);
}

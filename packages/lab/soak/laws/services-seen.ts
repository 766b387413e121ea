import { labelsOf, type Selector } from 'dependency-watchdog/domain/read-selector.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeededService } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import { labelSelector } from '@dwd/simulator/api/selection.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, type JsonObject, type KubeObject } from '@dwd/simulator/store/kube-object.ts';
import type { Seen } from '../observation.ts';

type Service = {
  readonly namespace: string;
  readonly name: string;
  readonly ready: Map<string, boolean>;
  /** Since when any endpoint is ready, or was. */
  upAt: Instant;
  /** Since when none is; Infinity while one is. */
  downAt: Instant;
  /** For how long none was, before `upAt`. */
  wasDownFor: Millis;
};

/** When services came and went, by the EndpointSlices in the store. */
export class ServicesSeen {
  readonly #services = new Map<string, Service>();

  get(namespace: string, name: string): Readonly<Service> | undefined {
    return this.#services.get(`${namespace}/${name}`);
  }

  change({ at, of, change: { type, revision } }: Seen<'change'>): void {
    if (of === kinds.endpointSlice) this.#note(revision.key, type === 'DELETED' ? undefined : revision.object, at);
  }

  /** A slice changed, or is gone. */
  #note(key: string, slice: KubeObject | undefined, at: Instant): void {
    const service = slice === undefined ? this.#having(key) : this.#of(slice, at);
    if (service === undefined) return;
    const wasUp = isUp(service);
    if (slice === undefined) service.ready.delete(key);
    else service.ready.set(key, hasReady(slice));
    const isNowUp = isUp(service);
    if (isNowUp && !wasUp) {
      service.upAt = at;
      service.wasDownFor = at - service.downAt;
    }
    service.downAt = isNowUp ? Infinity : wasUp ? at : service.downAt;
  }

  #having(key: string): Service | undefined {
    return [...this.#services.values()].find(({ ready }) => ready.has(key));
  }

  #of({ metadata: { namespace = '', labels } }: KubeObject, at: Instant): Service | undefined {
    const name = labels?.['kubernetes.io/service-name'];
    if (name === undefined) return undefined;
    const key = `${namespace}/${name}`;
    const known = this.#services.get(key);
    const service = known ?? { namespace, name, ready: new Map(), upAt: -Infinity, downAt: at, wasDownFor: 0 };
    this.#services.set(key, service);
    return service;
  }
}

/** Read once each: laws ask for every pod that crash-loops. */
const selectors = new WeakMap<WeededService, readonly Selector[]>();

export function selects(service: WeededService, pod: KubeObject): boolean {
  const read = selectors.get(service) ?? service.podSelectors.map(labelSelector);
  selectors.set(service, read);
  const labels = labelsOf(pod);
  return read.some((isSelected) => isSelected(labels));
}

function isUp({ ready }: Service): boolean {
  return [...ready.values()].includes(true);
}

function hasReady(slice: KubeObject): boolean {
  const endpoints = (slice['endpoints'] ?? []) as readonly JsonObject[];
  // One that is being deleted is nobody's any more.
  if (slice.metadata.deletionTimestamp !== undefined) return false;
  return endpoints.some(({ conditions }) => asObject(conditions)['ready'] !== false);
}

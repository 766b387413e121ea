import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { randomSuffix } from '../store/names-by-chance.ts';
import { objectKey } from '../store/revision.ts';
import { createObject, replaceObject, type Storage } from '../store/object-writes.ts';
import type { PodLife } from './pod-life.ts';
import type { JsonObject } from '../store/kube-object.ts';

export type ServiceSlicesParts = Readonly<{
  storage: Storage;
  agenda: Agenda;
  namespace: string;
  service: string;
  families: readonly ('IPv4' | 'IPv6')[];
  /** The most endpoints in one slice. */
  endpointsPerSlice: number;
  /** The pods behind the service now. */
  pods: () => readonly PodLife[];
  /** Called when the service has become available, or stopped being so. */
  turned: () => void;
}>;

/** One slice: which pods are in it, by uid. */
type Slice = Readonly<{ name: string; members: Set<string> }>;

/** Until the controller of the slices has seen what became of the pods. */
const sliceTime: Millis = 40;

/** The EndpointSlices of one service, which follow its pods. A pod stays in the slice to which it was added. */
export class ServiceSlices {
  /** Whether any endpoint is ready. */
  available = false;
  readonly #parts: ServiceSlicesParts;
  /** By address family; never empty, since the last slice of a service stays. */
  readonly #slices = new Map<'IPv4' | 'IPv6', readonly Slice[]>();
  #coming: (() => void) | undefined;

  constructor(parts: ServiceSlicesParts) {
    this.#parts = parts;
    this.#write();
  }

  /** Its pods have changed. */
  follow(): void {
    this.#coming ??= this.#parts.agenda.after(sliceTime, () => {
      this.#coming = undefined;
      const before = this.available;
      this.#write();
      if (this.available !== before) this.#parts.turned();
    });
  }

  stop(): void {
    this.#coming?.();
  }

  #write(): void {
    const pods = new Map(this.#parts.pods().flatMap((pod) => (pod.ips.length === 0 ? [] : [[pod.uid, pod] as const])));
    for (const [index, family] of this.#parts.families.entries()) {
      const slices = this.#assign(this.#slices.get(family) ?? [], pods);
      for (const slice of this.#slices.get(family) ?? []) if (!slices.includes(slice)) this.#remove(slice);
      this.#slices.set(family, slices);
      for (const slice of slices) this.#put(slice, family, index, pods);
    }
    this.available = pods.values().some(({ ready, ending }) => ready && !ending);
  }

  #assign(before: readonly Slice[], pods: ReadonlyMap<string, PodLife>): readonly Slice[] {
    const slices = [...before];
    for (const { members } of slices) for (const uid of members) if (!pods.has(uid)) members.delete(uid);
    const known = new Set(slices.flatMap(({ members }) => [...members]));
    for (const uid of pods.keys()) {
      if (known.has(uid)) continue;
      let free = slices.find(({ members }) => members.size < this.#parts.endpointsPerSlice);
      if (free === undefined) slices.push((free = this.#newSlice()));
      free.members.add(uid);
    }
    const used = slices.filter(({ members }) => members.size > 0);
    if (used.length > 0) return used;
    return [slices[0] ?? this.#newSlice()];
  }

  #newSlice(): Slice {
    return { name: `${this.#parts.service}-${randomSuffix(this.#parts.storage.chance)}`, members: new Set() };
  }

  #put({ name, members }: Slice, addressType: 'IPv4' | 'IPv6', ip: number, pods: ReadonlyMap<string, PodLife>): void {
    const { storage, namespace, service } = this.#parts;
    const endpoints = [...members].flatMap((uid) => {
      const pod = pods.get(uid);
      return pod === undefined ? [] : endpointOf(pod, ip);
    });
    const draft = sliceObject({ name, namespace, service, endpoints, addressType });
    const current = storage.store.of(kinds.endpointSlice).get(objectKey(namespace, name));
    if (current === undefined) createObject(storage, kinds.endpointSlice, draft);
    else replaceObject(storage, kinds.endpointSlice, current, draft);
  }

  #remove({ name }: Slice): void {
    this.#parts.storage.store.of(kinds.endpointSlice).remove(objectKey(this.#parts.namespace, name));
  }
}

function endpointOf({ name, uid, ips, ready, ending }: PodLife, ip: number): readonly SliceEndpoint[] {
  const address = ips[ip];
  if (address === undefined) return [];
  return [{ address, ready: ready && !ending, serving: ready, terminating: ending, pod: { name, uid } }];
}

type SliceEndpoint = Readonly<{
  address: string;
  /** Undefined: the slice says nothing of it. */
  ready?: boolean | undefined;
  serving?: boolean;
  terminating?: boolean;
  pod?: Readonly<{ name: string; uid: string }>;
}>;

type SliceDraft = Readonly<{
  name: string;
  namespace: string;
  service: string;
  endpoints?: readonly SliceEndpoint[];
  addressType?: 'IPv4' | 'IPv6';
}>;

/** An EndpointSlice to be created; without endpoints it has null for a list, as real ones do. */
export function sliceObject({
  name,
  namespace,
  service,
  endpoints = [],
  addressType = 'IPv4',
}: SliceDraft): JsonObject {
  return {
    metadata: {
      name,
      namespace,
      labels: {
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': service,
      },
    },
    addressType,
    endpoints: endpoints.length === 0 ? null : endpoints.map((endpoint) => endpointObject(endpoint, namespace)),
    ports: endpoints.length === 0 ? null : [{ name: 'server', protocol: 'TCP', port: 443 }],
  };
}

function endpointObject({ address, ready, serving, terminating, pod }: SliceEndpoint, namespace: string): JsonObject {
  return {
    addresses: [address],
    conditions: {
      ...(ready === undefined ? {} : { ready }),
      ...(serving === undefined ? {} : { serving }),
      ...(terminating === undefined ? {} : { terminating }),
    },
    ...(pod === undefined ? {} : { targetRef: { kind: 'Pod', namespace, name: pod.name, uid: pod.uid } }),
  };
}

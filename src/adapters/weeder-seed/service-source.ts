import { isDeepStrictEqual } from 'node:util';
import { Observable, Subscription } from 'rxjs';
import type { Instant } from '../../domain/time.ts';
import { serviceKey, type ServiceKey } from '../../domain/weeder/service-ref.ts';
import {
  readEndpoints,
  readSlice,
  type SliceGap,
  type SliceReading,
  type Slices,
  type SliceView,
} from '../../domain/weeder/service-slices.ts';
import type { Clock } from '../../effects/ports.ts';
import { endpointSlicesPath, endpointsPath } from '../kube/paths.ts';
import { Informer } from '../reflector/informer.ts';
import { appliedIn, deletedIn, objectKey, type StreamItem, type StreamPorts } from '../reflector/stream-item.ts';

/** A kind of objects that tells which endpoints of a service are ready, and how it is asked for. */
export type ServiceKind = Readonly<{
  /** Of its streams, as notices and metrics have it. */
  stream: string;
  path: string;
  /** One stream each; `of` is its name where there are several. */
  queries: readonly Readonly<{ of?: string; query: Readonly<Record<string, string>> }>[];
  pageSize: number;
  /** Objects that one stream keeps. */
  limit: number;
  /** Undefined where the object belongs to no configured service. */
  read: (object: unknown) => SliceReading | undefined;
}>;

/** Ten services in a thousand namespaces, with two slices each (dual stack). A stored slice takes some 500 bytes. */
const mostSlices = 20_000;

/** A slice has 1 or 2 KB; with 1,000 endpoints, the most that Kubernetes allows, 300 KB. So has an Endpoints object. */
const page = 100;

/** One in each namespace; a seed has some hundred. */
const mostEndpoints = 5_000;

/** The EndpointSlices of these services in all namespaces: one stream, since a label names their service. */
export function endpointSliceKind(names: ReadonlySet<string>): ServiceKind {
  return {
    stream: 'endpointslices',
    path: endpointSlicesPath,
    queries: [{ query: { labelSelector: `kubernetes.io/service-name in (${[...names].join(',')})` } }],
    pageSize: page,
    limit: mostSlices,
    read: (object) => ofThese(names, readSlice(object)),
  };
}

/**
 * The Endpoints of these services in all namespaces. Nothing but their name says whose they are, and a field selector takes one name: so
 * there is a stream for each. One for all would bring every Endpoints object of the seed, and each of its changes.
 */
export function endpointsKind(names: ReadonlySet<string>): ServiceKind {
  return {
    stream: 'endpoints',
    path: endpointsPath,
    queries: [...names].map((name) => ({ of: name, query: { fieldSelector: `metadata.name=${name}` } })),
    pageSize: page,
    limit: mostEndpoints,
    read: (object) => ofThese(names, readEndpoints(object)),
  };
}

/** A server may send what was not asked for. */
function ofThese(names: ReadonlySet<string>, reading: SliceReading | undefined): SliceReading | undefined {
  return reading !== undefined && names.has(reading.service) ? reading : undefined;
}

/** `slices`: those of the service now; undefined where the last one is gone. `isNew`: the service had none before. */
export type ServiceChange = Readonly<{ service: ServiceKey; slices: Slices | undefined; isNew: boolean }>;

export type SourceNews =
  /** The first list of each of its streams is in. */
  | Readonly<{ type: 'listed' }>
  /** After `listed`: these services are different now. */
  | Readonly<{ type: 'changed'; changes: readonly ServiceChange[]; gap: SliceGap | undefined }>
  /** All its streams follow the seed. */
  | Readonly<{ type: 'live' }>
  /** One of its streams does not. */
  | Readonly<{ type: 'out' }>
  /** The seed does not let us see this kind, or does not serve it. The source goes on asking. */
  | Readonly<{ type: 'refused'; problem: string }>;

type Item = StreamItem<SliceReading | undefined>;

type ServiceStream = {
  readonly informer: Informer<SliceReading | undefined>;
  readonly slices: ReturnType<typeof serviceSlices>;
  /** When it last spoke. A watch that goes on where it was cut misses nothing; one that was half open was silent before it was cut. */
  heardAt: Instant | undefined;
  live: boolean;
};

/** All that one kind tells of the configured services. The objects of one service come over one stream. */
export class ServiceSource {
  readonly kind: ServiceKind;
  /** Only one may subscribe at a time; when it leaves, everything is forgotten. */
  readonly news$: Observable<SourceNews>;
  readonly #clock: Clock;
  readonly #streams: readonly ServiceStream[];
  #listed = false;

  constructor(kind: ServiceKind, parts: StreamPorts) {
    const { stream, path, pageSize, limit, read: project } = kind;
    this.kind = kind;
    this.#clock = parts.clock;
    this.#streams = kind.queries.map((one) => ({
      informer: new Informer({ ...parts, stream, path, pageSize, limit, project, ...one }),
      slices: serviceSlices(),
      heardAt: undefined,
      live: false,
    }));
    this.news$ = new Observable((observer) => {
      const running = new Subscription();
      running.add(() => this.#forget());
      for (const stream of this.#streams)
        running.add(
          stream.informer.updates$.subscribe(({ item }) => {
            const news = this.#take(stream, item);
            if (news !== undefined) observer.next(news);
          }),
        );
      return running;
    });
  }

  /** A copy. */
  get services(): ReadonlySet<ServiceKey> {
    return new Set(this.#streams.flatMap(({ slices }) => [...slices.services()]));
  }

  /** Every stream follows the seed. */
  get live(): boolean {
    return this.#streams.every(({ live }) => live);
  }

  /** Since when something may have happened unseen; undefined before the first lists. */
  get seenUntil(): Instant | undefined {
    if (!this.#listed) return undefined;
    return this.live ? this.#clock.now() : Math.min(...this.#streams.map(({ heardAt }) => heardAt ?? Infinity));
  }

  /** Undefined where the service is not there. */
  of(service: ServiceKey): Slices | undefined {
    return this.#streams.map(({ slices }) => slices.of(service)).find((slices) => slices !== undefined);
  }

  #take(stream: ServiceStream, item: Item): SourceNews | undefined {
    const gap = gapBefore(item, stream.heardAt);
    if (item.type !== 'out' && item.type !== 'live') stream.heardAt = this.#clock.now();
    if (item.type === 'out' || item.type === 'live') stream.live = item.type === 'live';
    const changes = stream.slices.apply(item);
    if (item.type === 'out') return item.refused ? { type: 'refused', problem: item.problem } : { type: 'out' };
    if (item.type === 'live') return this.live ? { type: 'live' } : undefined;
    if (this.#listed) return changes.length === 0 ? undefined : { type: 'changed', changes, gap };
    this.#listed = this.#streams.every(({ informer }) => informer.listed);
    return this.#listed ? { type: 'listed' } : undefined;
  }

  #forget(): void {
    this.#listed = false;
    for (const stream of this.#streams) {
      stream.slices.forget();
      stream.heardAt = undefined;
      stream.live = false;
    }
  }
}

/** Only a list can hide what happened before it; the first one has nothing before it. */
function gapBefore(item: StreamItem<unknown>, heardAt: Instant | undefined): SliceGap | undefined {
  if (item.type !== 'listed' || heardAt === undefined) return undefined;
  return { since: heardAt, ...(item.rewound ? { rewound: true } : {}) };
}

/** Groups the slices of a stream by their service (SPEC 7.1). */
function serviceSlices() {
  const slicesOf = new Map<ServiceKey, Slices>();
  /** The service of each slice, by the slice's key: its label may change and name another service. */
  const owners = new Map<string, ServiceKey>();

  /**
   * Applies a change of one slice, or a whole list, and returns the services that are different now. A list counts as one
   * change: where one slice replaced another, the service was not without slices in between. After a list, every service is returned
   * of which a slice was written; where the seed's history went back, every service.
   */
  function apply(item: Item): readonly ServiceChange[] {
    const drafts = new Map<ServiceKey, Map<string, SliceView>>();
    const draftOf = (service: ServiceKey) => {
      const draft = drafts.get(service) ?? new Map(Object.entries(slicesOf.get(service) ?? {}));
      drafts.set(service, draft);
      return draft;
    };
    const remove = ({ namespace, name }: Readonly<{ namespace: string; name: string }>): void => {
      const key = objectKey(namespace, name);
      const owner = owners.get(key);
      if (owner !== undefined && owners.delete(key)) draftOf(owner).delete(name);
    };

    for (const one of deletedIn(item)) remove(one);
    for (const { object } of appliedIn(item)) {
      const { namespace, name, value } = object;
      remove(object);
      if (value === undefined) continue;
      const owner = serviceKey({ namespace, service: value.service });
      owners.set(objectKey(namespace, name), owner);
      draftOf(owner).set(name, value.view);
    }
    const isListed = item.type === 'listed';
    if (isListed && item.rewound) for (const service of slicesOf.keys()) draftOf(service);
    return [...drafts].flatMap(([service, draft]) => record(service, draft, isListed) ?? []);
  }

  /** Undefined where nothing is different, unless `always`. Only the views are compared: Kubernetes often writes a slice without a change that we use. */
  function record(
    service: ServiceKey,
    draft: ReadonlyMap<string, SliceView>,
    always: boolean,
  ): ServiceChange | undefined {
    const before = slicesOf.get(service);
    const slices = draft.size === 0 ? undefined : Object.fromEntries(draft);
    if (!always && isDeepStrictEqual(slices, before)) return undefined;
    if (slices === undefined) slicesOf.delete(service);
    else slicesOf.set(service, slices);
    return { service, slices, isNew: before === undefined };
  }

  return {
    services: () => slicesOf.keys(),
    /** Undefined where the service has no slice. */
    of: (service: ServiceKey): Slices | undefined => slicesOf.get(service),
    apply,
    forget(): void {
      slicesOf.clear();
      owners.clear();
    },
  };
}

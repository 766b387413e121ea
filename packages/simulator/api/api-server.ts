import type { Chance } from 'dependency-watchdog/effects/ports.ts';
import type { Agenda } from '../store/agenda.ts';
import { expired, resourceNotFound, unauthorized } from '../store/api-refusal.ts';
import { kinds } from '../store/embedded-kinds.ts';
import type { JsonObject } from '../store/kube-object.ts';
import { createInitialNamespaces, initialNamespaces } from '../store/object-edits.ts';
import { ObjectStore } from '../store/object-store.ts';
import type { Storage } from '../store/object-writes.ts';
import { apiVersionOf, type ResourceKind } from '../store/resource-kind.ts';
import {
  accessAsked,
  refuseForbidden,
  type AccessAsked,
  type Authorize,
  isAccessReview,
  reviewAccess,
} from './access.ts';
import type { ApiRequest } from './api-request.ts';
import type { ServingCertificates } from './certificates.ts';
import { discovery } from './discovery.ts';
import type { Affects, Fault } from './faults.ts';
import { LiveWatch, type WatchOrder } from './live-watch.ts';
import { RequestLog, type SeenRequest } from './request-log.ts';
import { resourceAnswer, type Answer, type Body } from './resource-answer.ts';
import { watchOrder } from './watch-order.ts';
import type { WatchSink } from './watch-sink.ts';

export type ApiServerOptions = Readonly<{
  agenda: Agenda;
  chance: Chance;
  certificates: ServingCertificates;
  kinds: readonly ResourceKind[];
  /** Unless given, everything is permitted. */
  authorize?: Authorize;
  /** How many of the latest requests the log keeps at least; 20,000 unless given. */
  keptRequests?: number;
  /** Another API server over the same etcd, with the same users. */
  twin?: ApiServer;
}>;

/** A Kubernetes API server with its objects in memory: what it answers, whatever way the requests come. */
export abstract class ApiServer {
  readonly storage: Storage;
  readonly agenda: Agenda;
  readonly requests: RequestLog;
  readonly certificates: ServingCertificates;
  /** Users by bearer token. */
  readonly tokens: Map<string, string>;
  /** By how much the dates of its answers are ahead of the simulated clock, in ms. */
  clockAhead = 0;
  /** It stands for several servers, and some answers are of these, which are ahead by so much more. */
  othersAhead: readonly number[] = [];
  /** How the server answers a watch from a forgotten resourceVersion: by an event in its stream, or by the status 410. */
  tellsExpiredBy: 'event' | 'status' = 'event';
  protected readonly kinds: ReadonlyMap<string, ResourceKind>;
  protected readonly openWatches = new Set<LiveWatch>();
  /** By `apps/v1 Deployment`. */
  readonly #byName: ReadonlyMap<string, ResourceKind>;
  readonly #discovery: ReadonlyMap<string, JsonObject>;
  readonly #requestListeners: Set<(access: AccessAsked) => void>;
  /** What lists and watches are of: etcd, unless a restore was missed. */
  #cache: Readonly<{ storage: Storage; drop: () => void }>;
  #authorize: Authorize;
  #unwatchable: readonly string[] = [];

  constructor(options: ApiServerOptions) {
    this.agenda = options.agenda;
    this.requests = options.twin?.requests ?? new RequestLog(options.keptRequests ?? 20_000);
    this.certificates = options.certificates;
    const { twin } = options;
    this.#requestListeners = twin === undefined ? new Set() : twin.#requestListeners;
    this.tokens = twin?.tokens ?? new Map();
    this.storage = twin?.storage ?? { store: new ObjectStore(), clock: options.agenda.clock, chance: options.chance };
    this.#cache = { storage: this.storage, drop: () => undefined };
    this.#authorize = options.authorize ?? (() => true);
    this.kinds = new Map(options.kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind]));
    this.#byName = new Map(options.kinds.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind]));
    this.#discovery = discovery(options.kinds);
    if (twin === undefined && options.kinds.some(({ plural }) => plural === kinds.namespace.plural))
      createInitialNamespaces(this.storage, initialNamespaces);
  }

  /** By how much the clock of the server that answers now is ahead. */
  protected get dateAhead(): number {
    const { othersAhead, storage } = this;
    if (othersAhead.length === 0) return this.clockAhead;
    const answering = Math.floor(storage.chance() * (othersAhead.length + 1));
    return this.clockAhead + (othersAhead[answering] ?? 0);
  }

  abstract get url(): string;

  /** Can be reached; after the first time, at the same address. */
  abstract up(): Promise<void>;

  /** Refuses new connections, and cuts the open ones. */
  abstract down(): Promise<void>;

  /** From now on, until `clearFault` is called. Open watches fall silent while the server hangs, and go on with any other fault. */
  abstract setFault(fault: Fault, affects?: Affects): void;

  /** Requests that wait for an answer never get one: their connections are cut. */
  abstract clearFault(): void;

  /** That are open now. */
  get watches(): number {
    return this.openWatches.size;
  }

  kindOf(apiVersion: string, kind: string): ResourceKind | undefined {
    return this.#byName.get(`${apiVersion} ${kind}`);
  }

  /**
   * Calls back for each request that is about to be answered, before it is looked at whether its user may; not for one that a
   * fault took. Answers how to stop.
   */
  onRequest(listener: (access: AccessAsked) => void): () => void {
    this.#requestListeners.add(listener);
    return () => this.#requestListeners.delete(listener);
  }

  /** From now on `authorize` says what is permitted. Call what it answers to have that as it was before. */
  permitOnly(authorize: Authorize): () => void {
    const before = this.#authorize;
    this.#authorize = authorize;
    return () => {
      this.#authorize = before;
    };
  }

  /** Cuts the connections of all watches, or of those on one resource (`deployments`). */
  breakWatches(resource?: string): void {
    for (const watch of this.#watchesOn(resource)) watch.cut();
  }

  /** Tells all watches, or those on one resource, that their resourceVersion is too old. */
  expireWatches(resource?: string): void {
    const refusal = expired(`too old resource version: 1 (${this.storage.store.resourceVersion})`);
    for (const watch of this.#watchesOn(resource)) watch.fail(refusal);
  }

  /** Answers new watches on these resources with 403, and cuts the open ones; an empty list permits all again. */
  refuseWatches(resources: readonly string[]): void {
    this.#unwatchable = resources;
    for (const resource of resources) this.breakWatches(resource);
  }

  /** All watches stop without a word. */
  abandonWatches(): void {
    for (const watch of this.#watchesOn(undefined)) watch.abandon();
  }

  /**
   * To be called right before etcd is restored, if this server goes on, and does not notice. Its watch cache holds what was, and learns what comes only
   * once etcd's counter has passed that. Lists and watches are of this cache; all other requests are of etcd.
   */
  missRestore(): void {
    const { store } = this.storage;
    if (this.#cache.storage !== this.storage) return;
    // Each kind has a cache, also where there is nothing yet.
    for (const kind of this.kinds.values()) store.of(kind);
    const fork = store.fork();
    for (const watch of this.openWatches) watch.moveTo(fork.store);
    this.#cache = { storage: { ...this.storage, store: fork.store }, drop: fork.stop };
  }

  /** Fills its watch cache anew, as a server does that starts. */
  startAfresh(): void {
    this.#cache.drop();
    this.#cache = { storage: this.storage, drop: () => undefined };
  }

  /** Forgets the history: an older resourceVersion, and the open pages of lists, are answered with 410. */
  compact(): void {
    this.storage.store.compact();
  }

  /** What is answered to a user, undefined where the credentials belong to nobody: an answer, or a watch to be followed. Throws ApiRefusal. */
  protected answer(ask: ApiRequest, user: string | undefined, body: Body): Answer | WatchOrder {
    if (user === undefined) throw unauthorized();
    const access = accessAsked(user, ask);
    // A question about access is no access.
    if (isAccessReview(ask)) return { code: 201, json: reviewAccess(this.#authorize, user, body.content) };
    for (const listener of this.#requestListeners) listener(access);
    refuseForbidden(this.#authorize, access, ask);
    refuseForbidden(({ verb, resource }) => verb !== 'watch' || !this.#unwatchable.includes(resource), access, ask);
    const { kind } = ask;
    const { storage: cache } = this.#cache;
    if (kind !== undefined && ask.verb === 'watch') return watchOrder(cache, ask, kind, this.tellsExpiredBy);
    if (kind !== undefined) return resourceAnswer(ask.verb === 'list' ? cache : this.storage, kind, ask, body);
    const about = this.#discovery.get(ask.path.replace(/(.)\/$/, '$1'));
    if (about !== undefined) return { code: 200, json: JSON.stringify(about) };
    const groupVersion = /^\/(?:api|apis\/[^/]+)\/[^/]+/.exec(ask.path)?.[0] ?? '';
    if (this.#discovery.has(groupVersion)) throw resourceNotFound();
    return { code: 404, text: '404 page not found\n' };
  }

  /** Keeps the request in the log. */
  protected note(ask: ApiRequest, user: string | undefined, connection: number): SeenRequest {
    const { group: _, ...access } = accessAsked(user ?? '', ask);
    const seen = { ...access, at: this.agenda.clock.now(), query: ask.queryText, connection };
    this.requests.add(seen);
    return seen;
  }

  /** Opens the watch. */
  protected follow(order: WatchOrder, sink: WatchSink): LiveWatch {
    const watch = new LiveWatch(order, sink, this.agenda, (ended) => this.openWatches.delete(ended));
    if (!watch.hasEnded) this.openWatches.add(watch);
    return watch;
  }

  #watchesOn(resource: string | undefined): readonly LiveWatch[] {
    return [...this.openWatches].filter((watch) => resource === undefined || watch.kind.plural === resource);
  }
}

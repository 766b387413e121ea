import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Millis } from '../../domain/time.ts';
import type { Chance } from '../../effects/ports.ts';
import type { Agenda } from '../store/agenda.ts';
import { ApiRefusal, expired, internalError, resourceNotFound } from '../store/api-refusal.ts';
import { readApiRequest, type ApiRequest, readBody } from './api-request.ts';
import { accessAsked, knownUserOf, userOf, refuseForbidden, type Authorize, type AccessAsked } from './access.ts';
import type { ServingCertificates } from './certificates.ts';
import { isAccessReview, reviewAccess } from './access-review.ts';
import { discovery } from './discovery.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { initialNamespaces, createInitialNamespaces } from '../store/object-edits.ts';
import type { JsonObject } from '../store/kube-object.ts';
import type { LiveWatch } from './live-watch.ts';
import { LoopbackListener } from './loopback-listener.ts';
import { ObjectStore } from '../store/object-store.ts';
import type { Storage } from '../store/object-writes.ts';
import { RequestLog, type SeenRequest } from './request-log.ts';
import { resourceAnswer, type Body } from './resource-answer.ts';
import { apiVersionOf, type ResourceKind } from '../store/resource-kind.ts';
import { watchAnswer } from './watch-answer.ts';
import { sendJson, sendRefusal, answerWithFault, type Affects, type Fault } from './faults.ts';

export type ApiServerOptions = Readonly<{
  agenda: Agenda;
  chance: Chance;
  certificates: ServingCertificates;
  kinds: readonly ResourceKind[];
  /** Unless given, everything is permitted. */
  authorize?: Authorize;
  /** How many of the latest requests the log keeps at least; 20,000 unless given. */
  keptRequests?: number;
}>;

/** A Kubernetes API server on 127.0.0.1, over TLS and HTTP/1.1, with its objects in memory. */
export class EmbeddedApiServer {
  readonly storage: Storage;
  readonly agenda: Agenda;
  readonly requests: RequestLog;
  readonly certificates: ServingCertificates;
  /** Users by bearer token. */
  readonly tokens = new Map<string, string>();
  /** By how much the dates of its answers are ahead of the simulated clock, in ms. */
  clockAhead = 0;
  /** Each answer waits so long, by the simulated clock. */
  latency: Millis = 0;
  /** Closes the connection after each answer, as some proxies do. */
  closesAfterAnswer = false;
  /** How the server answers a watch from a forgotten resourceVersion: by an event in its stream, or by the status 410. */
  tellsExpiredBy: 'event' | 'status' = 'event';
  readonly #kinds: ReadonlyMap<string, ResourceKind>;
  readonly #discovery: ReadonlyMap<string, JsonObject>;
  readonly #listener: LoopbackListener;
  readonly #watches = new Set<LiveWatch>();
  readonly #unanswered = new Set<ServerResponse>();
  readonly #requestListeners = new Set<(access: AccessAsked) => void>();
  #authorize: Authorize;
  #fault: Readonly<{ fault: Fault; affects: Affects }> | undefined;
  #unwatchable: readonly string[] = [];

  constructor(options: ApiServerOptions) {
    this.agenda = options.agenda;
    this.requests = new RequestLog(options.keptRequests ?? 20_000);
    this.certificates = options.certificates;
    this.storage = { store: new ObjectStore(), clock: options.agenda.clock, chance: options.chance };
    this.#authorize = options.authorize ?? (() => true);
    this.#kinds = new Map(options.kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind]));
    this.#discovery = discovery(options.kinds);
    if (options.kinds.some(({ plural }) => plural === kinds.namespace.plural))
      createInitialNamespaces(this.storage, initialNamespaces);
    this.#listener = new LoopbackListener(options.certificates, (request, response) => {
      void this.#receive(request, response);
    });
  }

  get url(): string {
    return this.#listener.url;
  }

  /** TLS connections accepted so far. */
  get connections(): number {
    return this.#listener.connectionCount;
  }

  /** Bytes on the wire so far, both ways, with what TLS adds. */
  get bytes(): number {
    return this.#listener.byteCount;
  }

  /** That are open now. */
  get watches(): number {
    return this.#watches.size;
  }

  /** Requests that a fault left without an answer, and whose clients still wait. */
  get unanswered(): number {
    return this.#unanswered.size;
  }

  kindOf(apiVersion: string, kind: string): ResourceKind | undefined {
    return this.#kinds.values().find((served) => apiVersionOf(served) === apiVersion && served.kind === kind);
  }

  /** Listens; after the first time, on the same port. */
  up(): Promise<void> {
    return this.#listener.up();
  }

  /** Refuses new connections, and cuts the open ones. */
  down(): Promise<void> {
    return this.#listener.down();
  }

  /** Shows these certificates from now on, whatever the kubeconfigs trust. */
  show(certificates: ServingCertificates): void {
    this.#listener.show(certificates);
  }

  /** From now on, until `clearFault` is called. Open watches fall silent while the server hangs, and go on with any other fault. */
  setFault(fault: Fault, affects: Affects = () => true): void {
    this.#fault = { fault, affects };
    this.#listener.silent = fault.kind === 'hang' && fault.at === 'handshake';
    for (const watch of this.#watches) {
      if (fault.kind === 'hang') watch.pause();
      else watch.resume();
    }
  }

  /** Requests that wait for an answer never get one: their connections are cut. */
  clearFault(): void {
    this.#fault = undefined;
    this.#listener.silent = false;
    for (const response of this.#unanswered) response.destroy();
    for (const watch of this.#watches) watch.resume();
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

  /** Forgets the history: an older resourceVersion, and the open pages of lists, are answered with 410. */
  compact(): void {
    this.storage.store.compact();
  }

  #watchesOn(resource: string | undefined): readonly LiveWatch[] {
    return [...this.#watches].filter((watch) => resource === undefined || watch.kind.plural === resource);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache, private');
    // By the simulated clock, which may run faster than the machine's: it is a second opinion on what time it is (SPEC 5.1).
    response.setHeader('Date', new Date(this.storage.clock.now() + this.clockAhead).toUTCString());
    if (this.closesAfterAnswer) response.shouldKeepAlive = false;
    try {
      const ask = readApiRequest(request, this.#kinds);
      const seen = this.#note(ask, request);
      const { fault, affects } = this.#fault ?? {};
      if (fault !== undefined && affects?.(seen) === true) {
        if (fault.kind === 'hang') {
          this.#unanswered.add(response);
          response.on('close', () => this.#unanswered.delete(response));
        }
        answerWithFault(fault, seen, response, this.agenda);
        return;
      }
      const body = await readBody(request);
      if (this.latency > 0) await new Promise<void>((after) => void this.agenda.after(this.latency, () => after()));
      const user = userOf(request, this.tokens);
      const access = accessAsked(user, ask);
      // A question about access is no access.
      if (isAccessReview(ask)) return sendJson(response, 201, reviewAccess(this.#authorize, user, body.content));
      for (const listener of this.#requestListeners) listener(access);
      refuseForbidden(this.#authorize, access, ask);
      refuseForbidden(({ verb, resource }) => verb !== 'watch' || !this.#unwatchable.includes(resource), access, ask);
      this.#answer(ask, body, response);
    } catch (error) {
      if (response.destroyed) return;
      sendRefusal(response, error instanceof ApiRefusal ? error : internalError(error));
    }
  }

  #answer(ask: ApiRequest, body: Body, response: ServerResponse): void {
    const { kind } = ask;
    if (kind !== undefined && ask.verb === 'watch') {
      const watch = watchAnswer(this.storage, ask, kind, {
        response,
        agenda: this.agenda,
        tellsExpiredBy: this.tellsExpiredBy,
      });
      this.#watches.add(watch);
      response.on('close', () => this.#watches.delete(watch));
      return;
    }
    if (kind !== undefined) {
      const { code, json } = resourceAnswer(this.storage, kind, ask, body);
      sendJson(response, code, json);
      return;
    }
    const about = this.#discovery.get(ask.path.replace(/(.)\/$/, '$1'));
    if (about !== undefined) {
      sendJson(response, 200, JSON.stringify(about));
      return;
    }
    const groupVersion = /^\/(?:api|apis\/[^/]+)\/[^/]+/.exec(ask.path)?.[0] ?? '';
    if (this.#discovery.has(groupVersion)) throw resourceNotFound();
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
  }

  #note(ask: ApiRequest, request: IncomingMessage): SeenRequest {
    const connection = this.#listener.connectionOf(request);
    const { group: _, ...access } = accessAsked(knownUserOf(request, this.tokens) ?? '', ask);
    const seen = { ...access, at: this.agenda.clock.now(), query: ask.query.toString(), connection };
    this.requests.add(seen);
    return seen;
  }
}

import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import type { Millis } from '../domain/time.ts';
import type { Chance } from '../effects/ports.ts';
import type { Agenda } from './agenda.ts';
import { ApiRefusal, expired, resourceNotFound, unauthorized } from './api-refusal.ts';
import { readApiRequest, type ApiRequest } from './api-request.ts';
import { refuseForbidden, type Authorize } from './authorize.ts';
import type { ServingCertificates } from './certificates.ts';
import { discovery } from './discovery.ts';
import type { JsonObject } from './kube-object.ts';
import type { LiveWatch } from './live-watch.ts';
import { ObjectStore } from './object-store.ts';
import type { World } from './object-writes.ts';
import { readBody } from './read-body.ts';
import { RequestLog, type SeenRequest } from './request-log.ts';
import { resourceAnswer } from './resource-answer.ts';
import { apiVersionOf, type ResourceKind } from './resource-kind.ts';
import { watchAnswer } from './watch-answer.ts';
import { sendRefusal, weatherAnswer } from './weather-answer.ts';
import type { Befalls, Weather } from './weather.ts';

export type ApiServerOptions = Readonly<{
  agenda: Agenda;
  chance: Chance;
  certificates: ServingCertificates;
  kinds: readonly ResourceKind[];
  /** Everything is permitted unless told. */
  authorize?: Authorize;
}>;

/** A Kubernetes API server on 127.0.0.1, over TLS and HTTP/1.1, with its world in memory. */
export class EmbeddedApiServer {
  readonly world: World;
  readonly requests = new RequestLog();
  readonly certificates: ServingCertificates;
  /** Users by bearer token. */
  readonly tokens = new Map<string, string>();
  readonly agenda: Agenda;
  /** Each answer waits so long, by the world's clock. */
  latency: Millis = 0;
  /** Closes the connection after each answer, as some proxies do. */
  closesAfterAnswer = false;
  /** How a watch from a forgotten resourceVersion is told so: in the stream, as today's servers do, or by the status, as older ones did. */
  tellsExpiredBy: 'event' | 'status' = 'event';
  authorize: Authorize;
  readonly #kinds: ReadonlyMap<string, ResourceKind>;
  readonly #discovery: ReadonlyMap<string, JsonObject>;
  readonly #https: HttpsServer;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new WeakMap<object, number>();
  readonly #watches = new Set<LiveWatch>();
  #tcp: TcpServer;
  #port = 0;
  #connectionCount = 0;
  #weather: Readonly<{ weather: Weather; befalls: Befalls }> | undefined;
  #refusedWatches: ((resource: string) => boolean) | undefined;

  constructor(options: ApiServerOptions) {
    this.agenda = options.agenda;
    this.certificates = options.certificates;
    this.world = { store: new ObjectStore(), clock: options.agenda.clock, chance: options.chance };
    this.authorize = options.authorize ?? (() => true);
    this.#kinds = new Map(options.kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind]));
    this.#discovery = discovery(options.kinds);
    const { certificate, key } = options.certificates;
    this.#https = createHttpsServer({ cert: certificate, key, keepAlive: true }, (request, response) => {
      void this.#answer(request, response);
    });
    this.#https.requestTimeout = 0;
    this.#https.headersTimeout = 0;
    this.#https.keepAliveTimeout = 0;
    this.#https.on('secureConnection', (socket) => {
      this.#connectionCount += 1;
      this.#connections.set(socket, this.#connectionCount);
    });
    this.#tcp = this.#newListener();
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** TLS connections accepted so far. */
  get connections(): number {
    return this.#connectionCount;
  }

  /** Watches that are open now. */
  get watches(): number {
    return this.#watches.size;
  }

  kindOf(apiVersion: string, kind: string): ResourceKind | undefined {
    return this.#kinds.values().find((served) => apiVersionOf(served) === apiVersion && served.kind === kind);
  }

  /** Listens, on the port it had before where it had one. */
  async up(): Promise<void> {
    if (this.#tcp.listening) return;
    const tcp = this.#newListener();
    this.#tcp = tcp;
    await new Promise<void>((resolve, reject) => {
      tcp.once('error', reject);
      tcp.listen(this.#port, '127.0.0.1', 1_024, resolve);
    });
    const address = tcp.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Refuses connections, and cuts those there are. */
  async down(): Promise<void> {
    if (!this.#tcp.listening) return;
    const closed = new Promise<void>((resolve) => this.#tcp.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** From now on, until `clearWeather`. Watches that hang get nothing; those under any other weather go on. */
  setWeather(weather: Weather, befalls: Befalls = () => true): void {
    this.#weather = { weather, befalls };
    for (const watch of this.#watches) {
      if (weather.kind === 'hang') watch.pause();
      else watch.resume();
    }
  }

  clearWeather(): void {
    this.#weather = undefined;
    for (const watch of this.#watches) watch.resume();
  }

  /** Cuts the connections of all watches, or of those on one resource (`deployments`). */
  breakWatches(resource?: string): void {
    for (const watch of this.#watches) if (resource === undefined || watch.kind.plural === resource) watch.cut();
  }

  /** Tells all watches, or those on one resource, that their resourceVersion is too old. */
  expireWatches(resource?: string): void {
    const refusal = expired(`too old resource version: 1 (${this.world.store.resourceVersion})`);
    for (const watch of this.#watches)
      if (resource === undefined || watch.kind.plural === resource) watch.fail(refusal);
  }

  /** Forbids new watches (403) on these resources, or on none; open ones are cut. Lists are answered still. */
  refuseWatches(resources: readonly string[]): void {
    this.#refusedWatches = (resource) => resources.includes(resource);
    for (const resource of resources) this.breakWatches(resource);
  }

  #newListener(): TcpServer {
    return createTcpServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      // A client that goes away in the middle is the client's matter.
      socket.on('error', () => socket.destroy());
      const { weather } = this.#weather ?? {};
      if (weather?.kind === 'hang' && weather.at === 'handshake') return;
      this.#https.emit('connection', socket);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const ask = readApiRequest(request.method ?? 'GET', request.url ?? '/', this.#kinds);
      const seen = this.#note(ask, request);
      if (this.closesAfterAnswer) response.shouldKeepAlive = false;
      const { weather, befalls } = this.#weather ?? {};
      if (weather !== undefined && befalls?.(seen) === true) {
        weatherAnswer(weather, response, this.agenda);
        return;
      }
      const body = await readBody(request);
      if (this.latency > 0) await new Promise<void>((resolve) => this.agenda.after(this.latency, () => resolve()));
      refuseForbidden(this.#mayWatch, this.#userOf(request), ask);
      refuseForbidden(this.authorize, this.#userOf(request), ask);
      this.#serve(ask, body, response);
    } catch (error) {
      if (response.destroyed) return;
      if (!(error instanceof ApiRefusal)) throw error;
      sendRefusal(response, error);
    }
  }

  #serve(ask: ApiRequest, body: Awaited<ReturnType<typeof readBody>>, response: ServerResponse): void {
    const { kind } = ask;
    if (kind !== undefined && ask.verb === 'watch') {
      const watch = watchAnswer(this.world, kind, ask, response, this.agenda);
      this.#watches.add(watch);
      response.on('close', () => this.#watches.delete(watch));
      return;
    }
    response.setHeader('Cache-Control', 'no-cache, private');
    const about = this.#discovery.get(ask.path.replace(/(.)\/$/, '$1'));
    if (kind === undefined && about === undefined) {
      if (this.#discovery.has(/^\/(?:api|apis\/[^/]+)\/[^/]+/.exec(ask.path)?.[0] ?? '')) throw resourceNotFound();
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
      return;
    }
    const { code, json } =
      kind === undefined ? { code: 200, json: JSON.stringify(about) } : resourceAnswer(this.world, kind, ask, body);
    response.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
    response.end(json);
  }

  readonly #mayWatch: Authorize = ({ verb, resource }) => verb !== 'watch' || this.#refusedWatches?.(resource) !== true;

  #userOf(request: IncomingMessage): string {
    const token = /^Bearer (?<token>\S+)$/i.exec(request.headers.authorization ?? '')?.groups?.['token'];
    const user = this.tokens.get(token ?? '');
    if (user === undefined) throw unauthorized();
    return user;
  }

  #note(ask: ApiRequest, request: IncomingMessage): SeenRequest {
    const resource =
      ask.kind === undefined ? ask.path : [ask.kind.plural, ask.subresource].filter((part) => part !== '').join('/');
    const { verb, namespace, name } = ask;
    const connection = this.#connections.get(request.socket) ?? 0;
    const seen = {
      at: this.agenda.clock.now(),
      verb,
      resource,
      namespace,
      name,
      query: ask.query.toString(),
      connection,
    };
    this.requests.add(seen);
    return seen;
  }
}

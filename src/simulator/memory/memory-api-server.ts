import type { Instant } from '../../domain/time.ts';
import { ApiRefusal, badRequest, internalError } from '../store/api-refusal.ts';
import { asObject } from '../store/kube-object.ts';
import { bearerOf } from '../api/access.ts';
import { readApiRequest } from '../api/api-request.ts';
import { ApiServer, type ApiServerOptions } from '../api/api-server.ts';
import type { Affects, Fault } from '../api/faults.ts';
import type { Body } from '../api/resource-answer.ts';
import type { WatchSink } from '../api/watch-sink.ts';
import { answerByFault } from './answer-by-fault.ts';
import type { StruckFault } from './fate.ts';

/** Names of headers are in lower case. */
export type MemoryRequest = Readonly<{
  method: string;
  /** With its query. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}>;

export type MemoryAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

/** What a server does with a request: it answers, opens a watch, says nothing, or cuts the connection within the answer. */
export type Reception = MemoryAnswer | 'watch' | 'silence' | 'cut';

/** A Kubernetes API server that is called in memory: the same rules as on the wire, without sockets, TLS and threads, so that time can be virtual. */
export class MemoryApiServer extends ApiServer {
  readonly url: string;
  /** By how much its watches are behind etcd, in ms: that of its watch cache. What it reads for a GET or a list comes from etcd. */
  lag = 0;
  #isUp = false;
  #fault: Readonly<{ fault: Fault; affects: Affects }> | undefined;
  readonly #cuts = new Set<() => void>();
  /** The date of its answers, which is the same for a second. */
  #date = '';
  #second = NaN;

  constructor(options: ApiServerOptions, url: string) {
    super(options);
    this.url = url;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** It is up, answers, and shows in its watches what is. */
  get isWell(): boolean {
    return this.#isUp && this.#fault === undefined && this.lag === 0;
  }

  async up(): Promise<void> {
    if (!this.#isUp) this.startAfresh();
    this.#isUp = true;
  }

  async down(): Promise<void> {
    this.#isUp = false;
    this.cutAll();
  }

  /** Ends, and is there again at once. */
  restart(): void {
    this.startAfresh();
    this.abandonWatches();
    this.cutAll();
  }

  /** Cuts all connections. */
  cutAll(): void {
    for (const cut of this.#cuts) cut();
  }

  /** `cut` is called where the server cuts its connections, until the returned function is called. */
  onCut(cut: () => void): () => void {
    this.#cuts.add(cut);
    return () => this.#cuts.delete(cut);
  }

  /** A fault of all requests befalls open watches, too. */
  setFault(fault: Fault, affects?: Affects): void {
    this.#fault = { fault, affects: affects ?? (() => true) };
    if (affects !== undefined) return;
    for (const watch of this.openWatches) {
      if (fault.kind === 'hang') watch.pause();
      else watch.resume();
    }
  }

  clearFault(): void {
    const hung = this.#fault?.fault.kind === 'hang';
    this.#fault = undefined;
    for (const watch of this.openWatches) watch.resume();
    if (hung) this.cutAll();
  }

  /** Takes one request; `sentAt` is when its client sent it. The events of a watch go to `sink`. */
  receive(
    request: MemoryRequest,
    sentAt: Instant,
    sink: () => WatchSink,
    struck: (fault: StruckFault) => void = () => undefined,
  ): Reception {
    const { store } = this.storage;
    try {
      const ask = readApiRequest(request, this.kinds);
      const user = bearerOf(request.headers['authorization'], this.tokens);
      const seen = this.note(ask, user, 0);
      const { fault, affects } = this.#fault ?? {};
      if (fault !== undefined && affects?.(seen) === true) {
        struck(`server ${fault.kind}`);
        return answerByFault(fault);
      }
      store.writer = user === undefined ? undefined : { user, sentAt };
      const answer = this.answer(ask, user, bodyOf(request));
      if (!('code' in answer)) {
        this.follow(answer, sink());
        return 'watch';
      }
      return 'json' in answer
        ? this.#sent(answer.code, 'application/json', answer.json)
        : this.#sent(answer.code, 'text/plain; charset=utf-8', answer.text);
    } catch (error) {
      const refusal = error instanceof ApiRefusal ? error : internalError(error);
      const { retryAfterSeconds } = asObject(refusal.status['details']);
      const wait = typeof retryAfterSeconds === 'number' ? { 'retry-after': String(retryAfterSeconds) } : undefined;
      return this.#sent(refusal.code, 'application/json', `${JSON.stringify(refusal.status)}\n`, wait);
    } finally {
      store.writer = undefined;
    }
  }

  /** Heads of an answer; the date is by its own clock. */
  headers(type: string): Readonly<Record<string, string>> {
    const second = Math.floor((this.storage.clock.now() + this.clockAhead) / 1_000);
    if (second !== this.#second) this.#date = new Date(second * 1_000).toUTCString();
    this.#second = second;
    return { date: this.#date, 'content-type': type };
  }

  #sent(status: number, type: string, body: string, more?: Readonly<Record<string, string>>): MemoryAnswer {
    const headers = this.headers(type);
    return { status, headers: more === undefined ? headers : { ...headers, ...more }, body };
  }
}

function bodyOf({ headers, body = '' }: MemoryRequest): Body {
  const said = headers['content-type'] ?? 'application/json';
  const type = said.includes(';') ? (said.split(';')[0]?.trim() ?? '') : said.trim();
  if (body === '') return { type, content: undefined };
  try {
    return { type, content: JSON.parse(body) };
  } catch (cause) {
    throw badRequest(`couldn't get version/kind; json parse error: ${String(cause)}`);
  }
}

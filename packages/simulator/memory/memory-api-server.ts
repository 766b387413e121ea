import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { bearerOf } from '../api/access.ts';
import { readApiRequest } from '../api/api-request.ts';
import { ApiServer, type ApiServerOptions } from '../api/api-server.ts';
import type { Affects, Fault } from '../api/faults.ts';
import { answerReply, bodyOf, faultReply, refusalReply, type Reply } from '../api/reply.ts';
import type { WatchSink } from '../api/watch-sink.ts';
import type { StruckFault } from './fate.ts';

/** Names of headers are in lower case. */
export type MemoryRequest = Readonly<{
  method: string;
  /** With its query. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}>;

/** What a server does with a request: it answers, opens a watch, says nothing, or cuts the connection within the answer. */
export type Reception = Reply | 'watch' | 'silence' | 'cut';

/** A Kubernetes API server that is called in memory: the same rules as on the wire, without sockets, TLS and threads, so that time can be virtual. */
export class MemoryApiServer extends ApiServer {
  readonly url: string;
  /** By how much its watches are behind etcd, in ms: that of its watch cache. What it reads for a GET or a list comes from etcd. */
  lag = 0;
  #isUp = false;
  /** How often it began. */
  #process = 0;
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
    if (!this.#isUp) this.#begin();
    this.#isUp = true;
  }

  async down(): Promise<void> {
    this.#isUp = false;
    this.cutAll();
  }

  /** Ends, and is there again at once. */
  restart(): void {
    this.#begin();
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

  /** A fault of all requests strikes open watches, too. */
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
        return receptionBy(fault);
      }
      store.writer = user === undefined ? undefined : { user, sentAt };
      const answer = this.answer(ask, user, bodyOf(request.headers['content-type'], request.body));
      if (!('code' in answer)) {
        this.follow(answer, sink());
        return 'watch';
      }
      return this.#dated(answerReply(answer));
    } catch (error) {
      return this.#dated(refusalReply(error));
    } finally {
      store.writer = undefined;
    }
  }

  #begin(): void {
    this.#process += 1;
    this.startAfresh();
  }

  /** Heads of an answer; the date is by its own clock. No TLS is spoken: `process` stands for the keys of its tickets, which it has in memory alone. */
  headers(type: string): Readonly<Record<string, string>> {
    const second = Math.floor((this.storage.clock.now() + this.dateAhead) / 1_000);
    if (second !== this.#second) this.#date = new Date(second * 1_000).toUTCString();
    this.#second = second;
    return { date: this.#date, 'content-type': type, process: String(this.#process) };
  }

  #dated({ headers, ...reply }: Reply): Reply {
    return { ...reply, headers: { ...headers, ...this.headers(headers['content-type'] ?? '') } };
  }
}

/** Throws for what only bytes on a wire can say. */
function receptionBy(fault: Fault): Reception {
  if (fault.kind === 'hang') return 'silence';
  if (fault.kind === 'cut') return 'cut';
  const said = faultReply(fault);
  if (said === undefined) throw new Error(`a server in memory has no fault '${fault.kind}'`);
  return said;
}

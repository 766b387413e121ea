import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { knownUserOf } from './access.ts';
import { readApiRequest, readBody } from './api-request.ts';
import { ApiServer, type ApiServerOptions } from './api-server.ts';
import type { ServingCertificates } from './certificates.ts';
import { answerWithFault, sendReply, type Affects, type Fault } from './faults.ts';
import { answerReply, refusalReply } from './reply.ts';
import { LoopbackListener } from './loopback-listener.ts';
import { wireSink } from './watch-sink.ts';

/** A Kubernetes API server on 127.0.0.1, over TLS and HTTP/1.1. */
export class EmbeddedApiServer extends ApiServer {
  /** Each answer, or each of those, waits so long, by the simulated clock. */
  latency: Millis = 0;
  isSlow: Affects = () => true;
  /** Closes the connection after each answer, as some proxies do. */
  closesAfterAnswer = false;
  readonly #listener: LoopbackListener;
  readonly #unanswered = new Set<ServerResponse>();
  #fault: Readonly<{ fault: Fault; affects: Affects }> | undefined;

  constructor(options: ApiServerOptions) {
    super(options);
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

  /** Requests that a fault left without an answer, and whose clients still wait. */
  get unanswered(): number {
    return this.#unanswered.size;
  }

  up(): Promise<void> {
    return this.#listener.up();
  }

  down(): Promise<void> {
    this.startAfresh();
    return this.#listener.down();
  }

  /** Shows these certificates from now on, whatever the kubeconfigs trust. */
  show(certificates: ServingCertificates): void {
    this.#listener.show(certificates);
  }

  setFault(fault: Fault, affects: Affects = () => true): void {
    this.#fault = { fault, affects };
    this.#listener.silent = fault.kind === 'hang' && fault.at === 'handshake';
    for (const watch of this.openWatches) {
      if (fault.kind === 'hang') watch.pause();
      else watch.resume();
    }
  }

  clearFault(): void {
    this.#fault = undefined;
    this.#listener.silent = false;
    for (const response of this.#unanswered) response.destroy();
    for (const watch of this.openWatches) watch.resume();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache, private');
    // By the simulated clock, which may run faster than the machine's: it is a second opinion on what time it is (SPEC 5.1).
    response.setHeader('Date', new Date(this.storage.clock.now() + this.dateAhead).toUTCString());
    if (this.closesAfterAnswer) response.shouldKeepAlive = false;
    try {
      const ask = readApiRequest(request, this.kinds);
      const user = knownUserOf(request, this.tokens);
      const seen = this.note(ask, user, this.#listener.connectionOf(request));
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
      if (this.latency > 0 && this.isSlow(seen))
        await new Promise<void>((after) => void this.agenda.after(this.latency, () => after()));
      const answer = this.answer(ask, user, body);
      if ('code' in answer) sendReply(response, answerReply(answer));
      else this.follow(answer, wireSink(response));
    } catch (error) {
      if (!response.destroyed) sendReply(response, refusalReply(error));
    }
  }
}

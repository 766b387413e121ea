import type { Dispatcher } from 'undici';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import {
  type KubeClient,
  type KubeRequest,
  type LaneName,
  type LinesRequest,
  type RequestSeen,
  unconditional,
  type WritePermission,
} from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { readLines, readBody } from '../reading/bounded-bytes.ts';
import { parseJson, tooLarge, transportError } from '../kube/request-failure.ts';
import type { RateLimit } from './rate-limit.ts';
import { RequestCut } from './request-cut.ts';
import { nameRequest, wordsOf, type RequestName, RequestSender } from './request-sender.ts';
import type { SeedConnection, Wire } from './seed-connection.ts';

/** A request that we held back ourselves: our rate limit made it wait, or too many waited in its lane already and it was refused. */
export type Held = Readonly<{ by: 'rate' | 'queue'; lane: LaneName }>;

export type SeedClientOptions = Readonly<{
  connection: SeedConnection;
  limit: RateLimit;
  clock: Clock;
  userAgent: string;
  /** Asked before every request that is no GET; without it, writes are always allowed. */
  permission?: WritePermission | undefined;
  /** Called for each request that was sent, once its outcome is known; for a watch, once it has opened. */
  onRequest?: (seen: RequestSeen) => void;
  /** The server answered 429. */
  onRequestThrottled?: () => void;
  onRequestHeld?: (held: Held) => void;
}>;

/** For a request without a `timeout`. */
const usualTimeout: Millis = 10_000;

/** Bytes of one answer. Lists are paged: 500 Machines of 10 KB, or 100 Clusters of 300 KB, stay below. */
export const largestAnswer: number = 32 * 1_048_576;

/** Bytes of a watch event. An object in etcd has at most 1.5 MB, and somewhat more as JSON. */
export const longestLine: number = 8 * 1_048_576;

/** The client of the seed's API server. It reuses connections and retries nothing. Every failure becomes a KubeError here. */
export class UndiciKubeClient implements KubeClient {
  readonly #options: SeedClientOptions;
  readonly #permission: WritePermission;
  readonly #sender: RequestSender;

  constructor(options: SeedClientOptions) {
    this.#options = options;
    this.#permission = options.permission ?? unconditional();
    this.#sender = new RequestSender({
      ...options,
      permission: this.#permission,
      onRequestThrottled: (refusal) => {
        options.limit.refused(refusal);
        options.onRequestThrottled?.();
      },
    });
  }

  async request(request: KubeRequest): Promise<unknown> {
    const name = nameRequest(request.method, request.path, request.query);
    const leave = await this.#admit(request, name);
    const cut = this.#cutFor(request, name);
    try {
      cut.allow(request.timeout ?? usualTimeout);
      const answer = await this.#sender.open(request, name, cut, ({ dispatcher }) => dispatcher);
      const { text, cutShort } = await cut.race(readBody(cut.hearing(answer.body), largestAnswer));
      if (cutShort) throw tooLarge(wordsOf(name), largestAnswer);
      const value = parseJson(wordsOf(name), text);
      this.#report(request, name, cut, String(answer.statusCode));
      return value;
    } catch (error) {
      const failure = this.#failed(request, name, cut, error);
      cut.abandon();
      throw failure;
    } finally {
      cut.letGo();
      leave();
    }
  }

  async *pieces(request: KubeRequest): AsyncGenerator<Buffer, void, undefined> {
    const name = nameRequest(request.method, request.path, request.query);
    const leave = await this.#admit(request, name);
    const cut = this.#cutFor(request, name);
    let isWhole = false;
    try {
      cut.allow(request.timeout ?? usualTimeout);
      const answer = await this.#open(request, name, cut, ({ dispatcher }) => dispatcher);
      for await (const piece of cut.hearing(answer.body)) yield piece;
      isWhole = true;
    } catch (error) {
      throw transportError(wordsOf(name), cut.explain(error));
    } finally {
      if (!isWhole) cut.abandon();
      cut.letGo();
      leave();
    }
  }

  async *lines(request: LinesRequest): AsyncGenerator<unknown, void, undefined> {
    const name = nameRequest(request.method, request.path, request.query);
    const leave = await this.#admit(request, name);
    const cut = this.#cutFor(request, name);
    try {
      // It counts as in flight until its head is there, and not for the minutes for which it is open.
      cut.allow(usualTimeout);
      const answer = await this.#open(request, name, cut, ({ watching }) => watching).finally(leave);
      cut.allowAnyLength();
      cut.allowSilence(request.inactivity);
      this.#options.connection.watches.add(cut);
      request.opened?.();
      const words = wordsOf(name);
      const lines = readLines(cut.hearing(answer.body), longestLine, () => tooLarge(words, longestLine));
      for await (const line of lines) if (line.trim() !== '') yield parseJson(words, line);
    } catch (error) {
      throw transportError(wordsOf(name), cut.explain(error));
    } finally {
      this.#options.connection.watches.delete(cut);
      cut.abandon();
      cut.letGo();
    }
  }

  /** As `RequestSender.open`, and reports the outcome. How the body ends is not part of that. */
  async #open(
    request: KubeRequest,
    name: RequestName,
    cut: RequestCut,
    over: (wire: Wire) => Dispatcher,
  ): Promise<Dispatcher.ResponseData> {
    try {
      const answer = await this.#sender.open(request, name, cut, over);
      this.#report(request, name, cut, String(answer.statusCode));
      return answer;
    } catch (error) {
      throw this.#failed(request, name, cut, error);
    }
  }

  async #admit(request: KubeRequest, name: RequestName): Promise<() => void> {
    const { method, lane = 'normal', by, signal, withdrawn } = request;
    const { limit, onRequestHeld } = this.#options;
    const signals = [signal, withdrawn, this.#writesEnded(request)].filter((one) => one !== undefined);
    const onHeld = (): void => onRequestHeld?.({ by: 'rate', lane });
    try {
      return await limit.admit({ lane, by, signals, onHeld, writes: method !== 'GET' });
    } catch (error) {
      const failure = transportError(wordsOf(name), error);
      if (failure.kind === 'overloaded') onRequestHeld?.({ by: 'queue', lane });
      throw new KubeError(failure.kind, `${wordsOf(name)} was not sent: ${failure.message}`, { cause: error });
    }
  }

  #cutFor(request: KubeRequest, name: RequestName): RequestCut {
    const signals = [request.signal, this.#writesEnded(request)].filter((one) => one !== undefined);
    return new RequestCut(this.#options.clock, wordsOf(name), signals);
  }

  #writesEnded({ method }: KubeRequest): AbortSignal | undefined {
    return method === 'GET' ? undefined : this.#permission.ended;
  }

  #failed(request: KubeRequest, name: RequestName, cut: RequestCut, error: unknown): KubeError {
    const failure = transportError(wordsOf(name), cut.explain(error));
    if (failure.kind !== 'withdrawn')
      this.#report(request, name, cut, failure.kind === 'status' ? String(failure.status) : failure.kind);
    return failure;
  }

  #report({ method }: KubeRequest, { verb, resource }: RequestName, { beganAt }: RequestCut, code: string): void {
    const { clock, onRequest } = this.#options;
    onRequest?.({ verb, resource, code, method, took: clock.now() - beganAt });
  }
}

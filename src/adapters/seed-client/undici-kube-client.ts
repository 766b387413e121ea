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
import { parseJson, tooLarge, transportError } from '../kube/request-failure.ts';
import { LineSplitter } from '../reading/bounded-bytes.ts';
import type { RateLimit } from './rate-limit.ts';
import { RequestCut } from './request-cut.ts';
import { nameRequest, requestSender, wordsOf, type Admitted, type Open } from './request-sender.ts';
import type { SeedConnection } from './seed-connection.ts';

/** A request that we held back ourselves: our rate limit made it wait, or too many waited in its lane already and it was refused. */
export type Held = Readonly<{ by: 'rate' | 'queue'; lane: LaneName }>;

export type SeedClientOptions = Readonly<{
  connection: SeedConnection;
  limit: RateLimit;
  clock: Clock;
  userAgent: string;
  /** For every request, also for one with a `timeout` of its own; for a watch, until it is open. */
  timeout?: Millis | undefined;
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

/** Bytes of one answer that is held whole. Lists are read in pieces. */
export const largestAnswer: number = 32 * 1_048_576;

/** Bytes of a watch event. An object in etcd has at most 1.5 MB, and somewhat more as JSON. */
export const longestLine: number = 8 * 1_048_576;

/** The client of the seed's API server. It reuses connections and retries nothing. Every failure becomes a KubeError here. */
export class UndiciKubeClient implements KubeClient {
  readonly #options: SeedClientOptions;
  readonly #permission: WritePermission;
  readonly #open: Open;

  constructor(options: SeedClientOptions) {
    this.#options = options;
    this.#permission = options.permission ?? unconditional();
    this.#open = requestSender({
      ...options,
      permission: this.#permission,
      onRequestThrottled: (refusal) => {
        options.limit.refused(refusal);
        options.onRequestThrottled?.();
      },
    });
  }

  async request(request: KubeRequest): Promise<unknown> {
    const { leave, ...admitted } = await this.#admit(request);
    const { cut, words } = admitted;
    try {
      cut.allow(this.#options.timeout ?? request.timeout ?? usualTimeout);
      const answer = await this.#open(admitted, ({ dispatcher }) => dispatcher);
      const { text, cutShort } = await answer.body.text(largestAnswer);
      if (cutShort) throw tooLarge(words, largestAnswer);
      const value = parseJson(words, text);
      this.#report(admitted, String(answer.status));
      return value;
    } catch (error) {
      const failure = this.#failed(admitted, error);
      cut.abandon();
      throw failure;
    } finally {
      cut.letGo();
      leave();
    }
  }

  async *pieces(request: KubeRequest): AsyncGenerator<Buffer, void, undefined> {
    const { leave, ...admitted } = await this.#admit(request);
    const { cut } = admitted;
    let isWhole = false;
    /** Of an answer that has not failed. Whoever leaves in the middle has seen enough of it. */
    let status: number | undefined;
    try {
      cut.allow(this.#options.timeout ?? request.timeout ?? usualTimeout);
      const { status: answered, body } = await this.#open(admitted, ({ dispatcher }) => dispatcher);
      status = answered;
      for (let piece = await body.next(); piece !== undefined; piece = await body.next()) yield piece;
      isWhole = true;
    } catch (error) {
      status = undefined;
      throw this.#failed(admitted, error);
    } finally {
      if (status !== undefined) this.#report(admitted, String(status));
      if (!isWhole) cut.abandon();
      cut.letGo();
      leave();
    }
  }

  async *lines(request: LinesRequest): AsyncGenerator<unknown, void, undefined> {
    const { leave, ...admitted } = await this.#admit(request, true);
    const { cut, words } = admitted;
    const { watches } = this.#options.connection;
    try {
      // It counts as in flight until its head is there, and not for the minutes for which it is open.
      cut.allow(this.#options.timeout ?? usualTimeout);
      const { body } = await this.#openAndReport(admitted, ({ watching }) => watching).finally(leave);
      cut.allowAnyLength();
      cut.allowSilence(request.inactivity);
      watches.add(cut);
      request.opened?.();
      const splitter = new LineSplitter(longestLine, () => tooLarge(words, longestLine));
      const lines: string[] = [];
      // A watch nearly always waits. No variable of it may hold a chunk meanwhile: it would keep the whole block of 64 KB into which Node reads.
      const hasMore = async (): Promise<boolean> => {
        const chunk = await body.next();
        for (const line of chunk === undefined ? [] : splitter.take(chunk)) lines.push(line);
        return chunk !== undefined;
      };
      while (await hasMore())
        for (let line = lines.shift(); line !== undefined; line = lines.shift())
          if (line.trim() !== '') yield parseJson(words, line);
      const rest = splitter.rest();
      if (rest.trim() !== '') yield parseJson(words, rest);
    } catch (error) {
      throw transportError(words, cut.explain(error));
    } finally {
      watches.delete(cut);
      cut.abandon();
      cut.letGo();
    }
  }

  /** How the body ends is not part of the outcome that is reported. */
  async #openAndReport(...[admitted, over]: Parameters<Open>): ReturnType<Open> {
    try {
      const answer = await this.#open(admitted, over);
      this.#report(admitted, String(answer.status));
      return answer;
    } catch (error) {
      throw this.#failed(admitted, error);
    }
  }

  /** Resolves when it is the request's turn. Whoever was admitted must let go of the cut, and leave. */
  async #admit(request: KubeRequest, watches = false): Promise<Admitted & Readonly<{ leave: () => void }>> {
    const { method, path, query, lane = 'normal', by, signal, withdrawn } = request;
    const { limit, clock, onRequestHeld } = this.#options;
    const name = nameRequest(method, path, query);
    const words = wordsOf(name);
    const writesEnd = method === 'GET' ? undefined : this.#permission.ended;
    const signals = [signal, withdrawn, writesEnd].filter((one) => one !== undefined);
    const onHeld = (): void => onRequestHeld?.({ by: 'rate', lane });
    try {
      const leave = await limit.admit({ lane, by, signals, onHeld, watches, writes: method !== 'GET' });
      const cutting = [signal, writesEnd].filter((one) => one !== undefined);
      return { request, name, words, cut: new RequestCut(clock, words, cutting), leave };
    } catch (error) {
      const failure = transportError(words, error);
      if (failure.kind === 'overloaded') onRequestHeld?.({ by: 'queue', lane });
      throw new KubeError(failure.kind, `${words} was not sent: ${failure.message}`, { cause: error });
    }
  }

  #failed(admitted: Admitted, error: unknown): KubeError {
    const failure = transportError(admitted.words, admitted.cut.explain(error));
    if (failure.kind !== 'withdrawn')
      this.#report(admitted, failure.kind === 'status' ? String(failure.status) : failure.kind);
    return failure;
  }

  #report({ request: { method }, name: { verb, resource }, cut: { beganAt } }: Admitted, code: string): void {
    const { clock, onRequest } = this.#options;
    onRequest?.({ verb, resource, code, method, took: clock.now() - beganAt });
  }
}

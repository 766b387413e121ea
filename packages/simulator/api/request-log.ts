import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Verb } from './api-request.ts';

/** One request that reached an API server, whether it was answered or not. */
export type SeenRequest = Readonly<{
  at: Instant;
  /** Empty where the credentials belong to nobody. */
  user: string;
  verb: Verb;
  /** `deployments`, `deployments/scale`; the path (`/version`) where it is no resource. */
  resource: string;
  namespace: string;
  name: string;
  /** The query as it came, without `?`. */
  query: string;
  /** Counts the TLS connections of this server from 1. */
  connection: number;
}>;

/** The requests to an API server: at least the latest `kept`, at most twice as many, so that days need no more memory than hours. */
export class RequestLog {
  readonly #kept: number;
  #seen: SeenRequest[] = [];
  #count = 0;

  constructor(kept: number) {
    this.#kept = kept;
  }

  /** All there ever were. */
  get count(): number {
    return this.#count;
  }

  /** The latest, oldest first. */
  get all(): readonly SeenRequest[] {
    return this.#seen;
  }

  /** Those after the first `count`, oldest first, as far as they are still kept. */
  after(count: number): readonly SeenRequest[] {
    return this.#seen.slice(Math.max(0, this.#seen.length - (this.#count - count)));
  }

  add(request: SeenRequest): void {
    this.#count += 1;
    this.#seen.push(request);
    if (this.#seen.length > 2 * this.#kept) this.#seen = this.#seen.slice(-this.#kept);
  }

  /** Takes what was seen since the last time, and forgets it. */
  take(): readonly SeenRequest[] {
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }
}

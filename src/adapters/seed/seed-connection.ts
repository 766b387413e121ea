import { Agent, type Dispatcher } from 'undici';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube-error.ts';
import { errorWords } from '../words/error-words.ts';
import type { CredentialSource, Credentials } from './credentials.ts';
import { normalInFlight, urgentInFlight } from './rate-limit.ts';

/** One way to the API server: kept connections, and the headers of today. */
export type Wire = Readonly<{
  dispatcher: Dispatcher;
  origin: string;
  /** Goes before every path; empty unless the server stands behind a proxy. */
  basePath: string;
  headers: Readonly<Record<string, string>>;
}>;

/** As client-go re-reads a projected token. */
const credentialsLast: Millis = 60_000;

/** A server that answers 401 to everything must not have us run an exec plugin for each request. */
const distrustAtMostEvery: Millis = 5_000;

/**
 * So many watches find a connection beside all the requests that may be in flight. HTTP/1.1: each takes one, and a
 * request that found none would wait where no limit of ours sees it.
 */
const watches = 100;

type Kept = Readonly<{ wire: Wire; credentials: Credentials; readAt: Instant }>;

/** Keeps one undici Agent for the seed, and the credentials up to date. Only changed TLS material makes a new Agent. */
export class SeedConnection {
  readonly #source: CredentialSource;
  readonly #clock: Clock;
  readonly #warn: (line: string) => void;
  #kept: Kept | undefined;
  #reading: Promise<Kept> | undefined;
  /** Under way because what there was has been refused; everybody waits for it. */
  #replacing: Promise<Kept> | undefined;
  #distrusted = false;

  /** `warn` hears when credentials cannot be read again and the former ones are used on. */
  constructor(source: CredentialSource, clock: Clock, warn: (line: string) => void = () => undefined) {
    this.#source = source;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** Rejects with KubeError where there have never been readable credentials. */
  async wire(): Promise<Wire> {
    const kept = this.#kept;
    if (kept === undefined) return (await this.#read(false)).wire;
    const age = this.#clock.now() - kept.readAt;
    if (this.#distrusted && age >= distrustAtMostEvery) {
      this.#distrusted = false;
      this.#replacing = this.#readOrKeep(true, kept).finally(() => {
        this.#replacing = undefined;
      });
    }
    if (this.#replacing !== undefined) return (await this.#replacing).wire;
    // Nobody waits for files, or for an exec plugin, while what there is has not been refused.
    if (age >= credentialsLast && this.#reading === undefined) void this.#readOrKeep(false, kept);
    return kept.wire;
  }

  /** The server answered 401: the credentials are read afresh before the next request. */
  distrust(): void {
    this.#distrusted = true;
  }

  /** Cuts what is still open. */
  async close(): Promise<void> {
    await this.#kept?.wire.dispatcher.destroy();
  }

  async #readOrKeep(fresh: boolean, kept: Kept): Promise<Kept> {
    try {
      return await this.#read(fresh);
    } catch (error) {
      this.#warn(errorWords(error));
      // Tried again after the usual time, not with every request.
      this.#kept = { ...kept, readAt: this.#clock.now() };
      return kept;
    }
  }

  #read(fresh: boolean): Promise<Kept> {
    this.#reading ??= this.#readNow(fresh).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(fresh: boolean): Promise<Kept> {
    let credentials: Credentials;
    try {
      credentials = await this.#source.read(fresh);
    } catch (error) {
      throw new KubeError('unreachable', `no credentials for the seed: ${errorWords(error)}`, { cause: error });
    }
    const before = this.#kept;
    this.#kept = { credentials, readAt: this.#clock.now(), wire: wireOf(credentials, before) };
    if (before !== undefined && before.wire.dispatcher !== this.#kept.wire.dispatcher) {
      // What is in flight, watches above all, ends on the old connections.
      void before.wire.dispatcher.close().catch(() => undefined);
    }
    return this.#kept;
  }
}

function wireOf(credentials: Credentials, before: Kept | undefined): Wire {
  const url = new URL(credentials.server);
  const same = before !== undefined && JSON.stringify(before.credentials.tls) === JSON.stringify(credentials.tls);
  return {
    dispatcher: same ? before.wire.dispatcher : agentFor(credentials),
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    headers: credentials.headers,
  };
}

function agentFor({ tls }: Credentials): Agent {
  return new Agent({
    // Over HTTP/2 a half-open connection looks alive for a minute, and takes every request with it.
    allowH2: false,
    connections: urgentInFlight + normalInFlight + watches,
    pipelining: 1,
    // A connection that a load balancer has dropped in silence costs a write its whole time-out: keep none for long.
    keepAliveTimeout: 4_000,
    // Time is measured by the Clock port, which may run faster; these would be real time.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      ...tls,
      // Only so that an address which never answers lets go of its place in the pool.
      timeout: 10_000,
      // The default of 250 ms gives up on a seed that is merely far away or busy.
      autoSelectFamilyAttemptTimeout: 2_500,
      keepAlive: true,
      keepAliveInitialDelay: 15_000,
    },
  });
}

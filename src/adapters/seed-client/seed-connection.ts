import { createSecureContext, type SecureContext } from 'node:tls';
import { Pool, type Dispatcher } from 'undici';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import { errorWords } from '../words/error-words.ts';
import type { CredentialSource, Credentials, TlsMaterial } from '../credentials/credentials.ts';
import type { RequestCut } from './request-cut.ts';
import { normalInFlight, urgentInFlight } from './rate-limit.ts';

/** One way to the API server: kept connections, and the headers of today. */
export type Wire = Readonly<{
  dispatcher: Dispatcher;
  /** For what is open for minutes: over HTTP/1.1 each takes a connection, and must not keep a request from finding one. */
  watching: Dispatcher;
  origin: string;
  /** Goes before every path; empty unless the server stands behind a proxy. */
  basePath: string;
  headers: Readonly<Record<string, string>>;
}>;

/** As client-go re-reads a projected token. */
const credentialsLast: Millis = 60_000;

/** A server that answers 401 to everything must not have us run an exec plugin for each request. */
const distrustAtMostEvery: Millis = 5_000;

/** A seed that is merely slow must not have all its watches opened anew with each request that it answers late. */
const doubtAtMostEvery: Millis = 10_000;

/**
 * Watches that are open at a time: in a seed-wide recovery a weeder has one for each service and selector, 750 where 250
 * shoots have three. It protects the API server and our file descriptors; who finds no connection waits, and says so.
 */
const mostWatches = 4_000;

type Kept = Readonly<{ wire: Wire; trust: Trust; credentials: Credentials; readAt: Instant }>;

/** Keeps the connections to the seed, and the credentials up to date. Only another server, or changed TLS material, makes new connections. */
export class SeedConnection {
  /** Those that are open; kept by who opens them. */
  readonly watches: Set<RequestCut> = new Set();
  readonly #source: CredentialSource;
  readonly #clock: Clock;
  readonly #warn: (line: string) => void;
  #kept: Kept | undefined;
  #reading: Promise<Kept> | undefined;
  /** Under way because what there was has been refused; everybody waits for it. */
  #replacing: Promise<Kept> | undefined;
  #distrusted = false;
  #doubtedAt: Instant = -Infinity;

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

  /**
   * Nothing came back over one of these connections since `askedAt`: the others may be as dead, and each would cost somebody the same
   * wait. What follows goes over new ones (SPEC 6.11), what is in flight ends where it is, and watches that have said nothing
   * since are cut, to be opened anew.
   */
  replace(dispatcher: Dispatcher, askedAt: Instant): void {
    const kept = this.#kept;
    // Whoever was sent over the same ones may have said so before.
    if (kept === undefined || kept.wire.dispatcher !== dispatcher) return;
    this.#kept = { ...kept, wire: { ...kept.wire, dispatcher: requestPool(kept.wire.origin, kept.trust) } };
    void dispatcher.close().catch(() => undefined);
    const now = this.#clock.now();
    if (now - this.#doubtedAt < doubtAtMostEvery && now >= this.#doubtedAt) return;
    this.#doubtedAt = now;
    for (const watch of this.watches) if (watch.heardAt < askedAt) watch.abandon();
  }

  /** Cuts what is still open. */
  async close(): Promise<void> {
    const wire = this.#kept?.wire;
    await Promise.all([wire?.dispatcher.destroy(), wire?.watching.destroy()]);
  }

  async #readOrKeep(fresh: boolean, kept: Kept): Promise<Kept> {
    try {
      return await this.#read(fresh);
    } catch (error) {
      this.#warn(errorWords(error));
      // Tried again after the usual time, not with every request.
      this.#kept = { ...(this.#kept ?? kept), readAt: this.#clock.now() };
      return this.#kept;
    }
  }

  #read(fresh: boolean): Promise<Kept> {
    this.#reading ??= this.#readNow(fresh).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(fresh: boolean): Promise<Kept> {
    let before: Kept | undefined;
    let kept: Kept;
    try {
      const credentials = await this.#source.read(fresh);
      // Only now: the connections may have been replaced meanwhile.
      before = this.#kept;
      kept = keep(credentials, before, this.#clock.now());
    } catch (error) {
      throw new KubeError('unreachable', `no credentials for the seed: ${errorWords(error)}`, { cause: error });
    }
    this.#kept = kept;
    if (before !== undefined && before.wire.dispatcher !== kept.wire.dispatcher) {
      // What is in flight, watches above all, ends on the old connections.
      for (const old of [before.wire.dispatcher, before.wire.watching]) void old.close().catch(() => undefined);
    }
    return kept;
  }
}

function keep(credentials: Credentials, before: Kept | undefined, readAt: Instant): Kept {
  const { server, tls, headers } = credentials;
  const { origin, pathname } = new URL(server);
  const basePath = pathname.replace(/\/+$/, '');
  if (before?.wire.origin === origin && JSON.stringify(before.credentials.tls) === JSON.stringify(tls))
    return { ...before, credentials, readAt, wire: { ...before.wire, basePath, headers } };
  // Said aloud: an environment variable could else turn the looking at certificates off.
  const { ca, cert, key, rejectUnauthorized = true, ...peer } = tls;
  // Read once: each connection would else read the authorities for itself, and keep them.
  const trust = { secureContext: createSecureContext({ ca, cert, key }), rejectUnauthorized, ...peer };
  const pools = { dispatcher: requestPool(origin, trust), watching: poolOf(origin, trust, mostWatches) };
  return { credentials, readAt, trust, wire: { ...pools, origin, basePath, headers } };
}

/** TLS material that has been read. */
type Trust = Readonly<{ secureContext: SecureContext }> & Pick<TlsMaterial, 'servername' | 'rejectUnauthorized'>;

function requestPool(origin: string, trust: Trust): Pool {
  return poolOf(origin, trust, urgentInFlight + normalInFlight);
}

function poolOf(origin: string, trust: Trust, connections: number): Pool {
  // An Agent would destroy its pool, and what has just been asked of it, when the last connection breaks.
  return new Pool(origin, {
    // Over HTTP/2 a half-open connection looks alive for a minute, and takes every request with it.
    allowH2: false,
    connections,
    pipelining: 1,
    // A connection that a load balancer has dropped in silence costs a write its whole time-out: keep none for long.
    keepAliveTimeout: 4_000,
    // Time is measured by the Clock port, which may run faster; these would be real time.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      ...trust,
      // Only so that an address which never answers lets go of its place in the pool.
      timeout: 10_000,
      // The default of 250 ms gives up on a seed that is merely far away or busy.
      autoSelectFamilyAttemptTimeout: 2_500,
      keepAlive: true,
      keepAliveInitialDelay: 15_000,
    },
  });
}

import { createSecureContext, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import { errorWords } from '../words/plain-words.ts';
import type { CredentialSource, Credentials, TlsMaterial } from '../credentials/credentials.ts';
import { refusalWords, certificateWords } from './refusal-words.ts';
import type { RequestCut } from './request-cut.ts';
import { undiciPool, type Dial } from './undici-pool.ts';
import { mostInFlight } from './rate-limit.ts';

/** The way to the API server: the open connections, and the present headers. */
export type Wire = Readonly<{
  dispatcher: Dispatcher;
  /** For watches, which are open for minutes. Over HTTP/1.1 each takes a connection, which must not be missing for requests. */
  watching: Dispatcher;
  origin: string;
  /** The prefix of every path; empty unless the server stands behind a proxy. */
  basePath: string;
  headers: Readonly<Record<string, string | string[]>>;
}>;

/** client-go reads a projected token again after the same time. */
const credentialsLast: Millis = 60_000;

/** If a server answers 401 to everything, we must not run an exec plugin for each request. */
const distrustAtMostEvery: Millis = 5_000;

/** If a seed is only slow, we must not open all watches anew with each late answer. */
const doubtAtMostEvery: Millis = 10_000;

/** A server whose certificate does not verify is asked again and again, and shows the same one each time. */
const lookAgainAfter: Millis = 60_000;

/**
 * Watches that are open at the same time: in a seed-wide recovery a weeder has one for each namespace. It protects the API server and our file descriptors. A watch that finds no connection waits, and reports that.
 */
const mostWatches = 4_000;

type Kept = Readonly<{ wire: Wire; trust: Trust; credentials: Credentials; readAt: Instant }>;

/** Holds the connections to the seed, and keeps the credentials up to date. New connections are only made for another server or changed TLS material. */
export class SeedConnection {
  /** The open watches; the client that opens them writes this set. */
  readonly watches: Set<RequestCut> = new Set();
  readonly #source: CredentialSource;
  readonly #clock: Clock;
  readonly #onReadAgain: (problem: string | undefined) => void;
  readonly #dial: Dial;
  #kept: Kept | undefined;
  #reading: Promise<Kept> | undefined;
  /** Under way since the former credentials were refused; everybody waits for it. */
  #replacing: Promise<Kept> | undefined;
  #distrusted = false;
  #doubtedAt: Instant = -Infinity;
  #untrusted: Readonly<{ code: string; server: string; at: Instant; words: Promise<string> }> | undefined;

  /** `onReadAgain` is called each time that the credentials were to be read again, with the problem where the former ones stay in use. */
  constructor(
    source: CredentialSource,
    clock: Clock,
    onReadAgain: (problem: string | undefined) => void = () => undefined,
    dial: Dial = undiciPool,
  ) {
    this.#source = source;
    this.#clock = clock;
    this.#onReadAgain = onReadAgain;
    this.#dial = dial;
  }

  /** A promise where credentials have to be read first; it rejects with KubeError where they could never be read. */
  wire(): Wire | Promise<Wire> {
    const kept = this.#kept;
    if (kept === undefined) return this.#read(false).then(({ wire }) => wire);
    const age = this.#clock.now() - kept.readAt;
    if (this.#distrusted && age >= distrustAtMostEvery) {
      this.#distrusted = false;
      this.#replacing = this.#readOrKeep(true, kept).finally(() => {
        this.#replacing = undefined;
      });
    }
    if (this.#replacing !== undefined) return this.#replacing.then(({ wire }) => wire);
    // While the present credentials are not refused, nobody waits for files or for an exec plugin.
    if (age >= credentialsLast && this.#reading === undefined) void this.#readOrKeep(false, kept);
    return kept.wire;
  }

  /** The server answered 401, so the credentials are read afresh before the next request. */
  distrust(): void {
    this.#distrusted = true;
  }

  /** What may be wrong with the present credentials, to which the server answered 401. */
  whyRefused(): string {
    const credentials = this.#kept?.credentials;
    return credentials === undefined ? '' : refusalWords(credentials, this.#source.origin, this.#clock.now());
  }

  /** What is wrong with the server's certificate, by the code of TLS. The server is looked at no more than once a minute. */
  async whyUntrusted(code: string): Promise<string> {
    const credentials = this.#kept?.credentials;
    if (credentials === undefined) return code;
    const { server } = credentials;
    const now = this.#clock.now();
    const before = this.#untrusted;
    if (before?.code === code && before.server === server && now - before.at < lookAgainAfter) return before.words;
    const parts = { code, credentials, origin: this.#source.origin, clock: this.#clock };
    this.#untrusted = { code, server, at: now, words: certificateWords(parts) };
    return this.#untrusted.words;
  }

  /**
   * Nothing came back over one of these connections since `askedAt`. The others may be dead too, and each would cost somebody the same
   * wait. So the following requests go over new connections (SPEC 6.11). Those in flight end on the old ones. Watches that have shown
   * nothing since `askedAt` are cut, to be opened anew.
   */
  replace(dispatcher: Dispatcher, askedAt: Instant): void {
    const kept = this.#kept;
    // Another request over the same connections may have reported this before.
    if (kept === undefined || kept.wire.dispatcher !== dispatcher) return;
    this.#kept = {
      ...kept,
      wire: { ...kept.wire, dispatcher: this.#poolOf(kept.wire.origin, kept.trust, mostInFlight) },
    };
    void dispatcher.close().catch(() => undefined);
    const now = this.#clock.now();
    if (now - this.#doubtedAt < doubtAtMostEvery && now >= this.#doubtedAt) return;
    this.#doubtedAt = now;
    for (const watch of this.watches) if (watch.heardAt < askedAt) watch.abandon();
  }

  /** Cuts all open connections. */
  async close(): Promise<void> {
    const wire = this.#kept?.wire;
    await Promise.all([wire?.dispatcher.destroy(), wire?.watching.destroy()]);
  }

  async #readOrKeep(fresh: boolean, kept: Kept): Promise<Kept> {
    try {
      const read = await this.#read(fresh);
      this.#onReadAgain(undefined);
      return read;
    } catch (error) {
      this.#onReadAgain(error instanceof KubeError ? error.why : errorWords(error));
      // The next try comes after the usual time, not with every request.
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
      // Read only now, since the connections may have been replaced meanwhile.
      before = this.#kept;
      kept = this.#renewed(credentials, before, this.#clock.now());
    } catch (error) {
      const why = errorWords(error);
      throw new KubeError('unreachable', `no credentials for the seed: ${why}`, { why, cause: error });
    }
    this.#kept = kept;
    if (before !== undefined && before.wire.dispatcher !== kept.wire.dispatcher) {
      // Requests in flight, and above all watches, end on the old connections.
      for (const old of [before.wire.dispatcher, before.wire.watching]) void old.close().catch(() => undefined);
    }
    return kept;
  }

  #renewed(credentials: Credentials, before: Kept | undefined, readAt: Instant): Kept {
    const { server, tls, headers } = credentials;
    const { origin, pathname } = new URL(server);
    const basePath = pathname.replace(/\/+$/, '');
    if (before?.wire.origin === origin && JSON.stringify(before.credentials.tls) === JSON.stringify(tls))
      return { ...before, credentials, readAt, wire: { ...before.wire, basePath, headers } };
    // Set explicitly, since an environment variable could otherwise turn the check of certificates off.
    const { ca, cert, key, rejectUnauthorized = true, ...peer } = tls;
    // Made once; otherwise each connection would parse and hold the authorities itself.
    // Whatever stands in the bundle is an anchor, as it is for Go: an intermediate alone, or the server's own certificate.
    const secureContext = createSecureContext({ ca, cert, key, allowPartialTrustChain: true });
    const trust = { secureContext, rejectUnauthorized, ...peer };
    const pools = {
      dispatcher: this.#poolOf(origin, trust, mostInFlight),
      watching: this.#poolOf(origin, trust, mostWatches),
    };
    return { credentials, readAt, trust, wire: { ...pools, origin, basePath, headers } };
  }

  #poolOf(origin: string, trust: Trust, connections: number): Dispatcher {
    // An Agent would destroy its pool, with the requests that were just given to it, when the last connection breaks.
    return this.#dial(origin, {
      // With HTTP/2 a half-open connection looks alive for a minute, and every request over it is lost.
      allowH2: false,
      connections,
      pipelining: 1,
      // A connection that a load balancer has dropped in silence costs a write its whole time-out. So none is kept for long.
      keepAliveTimeout: 4_000,
      // Time is measured by the Clock port, which may run faster; undici's own time-outs would use real time.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        ...trust,
        // Only so that an address that never answers frees its place in the pool.
        timeout: 10_000,
        // The default of 250 ms is too short for a seed that is far away or busy.
        autoSelectFamilyAttemptTimeout: 2_500,
        keepAlive: true,
        keepAliveInitialDelay: 15_000,
      },
    });
  }
}

/** TLS material that has been parsed. */
type Trust = Readonly<{ secureContext: SecureContext }> & Pick<TlsMaterial, 'servername' | 'rejectUnauthorized'>;

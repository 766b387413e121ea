import type { Millis } from '../../domain/time.ts';

export type KubeRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, already encoded: `/apis/apps/v1/namespaces/x/deployments/y`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Of the body; `application/json` unless told (a PATCH tells). */
  contentType?: string;
  /** Rides in the bucket of the scale-downs (SPEC 1.2). */
  urgent?: boolean;
  /** From sending to the last byte; 10 s unless told. */
  timeout?: Millis;
  /** Aborted while the request waits for the rate limit: it is never sent. Aborted later: the connection is cut. */
  signal?: AbortSignal;
  /** Aborted while the request waits for the rate limit: it is never sent. Later it changes nothing. */
  withdrawn?: AbortSignal;
}>;

/** The seed's API server, authenticated, rate-limited, counted. The only way the program speaks to the seed. */
export interface KubeClient {
  /** The parsed JSON of a 2xx answer. Rejects with KubeError, and with nothing else. */
  request(request: KubeRequest): Promise<unknown>;
  /**
   * The body of a 2xx answer, piece by piece, for a list whose length or content a stranger decides: what is not asked for
   * is not read. Throws KubeError. Leaving the loop cuts the connection.
   */
  pieces(request: KubeRequest): AsyncIterable<Buffer>;
  /**
   * Each line of a long GET (a watch), parsed. Ends when the server ends it; throws KubeError. Leaving the loop cuts the connection.
   * `opened` is called when a 2xx has arrived, which may be long before the first line; it is waited for as long as for any answer.
   */
  lines(request: LinesRequest): AsyncIterable<unknown>;
}

export type LinesRequest = Omit<KubeRequest, 'timeout'> & Readonly<{ inactivity: Millis; opened?: () => void }>;

/** What each answered or failed request was, for `dwd_seed_api_requests_total`. `code` is the status, or a word where none came. */
export type RequestSeen = Readonly<{ verb: string; resource: string; code: string }>;

/** Whether this process may write to the seed at all: only the leader does (SPEC S6), and nobody who is ending (SPEC 1.4). */
export interface WritePermission {
  /** Looked at in the very moment before a write is sent. */
  granted(): boolean;
  /** Aborted when the permission ends for good; cuts writes in flight. */
  readonly ended: AbortSignal;
}

/** For a process that runs without leader election. */
export const unconditional: WritePermission = { granted: () => true, ended: new AbortController().signal };

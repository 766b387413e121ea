import type { Instant, Millis } from '../../domain/time.ts';

/**
 * Where a request waits for its turn (SPEC 1.2): `urgent` is the way down and the weeder's pods, `healing` the way up, `normal` the rest.
 */
export type LaneName = 'normal' | 'urgent' | 'healing';

export type KubeRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, already encoded: `/apis/apps/v1/namespaces/x/deployments/y`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Of the body. Defaults to `application/json`; a PATCH says which patch it is. */
  contentType?: string;
  /** `normal` by default. */
  lane?: LaneName;
  /** By when it is needed; of those that wait in a lane, the ones that are needed sooner go first (SPEC 1.2). */
  by?: Instant | undefined;
  /** From sending to the last byte; 10 s by default. */
  timeout?: Millis;
  /** If it is aborted while the request waits for the rate limit, the request is never sent. Later, the connection is cut. */
  signal?: AbortSignal;
  /** If it is aborted while the request waits for the rate limit, the request is never sent. Later, it changes nothing. */
  withdrawn?: AbortSignal | undefined;
}>;

/** The seed's API server, authenticated, rate-limited, counted. The only way the program speaks to the seed. */
export interface KubeClient {
  /** The parsed JSON of a 2xx answer. Rejects with KubeError, and with nothing else. */
  request(request: KubeRequest): Promise<unknown>;
  /**
   * The body of a 2xx answer, piece by piece, for a list whose length or content is decided by a stranger: nothing is read before it
   * is asked for. Throws KubeError. Leaving the loop cuts the connection.
   */
  pieces(request: KubeRequest): AsyncIterable<Buffer>;
  /**
   * Each line of a long GET (a watch), parsed. Ends when the server ends it; throws KubeError. Leaving the loop cuts the connection.
   * `opened` is called when a 2xx has arrived, which may be long before the first line. The 2xx must come in the usual time of an answer.
   */
  lines(request: LinesRequest): AsyncIterable<unknown>;
}

export type LinesRequest = Omit<KubeRequest, 'timeout'> & Readonly<{ inactivity: Millis; opened?: () => void }>;

/** One request that was answered or has failed, for metrics. */
export type RequestSeen = Readonly<{
  /** As RBAC names it: `list`, `patch`. */
  verb: string;
  resource: string;
  /** The status, or a word where no answer came. */
  code: string;
  method: KubeRequest['method'];
  /** From sending to the end, for a watch until it was open. The time for which our own limit held it is not part of it. */
  took: Millis;
}>;

/** Whether this process may write to the seed at all. Only the leader may (SPEC S6), and not while it is ending (SPEC 1.4). */
export interface WritePermission {
  /** Asked in the very moment before a write is sent. */
  granted(): boolean;
  /** Aborted when the permission ends for good; this cuts the writes in flight. */
  readonly ended: AbortSignal;
}

/** For a process that runs without leader election. */
export function unconditional(): WritePermission {
  // Each client has a signal of its own: one that all share would hold every request that a process has left behind.
  return { granted: () => true, ended: new AbortController().signal };
}

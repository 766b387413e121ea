import type { ServerResponse } from 'node:http';
import type { SeenRequest } from './request-log.ts';

/** What befalls the requests to an API server instead of an answer. */
export type Weather =
  /** Accepts, and never answers: the TLS handshake, or the request. */
  | Readonly<{ kind: 'hang'; at: 'handshake' | 'answer' }>
  /** 429 with Retry-After, as priority and fairness says it; without it where null. */
  | Readonly<{ kind: 'throttle'; retryAfterSeconds: number | null }>
  /** A Status with this code. */
  | Readonly<{ kind: 'status'; code: number }>
  /** 200 with a body that is no JSON, JSON that is no answer, or bytes that are no HTTP. */
  | Readonly<{ kind: 'garble'; as: 'text' | 'json' | 'bytes' }>
  /** An answer that never ends: items without end, pages without end, or a byte a second. */
  | Readonly<{ kind: 'flood'; as: 'items' | 'pages' | 'drip' }>
  /** 302 to elsewhere. */
  | Readonly<{ kind: 'redirect'; to: string }>
  /** The connection is cut in the middle of the answer. */
  | Readonly<{ kind: 'cut' }>
  /** Whatever a hostile server may say. */
  | Readonly<{ kind: 'said'; say: (request: SeenRequest, response: ServerResponse) => void }>;

/** The requests that the weather befalls; all of them unless told. */
export type Befalls = (request: SeenRequest) => boolean;

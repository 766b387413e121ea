import type { Millis } from '../../domain/time.ts';

/**
 * Why a request to an API server failed. `status`: the server refused it. `withdrawn`: it was never sent. `overloaded`: it was never
 * sent either, since too many waited for the rate limit. `aborted`: we cut it. `timeout`: no answer came in time. `certificate`: the
 * server's certificate did not verify. `unreachable`: there was no connection, or it broke. `garbled`: the answer is no JSON, or (with
 * the reason `TooLarge`) is longer than we read.
 */
export type KubeErrorKind =
  | 'status'
  | 'withdrawn'
  | 'overloaded'
  | 'aborted'
  | 'timeout'
  | 'certificate'
  | 'unreachable'
  | 'garbled';

/** A condition that a request can set on the object that it names. */
export type Precondition = 'uid';

/** The one error of every request to an API server. Its message is one line for the operator, without a secret. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly kind: KubeErrorKind;
  /** What went wrong, in a few words and without what was asked: it is the same for all that meet the same trouble. */
  readonly why: string;
  /** HTTP status; 0 where there was none. */
  readonly status: number;
  /** `reason` of the Status object (`NotFound`, `Conflict`, `Expired` …); empty where there was none. */
  readonly reason: string;
  readonly retryAfter: Millis | undefined;
  /** The token that came with a 410: the rest of the list as it is now. */
  readonly next: string | undefined;
  /** The precondition that the object did not meet; undefined where the request was refused for another reason, or the reason is not clear. */
  readonly precondition: Precondition | undefined;

  constructor(
    kind: KubeErrorKind,
    message: string,
    details: Readonly<{
      why?: string;
      status?: number;
      reason?: string;
      retryAfter?: Millis | undefined;
      next?: string | undefined;
      precondition?: Precondition | undefined;
      cause?: unknown;
    }> = {},
  ) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.why = details.why ?? message;
    this.status = details.status ?? 0;
    this.reason = details.reason ?? '';
    this.retryAfter = details.retryAfter;
    this.next = details.next;
    this.precondition = details.precondition;
  }
}

import type { Millis } from '../../domain/time.ts';

/**
 * Why a request to an API server came to nothing. `status`: the server's answer. The rest got none:
 * `withdrawn` was never sent, `overloaded` neither (too many waited for the rate limit), `aborted` was cut by us,
 * `timeout` ran out, `certificate` did not verify, `unreachable` found no connection or lost it, `garbled` answered
 * what is no JSON, or (with the reason `TooLarge`) more than is taken.
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

/** What a request may ask of an object beside its name. */
export type Precondition = 'uid';

/** The one error of every request to an API server; carries one line for the operator and no secret. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly kind: KubeErrorKind;
  /** HTTP status; 0 where there was none. */
  readonly status: number;
  /** `reason` of the Status object (`NotFound`, `Conflict`, `Expired` …), empty where there was none. */
  readonly reason: string;
  readonly retryAfter: Millis | undefined;
  /** What the object was to have and has not; undefined where the request was refused for anything else, or cannot be told. */
  readonly precondition: Precondition | undefined;

  constructor(
    kind: KubeErrorKind,
    message: string,
    told: Readonly<{
      status?: number;
      reason?: string;
      retryAfter?: Millis | undefined;
      precondition?: Precondition | undefined;
      cause?: unknown;
    }> = {},
  ) {
    super(message, { cause: told.cause });
    this.kind = kind;
    this.status = told.status ?? 0;
    this.reason = told.reason ?? '';
    this.retryAfter = told.retryAfter;
    this.precondition = told.precondition;
  }
}

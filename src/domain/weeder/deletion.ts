import { spreadBackoff, type Backoff } from '../backoff.ts';
import type { Millis } from '../time.ts';

/** The outcome of one pod's deletion (SPEC 7.3). */
export type DeletionAnswer =
  /** The seed has taken it: the pod is gone, or ends. */
  | Readonly<{ outcome: 'deleted' }>
  /** There is no pod of that name (404). */
  | Readonly<{ outcome: 'gone' }>
  /** There is another pod of that name, which was not touched (409 on the UID). */
  | Readonly<{ outcome: 'replaced' }>
  /** The same incarnation was deleted before, for another service. */
  | Readonly<{ outcome: 'deletedBefore' }>
  /** Not sent: it was withdrawn while it waited. */
  | Readonly<{ outcome: 'withdrawn' }>
  /** 429; `retryAfter` as the server asked for, not yet clamped. */
  | Readonly<{ outcome: 'throttled'; retryAfter?: Millis }>
  /** The seed said no, or did not answer. `reason` is the status or a word (`conflict` where the pod is no longer as it was seen, a 409 on its version), `detail` one line for the operator. */
  | Readonly<{ outcome: 'failed'; reason: string; detail: string }>;

/** A window lasts minutes: a longer pause would be as good as giving up. */
const range: Backoff = { first: 1_000, longest: 30_000 };

/**
 * How long to wait after the `failures`-th failure of a deletion in a row (1 or more), spread by `chance` in [0, 1). A
 * pause that the server `asked` for counts as well, up to a minute.
 */
export function deletionBackoff(failures: number, chance: number, asked: Millis = 0): Millis {
  return Math.ceil(Math.max(spreadBackoff(failures, range, chance), Math.min(asked, 60_000)));
}

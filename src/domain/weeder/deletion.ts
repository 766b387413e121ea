import type { Millis } from '../time.ts';

/** What came of asking for one pod's deletion (SPEC 7.3). */
export type DeletionAnswer =
  /** The seed has taken it: the pod is gone, or ends. */
  | Readonly<{ outcome: 'deleted' }>
  /** There is no pod of that name (404). */
  | Readonly<{ outcome: 'gone' }>
  /** There is another pod of that name, which was not touched (409 on the UID). */
  | Readonly<{ outcome: 'replaced' }>
  /** Another service's weeder had the same incarnation deleted before. */
  | Readonly<{ outcome: 'deletedBefore' }>
  /** Not sent: it was withdrawn while it waited. */
  | Readonly<{ outcome: 'withdrawn' }>
  /** 429; `retryAfter` as the server asked for, not yet clamped. */
  | Readonly<{ outcome: 'throttled'; retryAfter?: Millis }>
  /** The seed said no, or did not answer. `reason` is the status or a word, `detail` one line for the operator. */
  | Readonly<{ outcome: 'failed'; reason: string; detail: string }>;

/** The wait after the first failure of a deletion; it doubles with each one that follows. */
const shortestPause: Millis = 1_000;

/** A window lasts minutes: who waits longer than this might as well give up. */
const longestPause: Millis = 30_000;

/**
 * How long to wait after the `failures`-th failure in a row (1 or more). The upper half is left to `chance`, in [0, 1):
 * pods that failed together must not come back together. A server's own `asked` counts, up to a minute.
 */
export function pauseAfter(failures: number, chance: number, asked: Millis = 0): Millis {
  const whole = Math.min(longestPause, shortestPause * 2 ** Math.min(failures - 1, 20));
  return Math.ceil(Math.max(whole * (0.5 + chance / 2), Math.min(asked, 60_000)));
}

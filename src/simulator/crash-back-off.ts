import type { Millis } from '../domain/time.ts';

const shortest: Millis = 10_000;
const longest: Millis = 300_000;

/** A container that ran so long is taken for a healthy one. */
const forgivenAfter: Millis = 600_000;

/**
 * How long the kubelet leaves an exited container in CrashLoopBackOff: not at all the first time, then 10 s, doubling up
 * to 5 min. `before` is what it answered the last time, undefined where the container never exited; `ran` how long the
 * container ran since.
 */
export function crashBackOff(before: Millis | undefined, ran: Millis): Millis {
  if (before === undefined || ran > forgivenAfter) return 0;
  return before === 0 ? shortest : Math.min(longest, 2 * before);
}

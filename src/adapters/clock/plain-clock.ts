import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/** Calls back once after this time, unless what it returns was called before. */
export type After = (length: Millis, then: () => void) => () => void;

/** A longer Node timer would fire at once. */
export const longestTimer: Millis = 2 ** 31 - 1;

/** By Node's own timers, which nobody sets forward or back. Without RxJS, whose loading would double the start of a small command. */
export const after: After = (length, then) => {
  const timer = setTimeout(then, Math.min(length, longestTimer));
  return () => clearTimeout(timer);
};

/** The same by a Clock. */
export function afterBy(clock: Clock): After {
  return (length, then) => {
    const waiting = clock.wakeAt(clock.now() + length).subscribe(then);
    return () => waiting.unsubscribe();
  };
}

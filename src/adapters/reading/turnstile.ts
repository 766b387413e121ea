import type { Instant } from '../../domain/time.ts';
import { DeadlineQueue } from './deadline-queue.ts';

/**
 * Lets at most `most` callers pass in one turn of the event loop, and the others in later turns: in the order of the instants by which
 * each is needed, and else first come, first served. When all
 * shoots are asked at the same instant, their handshakes are then not one long pause, and the first shoots are
 * answered before the last ones begin. Side by side, all would be answered late. It does not wait for any answer,
 * so a shoot that hangs does not hold up the others.
 */
export function turnstile(most: number): (by?: Instant, now?: Instant) => Promise<void> {
  const waiting = new DeadlineQueue<() => void>();
  let left = most;
  let turning = false;

  const turn = (): void => {
    const passing = waiting.takeFirst(most);
    left = most - passing.length;
    turning = passing.length > 0;
    if (turning) setImmediate(turn);
    for (const pass of passing) pass();
  };

  return (by, now = 0) => {
    if (!turning) {
      turning = true;
      setImmediate(turn);
    }
    if (left === 0) return new Promise((resolve) => waiting.add(resolve, by, now));
    left -= 1;
    return Promise.resolve();
  };
}

import type { Clock } from '../effects/ports.ts';
import { wallClock } from './wall-clock.ts';

/**
 * Starts at the machine's time and runs `speed` times as fast (above 0), so that nothing that lives by it needs
 * to know. Told by the monotonic clock: at a speed of 60, a wall clock's millisecond would be a coarse 60 ms.
 */
export function scaledClock(speed: number): Clock {
  if (!(speed > 0)) throw new RangeError(`a clock runs at a speed above 0, not ${speed}`);
  const startedAt = Date.now();
  const startedTicks = performance.now();
  return wallClock(() => startedAt + (performance.now() - startedTicks) * speed, speed);
}

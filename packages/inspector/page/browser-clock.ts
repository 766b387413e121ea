import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';

/** Ends what was begun; harmless when it is over. */
export type Cancel = () => void;

/** This browser's own time, which need not be the server's. */
export function browserNow(): Instant {
  return Date.now();
}

/** Calls once after so many milliseconds. */
export function after(millis: Millis, call: () => void): Cancel {
  const timer = setTimeout(call, millis);
  return () => clearTimeout(timer);
}

/** Calls once before the next picture is drawn. `at`: milliseconds on a clock that never goes back. */
export function nextFrame(call: (at: number) => void): Cancel {
  const frame = requestAnimationFrame(call);
  return () => cancelAnimationFrame(frame);
}

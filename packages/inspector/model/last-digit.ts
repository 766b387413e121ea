import type { Millis } from 'dependency-watchdog/domain/time.ts';

/** How long a time is that was told so: all of its last digit. What is shown as 12:00:44.1 may have been at 12:00:44.153. `time` has a `T` before its hour. */
export function lastDigitLength(time: string): Millis {
  const [, seconds, fraction] = /T\d\d:\d\d(:\d\d(?:\.(\d+))?)?/i.exec(time) ?? [];
  if (!time.includes(':')) return 1;
  return seconds === undefined ? 60_000 : Math.max(1, 10 ** (3 - (fraction?.length ?? 0)));
}

import type { Millis } from '../../domain/time.ts';

/** `0.04 s`, `9.3 s`, `312 s`: as many digits as anybody wants to compare. */
export function lengthText(length: Millis): string {
  const seconds = length / 1_000;
  const magnitude = Math.abs(seconds);
  return `${seconds.toFixed(magnitude < 2 ? 2 : magnitude < 200 ? 1 : 0)} s`;
}

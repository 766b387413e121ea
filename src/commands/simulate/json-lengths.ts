import type { Millis } from '../../domain/time.ts';
import type { Spread } from './spread.ts';

/** A length in seconds, to the millisecond. */
export function jsonSeconds(length: Millis): number {
  return Math.round(length) / 1_000;
}

/** The same of a spread; undefined where there is none. */
export function jsonSpread(spread: Spread | undefined): Spread | undefined {
  return spread && { median: jsonSeconds(spread.median), worst: jsonSeconds(spread.worst) };
}

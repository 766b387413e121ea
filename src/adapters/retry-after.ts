import type { Instant, Millis } from '../domain/time.ts';

/** Reads a Retry-After header (SPEC 4.5): seconds, or an HTTP date; undefined where it is missing or neither. */
export function readRetryAfter(header: string | undefined, now: Instant): Millis | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Only what looks like a date: Date.parse reads a year into almost anything.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

import type { Instant, Millis } from '../../domain/time.ts';
import { instantText } from './plain-words.ts';

/** A length of time, as exactly as it matters: `0.05 s`, `6.3 s`, `30 s`, `9m47s`, `2h05m`. */
export function lengthWords(length: Millis): string {
  const size = Math.abs(length);
  if (size < 1_000) return `${trimmed((length / 1_000).toFixed(2))} s`;
  if (size < 120_000) return `${trimmed((length / 1_000).toFixed(1))} s`;
  const sign = length < 0 ? '-' : '';
  if (size < 3_600_000) return `${sign}${pair(Math.round(size / 1_000), 'm', 's')}`;
  return `${sign}${pair(Math.round(size / 60_000), 'h', 'm')}`;
}

/** The time of day in UTC: `12:00:44.1`. A tenth of a second is never rounded up, so that it is not told before it was. */
export function clockWords(at: Instant): string {
  return instantText(at).slice(11, 21);
}

function trimmed(text: string): string {
  return text.replace(/\.0+$/, '');
}

function pair(count: number, of: string, rest: string): string {
  return `${Math.trunc(count / 60)}${of}${String(count % 60).padStart(2, '0')}${rest}`;
}

import type { Instant } from '../../../domain/time.ts';
import { clockText, dayText, type Zone } from './instant-text.ts';

/** A time beside others of today, in whole seconds: `12:00:44`; of another day with it, `Sun 22 Nov 12:00:44`. */
export function nearTimeText(at: Instant, now: Instant | undefined, zone: Zone): string {
  const day = dayText(at, zone);
  if (now !== undefined && day === dayText(now, zone)) return clockText(at, zone);
  return `${day.replace(/ \d+$/, '')} ${clockText(at, zone)}`;
}

import type { Instant } from '../../../domain/time.ts';

/** An instant as it can be read aloud, in UTC: `12:00:44.1`. */
export function timeText(at: Instant): string {
  return new Date(at).toISOString().slice(11, 21);
}

export function Time({ at }: Readonly<{ at: Instant }>) {
  return <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>;
}

import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';

/** In which zone times are shown. */
export type Zone = 'utc' | 'local';

/** `12:00:44.1`, cut and not rounded, so that no instant is shown before it came. A time that no calendar can name is given as the bare number. */
export function timeText(at: Instant, zone: Zone = 'utc'): string {
  return clockIn(zone, at)?.toISOString().slice(-13, -3) ?? String(at);
}

/** `12:00:44`, for a clock. */
export function clockText(at: Instant, zone: Zone): string {
  return timeText(at, zone).replace(/\.\d$/, '');
}

/** `Mon 23 Nov 2026`. */
export function dayText(at: Instant, zone: Zone): string {
  const clock = clockIn(zone, at);
  if (clock === undefined) return String(at);
  const [weekday, day, month, year] = clock.toUTCString().split(/,? /);
  return `${weekday} ${Number(day)} ${month} ${Number(year)}`;
}

/** `04`, the hour of the day. */
export function hourText(at: Instant, zone: Zone): string {
  return clockIn(zone, at)?.toISOString().slice(-13, -11) ?? '';
}

/** `2026-11-23T12:00:44.100Z`, for addresses, titles and what is copied: always UTC, and to the millisecond. */
export function isoText(at: Instant): string {
  return clockIn('utc', at)?.toISOString() ?? String(at);
}

/** What the clocks of a zone show, as if they were in UTC; undefined where no calendar can name it. */
function clockIn(zone: Zone, at: Instant): Date | undefined {
  const shift = zone === 'utc' ? 0 : new Date(at).getTimezoneOffset() * 60_000;
  const clock = new Date(at - shift);
  return Number.isNaN(clock.getTime()) ? undefined : clock;
}

/** A time beside others of today, in whole seconds: `12:00:44`; of another day with it, `Sun 22 Nov 12:00:44`. */
export function nearTimeText(at: Instant, now: Instant | undefined, zone: Zone): string {
  const day = dayText(at, zone);
  if (now !== undefined && day === dayText(now, zone)) return clockText(at, zone);
  return `${day.replace(/ \d+$/, '')} ${clockText(at, zone)}`;
}

/** A length in whole seconds, for what counts down or up before somebody's eyes: `12 s`, `2m05s`. */
export function calmText(millis: Millis): string {
  return lengthWords(Math.max(0, Math.round(millis / 1_000) * 1_000));
}

/** `1,240`: with commas, whatever the browser's language is, since all words here are English. */
export function numberText(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number and its unit never part at the end of a line: `30 s`, `60 %`. */
export function unparted(text: string): string {
  return text.replaceAll(/(\d) (?=%|(?:ms|s|min|h|d|[KMG]i?B|px)(?![a-z]))/g, '$1\u00A0');
}

/** `1 shoot`, `1,240 shoots`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

import type { Instant, Millis } from '../../../domain/time.ts';

/** In which zone times are shown. */
export type Zone = 'utc' | 'local';

/** The last instant that a calendar date can name. */
const lastNameable = 8.64e15;

/** `12:00:44.1`, cut and not rounded, so that no instant is shown before it came. A time that no calendar can name is given as the bare number. */
export function timeText(at: Instant, zone: Zone = 'utc'): string {
  const parts = partsOf(at, zone);
  if (parts === undefined) return String(at);
  const { hours, minutes, seconds, millis } = parts;
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${Math.trunc(millis / 100)}`;
}

/** `12:00:44`, for a clock. */
export function clockText(at: Instant, zone: Zone): string {
  return timeText(at, zone).replace(/\.\d$/, '');
}

/** `Mon 23 Nov 2026`. */
export function dayText(at: Instant, zone: Zone): string {
  const parts = partsOf(at, zone);
  if (parts === undefined) return String(at);
  return `${weekdays[parts.weekday]} ${parts.day} ${months[parts.month]} ${parts.year}`;
}

/** `04`, the hour of the day. */
export function hourText(at: Instant, zone: Zone): string {
  const parts = partsOf(at, zone);
  return parts === undefined ? '' : two(parts.hours);
}

/** `2026-11-23T12:00:44.100Z`, for addresses, titles and what is copied: always UTC, and to the millisecond. */
export function isoText(at: Instant): string {
  return Math.abs(at) <= lastNameable ? new Date(at).toISOString() : String(at);
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

type Parts = Readonly<
  Record<'year' | 'month' | 'day' | 'weekday' | 'hours' | 'minutes' | 'seconds' | 'millis', number>
>;

function partsOf(at: Instant, zone: Zone): Parts | undefined {
  if (Number.isNaN(at) || Math.abs(at) > lastNameable) return undefined;
  const date = new Date(at);
  return zone === 'utc'
    ? {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth(),
        day: date.getUTCDate(),
        weekday: date.getUTCDay(),
        hours: date.getUTCHours(),
        minutes: date.getUTCMinutes(),
        seconds: date.getUTCSeconds(),
        millis: date.getUTCMilliseconds(),
      }
    : {
        year: date.getFullYear(),
        month: date.getMonth(),
        day: date.getDate(),
        weekday: date.getDay(),
        hours: date.getHours(),
        minutes: date.getMinutes(),
        seconds: date.getSeconds(),
        millis: date.getMilliseconds(),
      };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** A time beside others of today, in whole seconds: `12:00:44`; of another day with it, `Sun 22 Nov 12:00:44`. */
export function nearTimeText(at: Instant, now: Instant | undefined, zone: Zone): string {
  const day = dayText(at, zone);
  if (now !== undefined && day === dayText(now, zone)) return clockText(at, zone);
  return `${day.replace(/ \d+$/, '')} ${clockText(at, zone)}`;
}

/** A length of time with its unit: `0.05 s` below a second, `31.2 s`, from two minutes on `2m05s`, from an hour on `3h04m`, from a day on `2d03h`. */
export function lengthText(millis: Millis): string {
  const size = Math.abs(millis);
  if (size < 1_000) return `${(millis / 1_000).toFixed(2)} s`;
  if (size < 120_000) return `${(millis / 1_000).toFixed(1)} s`;
  return `${millis < 0 ? '-' : ''}${longText(Math.round(size / 1_000))}`;
}

/** The same in whole seconds, for what counts down or up before somebody's eyes: `12 s`, `2m05s`. */
export function calmText(millis: Millis): string {
  const whole = Math.max(0, Math.round(millis / 1_000));
  return whole < 120 ? `${whole} s` : longText(whole);
}

function longText(seconds: number): string {
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 24) return `${hours}h${two(minutes % 60)}m`;
  return `${Math.trunc(hours / 24)}d${two(hours % 24)}h`;
}

/** `1,240`: with commas, whatever the browser's language is, since all words here are English. */
export function numberText(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 shoot`, `1,240 shoots`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

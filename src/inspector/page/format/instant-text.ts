import type { Instant } from '../../../domain/time.ts';

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

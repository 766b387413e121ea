import { JournalUnusable } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import { lastDigitLength } from '../../model/last-digit.ts';
import { instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { readGoDuration } from 'dependency-watchdog/domain/go-duration.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Flag } from 'dependency-watchdog/commands/flag.ts';
import type { ValueReading } from 'dependency-watchdog/commands/go-values.ts';

/** An instant, which may be told by how long before now it is. */
export type Moment = (now: Instant) => Instant;

/** A time of day in UTC, as sentences tell it; `length` is that of its last digit. On which day it was, only the record can tell. */
export type ClockTime = Readonly<{ text: string; sinceMidnight: Millis; length: Millis }>;

const withZone = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;
const withoutZone = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;

/** `2026-11-21T20:07:00Z`; a length such as `2h`: so long before now, by this machine's clock; or a time of day of the record. */
export function momentFlag({ help }: Readonly<{ help: string }>): Flag<Moment | ClockTime | undefined> {
  return { read: readMomentOrClock, initial: undefined, help, placeholder: 'TIME' };
}

function readMomentOrClock(text: string): ValueReading<Moment | ClockTime> {
  const clock = readClockTime(text);
  return clock === undefined ? readMoment(text) : { ok: true, value: clock };
}

export function readMoment(text: string): ValueReading<Moment> {
  const because =
    'must be an instant such as 2026-11-21T20:07:00Z, a time of day such as 20:07:00Z, or a length such as 2h, which is counted back from now';
  const at = withZone.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (!Number.isNaN(at)) return { ok: true, value: () => at };
  if (withoutZone.test(text))
    return { ok: false, because, hint: 'the time zone is missing; Z is UTC, as replay shows it' };
  const length = readGoDuration(text);
  if (!length.ok) return { ok: false, because };
  if (length.ms < 0) return { ok: false, because, hint: 'it is not in the past' };
  return { ok: true, value: (now) => now - length.ms };
}

/** `00:13:18Z`, or as the page shows it, `00:13:18.1`. */
export function readClockTime(text: string): ClockTime | undefined {
  const [, clock] = /^(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)[Zz]?$/.exec(text) ?? [];
  const sinceMidnight = clock === undefined ? Number.NaN : Date.parse(`1970-01-01T${clock}Z`);
  return Number.isNaN(sinceMidnight) ? undefined : { text, sinceMidnight, length: lastDigitLength(`T${clock}`) };
}

const day: Millis = 86_400_000;

/** A sentence with more days than these would not be read. */
const mostDays = 5;

/** From when to when journals tell; undefined where nobody can know before they are read. */
export type RecordSpan = Readonly<{ firstAt: Instant; lastAt: Instant }>;

/**
 * The instant of a flag. A time of day is that of the one day of the record on which it was. Rejects with JournalUnusable where it was on none, or on
 * several.
 */
export async function momentOf(
  flag: string,
  moment: Moment | ClockTime | undefined,
  now: Instant,
  record: () => Promise<RecordSpan | undefined>,
): Promise<Instant | undefined> {
  if (moment === undefined || typeof moment === 'function') return moment?.(now);
  const { text, sinceMidnight, length } = moment;
  const dated = (at: Instant) => instantText(at).slice(0, 11) + text.replace(/z?$/i, 'Z');
  const span = await record();
  if (span === undefined)
    throw new JournalUnusable(
      `${flag}=${text}: on which day that was can be read from files alone; write the date, too`,
    );
  // 02:00 means all of that minute, in which the record may begin.
  const first = sinceMidnight + Math.ceil((span.firstAt - length + 1 - sinceMidnight) / day) * day;
  const count = Math.floor((span.lastAt - first) / day) + 1;
  if (count === 1) return first;
  if (count < 1)
    throw new JournalUnusable(
      `${flag}=${text} is not within the record, which goes from ${instantText(span.firstAt)} to ${instantText(span.lastAt)}`,
    );
  const days = Array.from({ length: Math.min(count, mostDays) }, (_, index) => dated(first + index * day));
  throw new JournalUnusable(`${flag}=${text} was on ${count} days of the record; write ${flag}=${days.join(' or ')}`);
}

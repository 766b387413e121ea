import type { Instant, Millis } from '../../domain/time.ts';
import type { Ended } from '../../effects/turn.ts';

/** `1 lease`, `5 leases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1 lease is`, `5 leases are`. */
export function areWords(count: number, noun: string): string {
  return `${counted(count, noun)} ${count === 1 ? 'is' : 'are'}`;
}

/** `once`, `3 times`. */
export function timesWords(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** `0.3 s`, `31.2 s`; from two minutes on `2m05s`. */
export function seconds(millis: number): string {
  if (Math.abs(millis) < 120_000) return `${(millis / 1_000).toFixed(1)} s`;
  const whole = Math.round(millis / 1_000);
  return `${Math.trunc(whole / 60)}m${String(Math.abs(whole % 60)).padStart(2, '0')}s`;
}

/** The last instant that a calendar date can name. */
const lastNameable = 8.64e15;

/** `2026-11-21T20:07:57.123Z`, always UTC. What no calendar can name is given as the bare number. */
export function instantText(at: Instant): string {
  return Math.abs(at) <= lastNameable ? new Date(at).toISOString() : String(at);
}

/** What a caught value says; a thrown text, or anything else that is no Error, as it is. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The words for each member of a union, by its tag. The compiler keeps the table complete. */
export function wordsBy<
  Tag extends 'type' | 'kind' | 'outcome' | 'because',
  Union extends Readonly<Record<Tag, string>>,
  More extends readonly unknown[] = [],
>(
  tag: Tag,
  table: { readonly [Name in Union[Tag]]: (one: Extract<Union, Readonly<Record<Tag, Name>>>, ...more: More) => string },
): (one: Union, ...more: More) => string {
  return (one, ...more) => table[one[tag]](one as never, ...more);
}

/** How a machine ended. `subject`: what it was for. `wordsOf` gives the words of the event that a bug met. */
export function endedWords<Event>(
  { because, during, error }: Ended<Event>,
  subject: string,
  wordsOf: (event: Event) => string,
): string {
  if (because === 'gone') return `ended: ${subject} is gone`;
  return `ended by a bug${during === undefined ? '' : ` at "${wordsOf(during)}"`}: ${error ?? 'unknown'}`;
}

/** A length of time, as exactly as it matters: `0.05 s`, `6.3 s`, `30 s`, `9m47s`, `2h05m`, `1d03h`. */
export function lengthWords(length: Millis): string {
  const size = Math.abs(length);
  if (size < 1_000) return `${trimmed((length / 1_000).toFixed(2))} s`;
  if (size < 120_000) return `${trimmed((length / 1_000).toFixed(1))} s`;
  const sign = length < 0 ? '-' : '';
  if (size < 3_600_000) return `${sign}${pair(Math.round(size / 1_000), 'm', 's')}`;
  const minutes = Math.round(size / 60_000);
  if (minutes < 24 * 60) return `${sign}${pair(minutes, 'h', 'm')}`;
  const hours = Math.trunc(minutes / 60);
  return `${sign}${Math.trunc(hours / 24)}d${String(hours % 24).padStart(2, '0')}h`;
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

/** What a terminal obeys in place of showing it, and what turns the order of letters around. */
const obeyed = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * One line for a terminal (SPEC 1.1). A shoot chooses the names of its nodes, and a journal may come from anybody: what a terminal would obey is written as
 * JSON writes it (`\u001b`), so a line of JSON stays one.
 */
export function terminalLine(text: string): string {
  return text.replaceAll(obeyed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

import type { Instant } from '../../domain/time.ts';
import type { Ended } from '../../effects/turn.ts';

/** `1 lease`, `5 leases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
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

/** How a machine ended. `subject`: what it was for. `wordsOf` gives the words of the event that a bug met. */
export function endedWords<Event>(
  { because, during, error }: Ended<Event>,
  subject: string,
  wordsOf: (event: Event) => string,
): string {
  if (because === 'gone') return `ended: ${subject} is gone`;
  return `ended by a bug${during === undefined ? '' : ` at "${wordsOf(during)}"`}: ${error ?? 'unknown'}`;
}

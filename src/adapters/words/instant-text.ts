import type { Instant } from '../../domain/time.ts';

/** The last instant that a calendar date can name. */
const lastNameable = 8.64e15;

/** `2026-11-21T20:07:57.123Z`, always UTC. What no calendar can name is given as the bare number. */
export function instantText(at: Instant): string {
  return Math.abs(at) <= lastNameable ? new Date(at).toISOString() : String(at);
}

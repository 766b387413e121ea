import { expiryFraction } from 'dependency-watchdog/domain/prober/verdict.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { piece, type Piece } from 'dependency-watchdog/commands/terminal/painted-line.ts';

/** A shorter bar shows no movement, and a longer one no more than this. */
export const leastBar = 6;
export const mostBar = 21;

/**
 * The age of a lease as a picture: `████░│░░`. At `│` the lease expires; at the end the controller-manager may mark the node.
 * The part beyond `│` is filled only once the lease has expired, and then at once in part, so that rounding never hides it.
 * `unread`: the prober does not read leases, so none expires, and the picture has no `│`.
 */
export function leaseBar(age: Millis, grace: Millis, width: number, unread = false): Piece {
  const limit = expiryFraction * grace;
  const tone = age >= limit ? 'bad' : age >= limit / 2 ? 'warning' : 'good';
  if (unread) return piece(cells(Math.min(width, Math.floor((width * age) / grace)), width), tone);
  const [before, beyond] = partsOf(width);
  const aged = Math.min(before, Math.floor((before * age) / limit));
  const over = age < limit ? 0 : Math.min(beyond, 1 + Math.floor(((beyond - 1) * (age - limit)) / (grace - limit)));
  return piece(`${cells(aged, before)}│${cells(over, beyond)}`, tone);
}

function cells(filled: number, all: number): string {
  return '█'.repeat(filled) + '░'.repeat(all - filled);
}

/** The cells on both sides of the mark, in the proportion of the times. */
function partsOf(width: number): readonly [before: number, beyond: number] {
  const before = Math.round(expiryFraction * (width - 1));
  return [before, width - 1 - before];
}

/** What the picture means, in words. */
export function barLegend(grace: Millis, unread = false): string {
  const [limit, end] = [expiryFraction * grace, grace].map((length) => `${Math.round(length / 100) / 10} s`);
  if (unread) return `oldest lease, unread here: full at ${end}, when its node may be marked`;
  return `oldest lease: expired at │ (${limit}); full at ${end}, when its node may be marked`;
}

import { expiryFraction } from '../../../domain/prober/verdict.ts';
import type { Millis } from '../../../domain/time.ts';
import { piece, type Piece } from '../../terminal/painted-line.ts';

/** A shorter bar shows no movement, and a longer one no more than this. */
export const leastBar = 6;
export const mostBar = 21;

/**
 * The age of a lease as a picture: `████░│░░`. At `│` the lease expires; at the end the controller-manager may mark the node.
 * The part beyond `│` is filled only once the lease has expired, and then at once in part, so that rounding never hides it.
 */
export function leaseBar(age: Millis, grace: Millis, width: number): Piece {
  const limit = expiryFraction * grace;
  const [before, beyond] = partsOf(width);
  const aged = Math.min(before, Math.floor((before * age) / limit));
  const over = age < limit ? 0 : Math.min(beyond, 1 + Math.floor(((beyond - 1) * (age - limit)) / (grace - limit)));
  const tone = age >= limit ? 'bad' : age >= limit / 2 ? 'warning' : 'good';
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
export function barLegend(grace: Millis): string {
  const [limit, end] = [expiryFraction * grace, grace].map((length) => `${Math.round(length / 100) / 10} s`);
  return `oldest lease: expired at │ (${limit}); full at ${end}, when its node may be marked`;
}

import type { Turn } from '../../effects/turn.ts';
import { instantText } from '../words/plain-words.ts';

/** How many turns before a bug are told with it. */
const turnsKept = 8;

/** Adds the turn to the last ones of its machine, oldest first, of which only so many are kept. */
export function keepTurn(lastTurns: string[], { at, event, from, to }: Turn): void {
  lastTurns.push(`${instantText(at)} ${event.type}: ${from ?? 'nothing'} → ${to}`);
  if (lastTurns.length > turnsKept) lastTurns.shift();
}

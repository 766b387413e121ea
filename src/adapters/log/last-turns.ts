import type { TurnOf } from '../../effects/turn.ts';
import type { Language } from '../../machines/pure-machine.ts';
import { instantText } from '../words/plain-words.ts';

/** How many turns before a bug are told with it. */
const turnsKept = 8;

type Kept = Readonly<{ at: number; type: string; from: string | undefined; to: string }>;

/**
 * Keeps the last turns of each machine, which are told with the bug that ends it: a turn does not tell what came before
 * it. Only what a line needs is kept, and the lines are written when they are needed.
 */
export function lastTurns() {
  const bySubject = new Map<string, Kept[]>();
  return {
    add({ subject, at, event: { type }, from, to }: TurnOf<Language>): void {
      const kept = bySubject.get(subject);
      if (kept === undefined) bySubject.set(subject, [{ at, type, from, to }]);
      else if (kept.push({ at, type, from, to }) > turnsKept) kept.shift();
    },
    /** Oldest first; they are forgotten with it. */
    take(subject: string): readonly string[] {
      const kept = bySubject.get(subject) ?? [];
      bySubject.delete(subject);
      return kept.map(({ at, type, from, to }) => `${instantText(at)} ${type}: ${from ?? 'nothing'} → ${to}`);
    },
  };
}

import type { TurnOf } from '../../effects/turn.ts';
import type { Language } from '../../machines/pure-machine.ts';
import { instantText } from '../words/plain-words.ts';

/** How many turns before a bug are told with it. */
const turnsKept = 8;

type Kept = Readonly<{ at: number; type: string; from: string | undefined; to: string }>;

/**
 * The last turns of each machine, to be told with the bug that ends it: no turn tells those before it. Only what a line
 * needs is kept, and no line is written before it is needed.
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

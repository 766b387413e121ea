import type { Instant } from '../../../domain/time.ts';
import type { JournalLimits } from './journal-limits.ts';

type ShareLimits = Pick<JournalLimits, 'shareBytes' | 'shareTurns' | 'shareBytesPerSecond' | 'shareTurnsPerSecond'>;

/** What is left to one machine. Changed with each turn, and never given away. */
type Left = { bytes: number; turns: number; at: Instant };

export type TurnShares = Readonly<{
  /** Whether a turn of about so many bytes is still within the machine's share. */
  allows(subject: string, bytes: number, at: Instant): boolean;
  /** It was kept, and took so many. */
  charge(subject: string, bytes: number): void;
  /** The machine is no more. */
  forget(subject: string): void;
}>;

/**
 * How much of each machine may be kept (SPEC 4.7): so much at once, and so much a second in the long run. A shoot whose
 * owner makes it talk without end takes no other shoot's history.
 */
export function turnShares(limits: ShareLimits): TurnShares {
  const lefts = new Map<string, Left>();

  function leftAt(subject: string, at: Instant): Left {
    const left = lefts.get(subject);
    if (left === undefined) {
      const whole = { bytes: limits.shareBytes, turns: limits.shareTurns, at };
      lefts.set(subject, whole);
      return whole;
    }
    // A clock that is set back changes nothing.
    const seconds = Math.max(0, at - left.at) / 1_000;
    left.bytes = Math.min(limits.shareBytes, left.bytes + seconds * limits.shareBytesPerSecond);
    left.turns = Math.min(limits.shareTurns, left.turns + seconds * limits.shareTurnsPerSecond);
    left.at = at;
    return left;
  }

  return {
    allows(subject, bytes, at) {
      const left = leftAt(subject, at);
      return left.turns >= 1 && left.bytes >= bytes;
    },
    charge(subject, bytes) {
      const left = lefts.get(subject);
      if (left === undefined) return;
      left.bytes -= bytes;
      left.turns -= 1;
    },
    forget: (subject) => void lefts.delete(subject),
  };
}

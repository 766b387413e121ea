import type { Turn } from '../../effects/turn.ts';

export type ObserveTurn = (turn: Turn) => void;

/**
 * Makes one observer out of several (SPEC 9.1). One that throws is reported by its name, and harms neither the others nor
 * the program: observation must not decide what happens.
 */
export function observeTurns(
  observers: Readonly<Record<string, ObserveTurn>>,
  onFault: (observer: string, error: unknown) => void,
): ObserveTurn {
  const named = Object.entries(observers);
  return (turn) => {
    for (const [name, observe] of named) {
      try {
        observe(turn);
      } catch (error) {
        onFault(name, error);
      }
    }
  };
}

import type { Turn } from '../../effects/turn.ts';

export type ObserveTurn = (turn: Turn) => void;

/**
 * One observer out of several (SPEC 9.1). One that throws is told of, by its name, and neither the others nor the
 * program are harmed: what is seen from outside must not decide what happens inside.
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

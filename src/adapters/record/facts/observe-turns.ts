import type { Turn } from '../../../effects/turn.ts';

export type ObserveTurn = (turn: Turn) => void;

/** Whoever reads the turns of a role. */
export type ObserverName = 'metrics' | 'log' | 'roll' | 'journal' | 'health' | 'inspector' | 'events';

/**
 * Makes one observer out of several (SPEC 9.1). One that throws is reported by its name, and harms neither the others nor
 * the program: observation must not decide what happens.
 */
export function observeTurns<Name extends string>(
  observers: Readonly<Partial<Record<Name, ObserveTurn>>>,
  onFault: (observer: Name, error: unknown) => void,
): ObserveTurn {
  const named = Object.entries(observers) as [Name, ObserveTurn][];
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

import type { Turn } from '../../effects/turn.ts';

export type TurnObserver = Readonly<{ name: string; observe: (turn: Turn) => void }>;

/**
 * Tells every observer each turn. One that throws has a fault of ours, which must cost neither the shoot nor the other
 * observers; `onFault` hears of it each time.
 */
export function tellObservers(
  observers: readonly TurnObserver[],
  onFault: (name: string, error: unknown) => void,
): (turn: Turn) => void {
  return (turn) => {
    for (const { name, observe } of observers) {
      try {
        observe(turn);
      } catch (error) {
        onFault(name, error);
      }
    }
  };
}

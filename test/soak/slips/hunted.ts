import type { Millis } from '../../../src/domain/time.ts';

/** What came of lives with a slip in the program. `simulated`: the length of all of them. */
export type Hunted = Readonly<{ lives: number; simulated: Millis }> &
  (Readonly<{ found: true; number: number; law: string; why: string }> | Readonly<{ found: false }>);

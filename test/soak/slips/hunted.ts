import type { Millis } from '../../../src/domain/time.ts';

/** What came of lives with a slip in the program. `simulated`: the length of all of them. */
export type Hunted =
  | Readonly<{ found: true; number: number; law: string; why: string; simulated: Millis }>
  /** `next`: the first number that was not lived. */
  | Readonly<{ found: false; next: number; simulated: Millis }>;

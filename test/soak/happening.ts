import type { Millis } from '../../src/domain/time.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';

/**
 * One thing that happens to a simulated seed, as plain data, so that a story can be told, cut down and played again. `at` counts from the beginning
 * of the life. The kinds stand in `happenings.ts`; each subject has its own file in `happenings/`.
 */
export type Happening = Readonly<{
  at: Millis;
  kind: string;
  shoot?: ShootNamespace;
  /** Whatever else the kind needs. */
  of?: Readonly<Record<string, unknown>>;
}>;

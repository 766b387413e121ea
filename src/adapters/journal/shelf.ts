import type { ShootNamespace } from '../../domain/shoot-namespace.ts';

/** Where a journal's lines are put: chapter after chapter, the oldest of which go. */
export type Shelf = Readonly<{
  /** Opens the next chapter where a line of `bytes` is too much for this one. */
  prepare(bytes: number): void;
  /** Whether the open chapter has a line of this shoot that a replay can begin with. */
  knows(shoot: ShootNamespace): boolean;
  append(shoot: ShootNamespace, line: string): void;
  /** The shoot's next line must carry its snapshot again. */
  forget(shoot: ShootNamespace): void;
}>;

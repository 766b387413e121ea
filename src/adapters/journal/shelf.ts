/** Where a journal's lines are put: chapter after chapter, the oldest of which go. */
export type Shelf = Readonly<{
  /** Opens the next chapter where a line of `bytes` is too much for this one. */
  prepare(bytes: number): void;
  /** Whether the open chapter has a line of this machine that a replay can begin with. */
  knows(subject: string): boolean;
  append(subject: string, line: string): void;
  /** The machine's next line must carry its snapshot again. */
  forget(subject: string): void;
}>;

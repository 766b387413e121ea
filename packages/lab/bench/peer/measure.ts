/** Something that any watchdog can be put through, seen from outside. */
export type Measure = Readonly<{
  name: string;
  /** What it prints, in order. */
  figures: readonly Figure[];
  /** The values in the order of `figures`. Rejects where the watchdog cannot do it. `command` is a shell's. */
  play: (command: string) => Promise<readonly (number | undefined)[]>;
}>;

export type Figure = Readonly<{
  what: string;
  unit: string;
  /** The row of the README that shows it, by its first cell, and how the README writes it. */
  readme?: Readonly<{ row: string; write: (value: number) => string }>;
}>;

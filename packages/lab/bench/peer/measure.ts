/** Something that any watchdog can be put through, seen from outside. */
export type Measure = Readonly<{
  name: string;
  /** What it prints, in order. */
  figures: readonly Readonly<{ what: string; unit: string }>[];
  /** The values in the order of `figures`. Rejects where the watchdog cannot do it. `command` is a shell's. */
  play: (command: string) => Promise<readonly (number | undefined)[]>;
}>;

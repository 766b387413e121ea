/** What is kept for whoever goes on with it at once. */
export type Lingering<Kept> = Readonly<{
  keep(key: string, kept: Kept): void;
  /** Whoever takes it has it alone; undefined where there is none, or no more. */
  take(key: string): Kept | undefined;
}>;

/** Keeps each thing until the work of this turn of the event loop is done, and then lets go of what nobody has taken. */
export function lingering<Kept>(letGo: (kept: Kept) => void): Lingering<Kept> {
  const all = new Map<string, Kept>();
  const letAllGo = (): void => {
    const left = [...all.values()];
    all.clear();
    for (const one of left) letGo(one);
  };

  return {
    keep: (key, kept) => {
      const before = all.get(key);
      if (before !== undefined) letGo(before);
      if (all.size === 0) setImmediate(letAllGo);
      all.set(key, kept);
    },
    take: (key) => {
      const kept = all.get(key);
      all.delete(key);
      return kept;
    },
  };
}

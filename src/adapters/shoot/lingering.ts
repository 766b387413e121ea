/** Things that are kept for a caller that goes on with them at once. */
export type Lingering<Kept> = Readonly<{
  keep(key: string, kept: Kept): void;
  /** Hands the thing over to this caller alone; undefined where there is none, or it has been let go. */
  take(key: string): Kept | undefined;
}>;

/** Keeps each thing until the work of this turn of the event loop is done, and then lets go of those that nobody has taken. */
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

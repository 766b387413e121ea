export type BoundedCache<Value> = Readonly<{
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}>;

/** Keeps at most `most` values, and lets go of those that were used the longest ago. */
export function boundedCache<Value>(most: number): BoundedCache<Value> {
  // A Map remembers the order in which keys came; a key that is used is put last.
  const kept = new Map<string, Value>();
  const put = (key: string, value: Value): void => {
    kept.delete(key);
    kept.set(key, value);
  };
  return {
    get: (key) => {
      const value = kept.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set: (key, value) => {
      put(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
    },
  };
}

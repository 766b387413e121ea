import type { Observable } from 'rxjs';

/** Collects all values, and waits for the next one that nobody has looked at yet. */
export function collector<Value>(told$: Observable<Value>) {
  const collected: Value[] = [];
  const listeners = new Set<() => void>();
  const subscription = told$.subscribe((value) => {
    collected.push(value);
    for (const look of listeners) look();
  });
  let seen = 0;
  const next = async (matches: (value: Value) => boolean = () => true): Promise<Value> => {
    for (;;) {
      while (seen < collected.length) {
        const value = collected[seen++];
        if (value !== undefined && matches(value)) return value;
      }
      const more = Promise.withResolvers<void>();
      listeners.add(more.resolve);
      await more.promise;
      listeners.delete(more.resolve);
    }
  };
  return { collected, next, subscription };
}

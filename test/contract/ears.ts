import type { Observable } from 'rxjs';

/** Hears everything, and waits for what has not been looked at yet. */
export function ears<Value>(told$: Observable<Value>) {
  const heard: Value[] = [];
  const listeners = new Set<() => void>();
  const subscription = told$.subscribe((value) => {
    heard.push(value);
    for (const look of listeners) look();
  });
  let seen = 0;
  const next = async (matches: (value: Value) => boolean = () => true): Promise<Value> => {
    for (;;) {
      while (seen < heard.length) {
        const value = heard[seen++];
        if (value !== undefined && matches(value)) return value;
      }
      const more = Promise.withResolvers<void>();
      listeners.add(more.resolve);
      await more.promise;
      listeners.delete(more.resolve);
    }
  };
  return { heard, next, subscription };
}

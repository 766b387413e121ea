import { Observable, Subscription } from 'rxjs';

/** Runs one stream for each key, from the key's arrival in the set to its departure, or for as long as it lasts. */
export function whilePresent<Key, Value>(
  present: Observable<ReadonlySet<Key>>,
  run: (key: Key) => Observable<Value>,
): Observable<Value> {
  return new Observable((all) => {
    const running = new Map<Key, Subscription>();
    const fail = (error: unknown) => all.error(error);

    const arrivals = present.subscribe({
      next: (keys) => {
        for (const [key, one] of running) {
          if (keys.has(key)) continue;
          one.unsubscribe();
          running.delete(key);
        }
        for (const key of keys) {
          if (running.has(key)) continue;
          // The subscriber may leave while it is still being told the first values.
          if (all.closed) return;
          const one = new Subscription();
          running.set(key, one);
          one.add(run(key).subscribe({ next: (value) => all.next(value), error: fail }));
        }
      },
      error: fail,
    });

    return () => {
      arrivals.unsubscribe();
      for (const one of running.values()) one.unsubscribe();
    };
  });
}

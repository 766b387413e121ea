import { Observable } from 'rxjs';

/** Starts the work on subscribe, emits what it resolves to, and aborts it on unsubscribe. */
export function fromAbortable<Value>(work: (signal: AbortSignal) => Promise<Value>): Observable<Value> {
  return new Observable((observer) => {
    const abort = new AbortController();
    let isOver = false;
    work(abort.signal).then(
      (value) => {
        isOver = true;
        observer.next(value);
        observer.complete();
      },
      (error: unknown) => {
        if (!abort.signal.aborted) observer.error(error);
      },
    );
    return () => {
      // To abort what is over would make an error with its stack for nobody, each time.
      if (!isOver) abort.abort();
    };
  });
}

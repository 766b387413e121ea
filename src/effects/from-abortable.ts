import { Observable } from 'rxjs';

/** Starts the work on subscribe, emits what it resolves to, and aborts it on unsubscribe. */
export function fromAbortable<Value>(work: (signal: AbortSignal) => Promise<Value>): Observable<Value> {
  return new Observable((observer) => {
    const abort = new AbortController();
    work(abort.signal).then(
      (value) => {
        observer.next(value);
        observer.complete();
      },
      (error: unknown) => {
        if (!abort.signal.aborted) observer.error(error);
      },
    );
    return () => abort.abort();
  });
}

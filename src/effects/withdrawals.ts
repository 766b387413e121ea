import { EMPTY, defer, type Observable } from 'rxjs';
import { fromAbortable } from './from-abortable.ts';

/** Work of one machine that can be taken back by its number as long as it was not sent. */
export class Withdrawals {
  readonly #open = new Map<number, AbortController>();

  /**
   * Starts the work on subscribe and emits what it resolves to. A machine that ends takes back what was not sent; what
   * was sent is not cut half-way (SPEC 1.4).
   */
  run<Value>(number: number, work: (withdrawn: AbortSignal) => Promise<Value>): Observable<Value> {
    return fromAbortable(async (ended) => {
      const withdrawal = new AbortController();
      this.#open.set(number, withdrawal);
      try {
        return await work(AbortSignal.any([ended, withdrawal.signal]));
      } finally {
        this.#open.delete(number);
      }
    });
  }

  /** The effect of `withdraw`; the work answers by itself. */
  withdraw(number: number): Observable<never> {
    return defer(() => {
      this.#open.get(number)?.abort();
      return EMPTY;
    });
  }
}

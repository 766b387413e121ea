import { Observable, Subject, Subscription, type Observer, type Subscriber, type Unsubscribable } from 'rxjs';

/** Leads each event to the listeners of its key, at the cost of one look-up. An event that has no listener is dropped. */
export class Dispatcher<Key, Event> {
  readonly #subjects = new Map<Key, Subject<Event>>();

  listen(key: Key, observer: Observer<Event>): Unsubscribable {
    const subject = this.#subjects.get(key) ?? new Subject<Event>();
    this.#subjects.set(key, subject);
    const subscription = subject.subscribe(observer);
    subscription.add(() => {
      if (!subject.observed && this.#subjects.get(key) === subject) this.#subjects.delete(key);
    });
    return subscription;
  }

  dispatch(key: Key, event: Event): void {
    this.#subjects.get(key)?.next(event);
  }

  hasListener(key: Key): boolean {
    return this.#subjects.has(key);
  }

  /** Those that have a listener. */
  keys(): IterableIterator<Key> {
    return this.#subjects.keys();
  }
}

/** Makes an observable out of `subscribe`. What is shared runs for as long as the observable is subscribed. */
export type WhileSubscribed = <Value>(subscribe: (observer: Subscriber<Value>) => Unsubscribable) => Observable<Value>;

/**
 * Several observables that share one thing: `start` is called when the first of them is subscribed, and what it returned is
 * unsubscribed when the last subscriber has left. `share()` does that for one observable, and looks through all its
 * subscribers when one of thousands leaves.
 */
export function whileSubscribed(start: () => Subscription): WhileSubscribed {
  let subscribers = 0;
  let running = Subscription.EMPTY;
  return (subscribe) =>
    new Observable((observer) => {
      const subscription = subscribe(observer);
      if (subscribers++ === 0) running = start();
      return () => {
        subscription.unsubscribe();
        if (--subscribers === 0) running.unsubscribe();
      };
    });
}

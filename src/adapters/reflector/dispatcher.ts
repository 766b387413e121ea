import { Subject, type Observer, type Unsubscribable, Observable, Subscription, type Subscriber } from 'rxjs';

/** Leads each event to those who follow what it is about, at the cost of one look-up. Nothing is kept of what nobody follows. */
export class Followers<Key, Event> {
  readonly #subjects = new Map<Key, Subject<Event>>();

  follow(key: Key, observer: Observer<Event>): Unsubscribable {
    const subject = this.#subjects.get(key) ?? new Subject<Event>();
    this.#subjects.set(key, subject);
    const heard = subject.subscribe(observer);
    heard.add(() => {
      if (!subject.observed && this.#subjects.get(key) === subject) this.#subjects.delete(key);
    });
    return heard;
  }

  tell(key: Key, event: Event): void {
    this.#subjects.get(key)?.next(event);
  }

  isFollowed(key: Key): boolean {
    return this.#subjects.has(key);
  }

  [Symbol.iterator](): IterableIterator<Key> {
    return this.#subjects.keys();
  }
}

/** Makes an observable out of `subscribe`, which holds what is shared for as long as it is subscribed. */
export type Held = <Value>(subscribe: (observer: Subscriber<Value>) => Unsubscribable) => Observable<Value>;

/**
 * Several observables that share one thing: `start` is called when the first of them is subscribed, what it gave is
 * unsubscribed when the last one has been left. `share()` does that for one observable, and looks through all its
 * subscribers when one of thousands leaves.
 */
export function whileHeld(start: () => Subscription): Held {
  let holders = 0;
  let running = Subscription.EMPTY;
  return (subscribe) =>
    new Observable((observer) => {
      const heard = subscribe(observer);
      if (holders++ === 0) running = start();
      return () => {
        heard.unsubscribe();
        if (--holders === 0) running.unsubscribe();
      };
    });
}

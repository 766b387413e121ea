import { Observable, Subscription, type Subscriber, type Unsubscribable } from 'rxjs';

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

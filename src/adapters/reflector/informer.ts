import {
  Observable,
  Subject,
  Subscription,
  type Observer,
  type Subscriber,
  type Unsubscribable,
  finalize,
  map,
} from 'rxjs';
import { isOlder } from '../../domain/resource-version.ts';
import type { Clock } from '../../effects/ports.ts';
import { longestLag, reflector, type ReflectorOptions } from './reflector.ts';
import { ClaimedVersions } from './seed-history.ts';
import { objectKey, type StoredObject, type StreamItem } from './stream-item.ts';

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

/** An item of the stream, after the informer has applied it. */
export type InformerUpdate<Value> = Readonly<{
  item: StreamItem<Value>;
  /** Whether `live` is different from what it was before the item. */
  liveChanged: boolean;
}>;

/** One stream of the seed, with the objects that it holds and how far they can be relied on. */
export class Informer<Value> {
  /**
   * Each item is applied here before the subscriber hears of it. Only one may subscribe at a time; when it leaves, everything is
   * forgotten.
   */
  readonly updates$: Observable<InformerUpdate<Value>>;
  readonly #clock: Clock;
  readonly #doubts = new Subject<void>();
  readonly #objects = new Map<string, StoredObject<Value>>();
  readonly #claims = new ClaimedVersions();
  #listed = false;
  #refused = false;
  /** Undefined until the stream has said anything. */
  #trusted: boolean | undefined;
  #wasLive = false;
  #complete = true;
  #asOf = '';

  constructor(options: Omit<ReflectorOptions<Value>, 'objects' | 'claims' | 'doubts$'>) {
    this.#clock = options.clock;
    const items$ = reflector({ ...options, objects: this.#objects, claims: this.#claims, doubts$: this.#doubts });
    this.updates$ = items$.pipe(
      map((item) => {
        const wasLive = this.live;
        this.#apply(item);
        this.#wasLive ||= this.live;
        return { item, liveChanged: this.live !== wasLive };
      }),
      finalize(() => this.#forget()),
    );
  }

  /** The first list is in. */
  get listed(): boolean {
    return this.#listed;
  }

  /** The seed has said that we may not see this kind, or that it does not serve it. */
  get refused(): boolean {
    return this.#refused;
  }

  /** The objects held here are all there are, and they follow the seed. */
  get live(): boolean {
    return this.#trusted === true && this.#complete;
  }

  /** It is live, or was before. */
  get wasLive(): boolean {
    return this.#wasLive;
  }

  /** The newest resourceVersion up to which everything is known. */
  get asOf(): string {
    return this.#asOf;
  }

  get(namespace: string, name: string): Value | undefined {
    return this.#objects.get(objectKey(namespace, name))?.value;
  }

  /**
   * The seed has this version of the object. A watch that does not show it in time may be half open, so it is opened anew
   * (SPEC 6.6).
   */
  expect(namespace: string, name: string, resourceVersion: string): void {
    this.#claims.claim(objectKey(namespace, name), resourceVersion);
    if (!isOlder(this.#asOf, resourceVersion)) return;
    this.#clock.wakeAt(this.#clock.now() + longestLag).subscribe(() => {
      if (isOlder(this.#asOf, resourceVersion)) this.#doubts.next();
    });
  }

  #apply(item: StreamItem<Value>): void {
    switch (item.type) {
      case 'listed':
        this.#listed = true;
        // The first list counts as much as a watch that has opened, for those as well who begin with this very item.
        this.#trusted ??= true;
        this.#complete = item.dropped === 0;
        this.#asOf = item.resourceVersion;
        return;
      case 'applied':
        this.#asOf = item.object.resourceVersion;
        return;
      case 'deleted':
      case 'advanced':
        this.#asOf = item.resourceVersion;
        return;
      case 'dropped':
        this.#complete = false;
        return;
      case 'live':
        this.#trusted = true;
        return;
      case 'out':
        this.#trusted = false;
        this.#refused ||= item.refused;
        return;
    }
  }

  #forget(): void {
    this.#objects.clear();
    this.#claims.clear();
    this.#listed = this.#refused = this.#wasLive = false;
    this.#trusted = undefined;
    this.#complete = true;
    this.#asOf = '';
  }
}

import { Subject, type Observer, type Unsubscribable } from 'rxjs';

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

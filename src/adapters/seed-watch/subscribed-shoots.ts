import { Subject, type Observer, type Unsubscribable } from 'rxjs';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';

/** Leads each event to those who follow its shoot, at the cost of one look-up. Nothing is kept of a shoot that nobody follows. */
export class SubscribedShoots {
  readonly #subjects = new Map<ShootNamespace, Subject<SeedEvent>>();

  follow(shoot: ShootNamespace, observer: Observer<SeedEvent>): Unsubscribable {
    const subject = this.#subjects.get(shoot) ?? new Subject<SeedEvent>();
    this.#subjects.set(shoot, subject);
    const heard = subject.subscribe(observer);
    heard.add(() => {
      if (!subject.observed && this.#subjects.get(shoot) === subject) this.#subjects.delete(shoot);
    });
    return heard;
  }

  tell(shoot: ShootNamespace, event: SeedEvent): void {
    this.#subjects.get(shoot)?.next(event);
  }

  isFollowed(shoot: ShootNamespace): boolean {
    return this.#subjects.has(shoot);
  }

  [Symbol.iterator](): IterableIterator<ShootNamespace> {
    return this.#subjects.keys();
  }
}

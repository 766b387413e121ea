import { Subject, type Observable } from 'rxjs';
import { isOlder } from '../../domain/resource-version.ts';
import type { Clock } from '../../effects/ports.ts';
import { ClaimedVersions } from './seed-history.ts';
import { objectKey, type KeptObject, type StreamItem } from './stream-item.ts';
import { listWatch, longestLag, type ListWatchOptions } from './reflector.ts';

/**
 * One stream of the seed with what it holds, and how far that can be relied on. The items are told after they were
 * taken in here.
 */
export class SeedFeed<Value> {
  readonly items$: Observable<StreamItem<Value>>;
  readonly #clock: Clock;
  readonly #doubts = new Subject<void>();
  readonly #store = new Map<string, KeptObject<Value>>();
  readonly #claims = new ClaimedVersions();
  #listed = false;
  #refused = false;
  #trusted = false;
  #complete = true;
  #asOf = '';

  constructor(options: Omit<ListWatchOptions<Value>, 'store' | 'claims' | 'doubts$'>) {
    this.#clock = options.clock;
    this.items$ = listWatch({ ...options, store: this.#store, claims: this.#claims, doubts$: this.#doubts });
  }

  /** The first list is in. */
  get listed(): boolean {
    return this.#listed;
  }

  /** The seed has said that it does not let us see this kind, or does not serve it. */
  get refused(): boolean {
    return this.#refused;
  }

  /** What is held is all there is, and follows the seed. */
  get live(): boolean {
    return this.#trusted && this.#complete;
  }

  /** The newest resourceVersion up to which everything is known. */
  get asOf(): string {
    return this.#asOf;
  }

  get(namespace: string, name: string): Value | undefined {
    return this.#store.get(objectKey(namespace, name))?.value;
  }

  /** The seed has this version of the object: a watch that has not told of it in time is opened anew, for it may be half open (SPEC 6.6). */
  expect(namespace: string, name: string, resourceVersion: string): void {
    this.#claims.claim(objectKey(namespace, name), resourceVersion);
    if (!isOlder(this.#asOf, resourceVersion)) return;
    this.#clock.wakeAt(this.#clock.now() + longestLag).subscribe(() => {
      if (isOlder(this.#asOf, resourceVersion)) this.#doubts.next();
    });
  }

  take(item: StreamItem<Value>): void {
    switch (item.type) {
      case 'listed':
        this.#listed = true;
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

  /** Once nobody follows the stream any more. */
  forget(): void {
    this.#store.clear();
    this.#claims.clear();
    this.#listed = this.#refused = this.#trusted = false;
    this.#complete = true;
    this.#asOf = '';
  }
}

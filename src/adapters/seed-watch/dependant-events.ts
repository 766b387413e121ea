import type { ResourceView } from '../../domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Clock } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import type { StreamItem } from '../reflector/stream-item.ts';
import type { Followers } from '../reflector/dispatcher.ts';
import type { WatchedDependant } from './seed-feeds.ts';

/** Turns what a dependant's stream tells into events of the shoots that somebody follows (SPEC 6.2, 6.6). */
export class DependantEvents {
  readonly #clock: Clock;
  readonly #one: WatchedDependant;
  readonly #followers: Followers<ShootNamespace, SeedEvent>;

  constructor(clock: Clock, one: WatchedDependant, followers: Followers<ShootNamespace, SeedEvent>) {
    this.#clock = clock;
    this.#one = one;
    this.#followers = followers;
  }

  /** What is known for a shoot: the view first, so that whoever hears that the watch is live knows what it holds. */
  presentOf(shoot: ShootNamespace): readonly SeedEvent[] {
    return [...this.#viewOf(shoot), this.#watched()];
  }

  follow(item: StreamItem<ResourceView>): void {
    const { feed } = this.#one;
    const wasLive = feed.live;
    feed.take(item);
    if (item.type === 'applied') this.#tellView(item.object.namespace);
    if (item.type === 'deleted') this.#tellView(item.namespace);
    // Of every shoot: a machine may know of more than the stream ever held, by the answer to a write that is undone now.
    if (item.type === 'listed' && item.rewound)
      for (const shoot of this.#followers) this.#tellView(shoot, { rewound: true });
    else if (item.type === 'listed') {
      for (const { object } of item.applied) this.#tellView(object.namespace);
      this.#tellMissing();
    }
    if (feed.live !== wasLive) for (const shoot of this.#followers) this.#followers.tell(shoot, this.#watched());
  }

  /** Who read the resource by a GET while the watch was out may know of one that no list held: that it is gone is news to them. */
  #tellMissing(): void {
    const { feed, dependant } = this.#one;
    for (const shoot of this.#followers) if (feed.get(shoot, dependant.ref.name) === undefined) this.#tellView(shoot);
  }

  #tellView(shoot: ShootNamespace, how?: Readonly<{ rewound: true }>): void {
    if (!this.#followers.isFollowed(shoot)) return;
    for (const event of this.#viewOf(shoot, how)) this.#followers.tell(shoot, event);
  }

  /** None as long as no list has told whether the resource is there. */
  #viewOf(shoot: ShootNamespace, how?: Readonly<{ rewound: true }>): readonly SeedEvent[] {
    const { feed, dependant } = this.#one;
    if (!feed.listed) return [];
    const view = feed.get(shoot, dependant.ref.name) ?? { found: false, resourceVersion: feed.asOf };
    return [{ type: 'dependant.changed', at: this.#clock.now(), key: dependant.key, view, ...how }];
  }

  #watched(): SeedEvent {
    const { feed, dependant } = this.#one;
    return { type: 'dependant.watched', at: this.#clock.now(), key: dependant.key, live: feed.live };
  }
}

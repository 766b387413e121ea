import type { ResourceView } from '../../domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Clock } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import type { Dispatcher } from '../reflector/dispatcher.ts';
import type { InformerUpdate } from '../reflector/informer.ts';
import type { WatchedDependant } from './seed-informers.ts';

/** Turns the updates of one dependant into events of the shoots that have a listener (SPEC 6.2, 6.6). */
export class DependantEvents {
  readonly #clock: Clock;
  readonly #one: WatchedDependant;
  readonly #dispatcher: Dispatcher<ShootNamespace, SeedEvent>;

  constructor(clock: Clock, one: WatchedDependant, dispatcher: Dispatcher<ShootNamespace, SeedEvent>) {
    this.#clock = clock;
    this.#one = one;
    this.#dispatcher = dispatcher;
  }

  /** The view comes first: when a listener hears that the watch is live, it knows already what the watch holds. */
  currentEvents(shoot: ShootNamespace): readonly SeedEvent[] {
    return [...this.#viewOf(shoot), this.#watched()];
  }

  dispatch({ item, liveChanged }: InformerUpdate<ResourceView>): void {
    if (item.type === 'applied') this.#dispatchView(item.object.namespace);
    if (item.type === 'deleted') this.#dispatchView(item.namespace);
    // To every shoot: a machine may know more than the stream ever held, from the answer to a write that is undone now.
    if (item.type === 'listed' && item.rewound)
      for (const shoot of this.#dispatcher.keys()) this.#dispatchView(shoot, { rewound: true });
    else if (item.type === 'listed') {
      for (const { object } of item.applied) this.#dispatchView(object.namespace);
      this.#dispatchMissing();
    }
    if (liveChanged) for (const shoot of this.#dispatcher.keys()) this.#dispatcher.dispatch(shoot, this.#watched());
  }

  /** A machine that read the resource by a GET while the watch was out may know of one that no list held. That it is gone is news to it. */
  #dispatchMissing(): void {
    const { informer, dependant } = this.#one;
    for (const shoot of this.#dispatcher.keys())
      if (informer.get(shoot, dependant.ref.name) === undefined) this.#dispatchView(shoot);
  }

  #dispatchView(shoot: ShootNamespace, how?: Readonly<{ rewound: true }>): void {
    if (!this.#dispatcher.hasListener(shoot)) return;
    for (const event of this.#viewOf(shoot, how)) this.#dispatcher.dispatch(shoot, event);
  }

  /** None as long as no list has shown whether the resource is there. */
  #viewOf(shoot: ShootNamespace, how?: Readonly<{ rewound: true }>): readonly SeedEvent[] {
    const { informer, dependant } = this.#one;
    if (!informer.listed) return [];
    const view = informer.get(shoot, dependant.ref.name) ?? { found: false, resourceVersion: informer.asOf };
    return [{ type: 'dependant.changed', at: this.#clock.now(), key: dependant.key, view, ...how }];
  }

  #watched(): SeedEvent {
    const { informer, dependant } = this.#one;
    const never = informer.wasLive ? {} : { never: true as const };
    return { type: 'dependant.watched', at: this.#clock.now(), key: dependant.key, live: informer.live, ...never };
  }
}

import { isDeepStrictEqual } from 'node:util';
import type { ClusterReading } from '../../domain/prober/cluster-view.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Clock } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import type { Dispatcher, Informer, InformerUpdate } from '../reflector/informer.ts';
import { appliedIn, deletedIn, type Applied, type StreamNotice } from '../reflector/stream-item.ts';
import type { ResourceView } from '../../domain/prober/resource-view.ts';
import type { WatchedDependant } from './seed-informers.ts';

type Ports = Readonly<{
  clock: Clock;
  dispatcher: Dispatcher<ShootNamespace, SeedEvent>;
  notice: (notice: StreamNotice) => void;
}>;

/** Turns the updates of the Clusters into events of their shoots, and keeps the set of all shoots (SPEC 3). */
export class ClusterEvents {
  readonly #informer: Informer<ClusterReading>;
  readonly #ports: Ports;
  readonly #present = new Set<ShootNamespace>();

  constructor(informer: Informer<ClusterReading>, ports: Ports) {
    this.#informer = informer;
    this.#ports = ports;
  }

  /** A copy. */
  get shoots(): ReadonlySet<ShootNamespace> {
    return new Set(this.#present);
  }

  currentEvents(shoot: ShootNamespace): readonly SeedEvent[] {
    const reading = this.#informer.get('', shoot);
    return [this.#watched(), ...(reading === undefined ? [] : [this.#changed(reading)])];
  }

  /** Returns whether a shoot has come or gone. */
  dispatch({ item, liveChanged }: InformerUpdate<ClusterReading>): boolean {
    const gone = deletedIn(item).filter(({ name }) => this.#present.delete(name));
    for (const { name } of gone)
      this.#ports.dispatcher.dispatch(name, { type: 'cluster.gone', at: this.#ports.clock.now() });
    const left = this.#present.size;
    for (const one of appliedIn(item)) this.#dispatchChange(one);
    if (liveChanged) this.#dispatchWatched();
    return gone.length > 0 || this.#present.size > left;
  }

  forget(): void {
    this.#present.clear();
  }

  #dispatchChange({ object: { name, value }, before }: Applied<ClusterReading>): void {
    this.#present.add(name);
    // Gardener writes a Cluster with each heartbeat of its shoot; most of these writes change nothing that we use.
    if (before !== undefined && isDeepStrictEqual(before.value, value)) return;
    const { dispatcher, notice } = this.#ports;
    if (!value.readable) notice({ kind: 'unreadable', stream: 'clusters', object: name, problem: value.problem });
    dispatcher.dispatch(name, this.#changed(value));
  }

  /**
   * A machine may have asked for its Cluster by a GET meanwhile, and know a version that the stream never held. So it hears again
   * how the Cluster is (SPEC 3.5).
   */
  #dispatchWatched(): void {
    const { dispatcher } = this.#ports;
    for (const shoot of dispatcher.keys()) {
      const reading = this.#informer.live ? this.#informer.get('', shoot) : undefined;
      if (reading !== undefined) dispatcher.dispatch(shoot, this.#changed(reading));
      dispatcher.dispatch(shoot, this.#watched());
    }
  }

  #watched(): SeedEvent {
    const { live, wasLive } = this.#informer;
    return { type: 'cluster.watched', at: this.#ports.clock.now(), live, ...(wasLive ? {} : { never: true }) };
  }

  #changed(reading: ClusterReading): SeedEvent {
    return { type: 'cluster.changed', at: this.#ports.clock.now(), reading };
  }
}

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

import { isDeepStrictEqual } from 'node:util';
import type { ClusterReading } from '../../domain/prober/cluster-view.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Clock } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import type { Dispatcher } from '../reflector/dispatcher.ts';
import type { Informer, InformerUpdate } from '../reflector/informer.ts';
import { appliedIn, deletedIn, type Applied } from '../reflector/stream-item.ts';
import type { StreamNotice } from '../reflector/stream-trouble.ts';

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

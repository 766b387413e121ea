import { isDeepStrictEqual } from 'node:util';
import type { ClusterReading } from '../../domain/prober/cluster-view.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Clock } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import type { SeedFeed } from '../reflector/seed-feed.ts';
import type { Applied, StreamItem } from '../reflector/stream-item.ts';
import type { StreamNotice } from '../reflector/stream-trouble.ts';
import type { Followers } from '../reflector/dispatcher.ts';

type Ports = Readonly<{
  clock: Clock;
  followers: Followers<ShootNamespace, SeedEvent>;
  notice: (notice: StreamNotice) => void;
}>;

/** Turns what the Clusters' stream tells into events of their shoots, and keeps the set of all shoots (SPEC 3). */
export class ClusterEvents {
  readonly #feed: SeedFeed<ClusterReading>;
  readonly #ports: Ports;
  readonly #present = new Set<ShootNamespace>();

  constructor(feed: SeedFeed<ClusterReading>, ports: Ports) {
    this.#feed = feed;
    this.#ports = ports;
  }

  /** A copy. */
  get shoots(): ReadonlySet<ShootNamespace> {
    return new Set(this.#present);
  }

  presentOf(shoot: ShootNamespace): readonly SeedEvent[] {
    const reading = this.#feed.get('', shoot);
    return [this.#watched(), ...(reading === undefined ? [] : [this.#changed(reading)])];
  }

  /** Whether a shoot has come or gone. */
  follow(item: StreamItem<ClusterReading>): boolean {
    const wasLive = this.#feed.live;
    this.#feed.take(item);
    const deleted = item.type === 'listed' ? item.deleted : item.type === 'deleted' ? [item] : [];
    const applied = item.type === 'listed' ? item.applied : item.type === 'applied' ? [item] : [];
    const gone = deleted.filter(({ name }) => this.#present.delete(name));
    for (const { name } of gone)
      this.#ports.followers.tell(name, { type: 'cluster.gone', at: this.#ports.clock.now() });
    const left = this.#present.size;
    for (const one of applied) this.#apply(one);
    if (this.#feed.live !== wasLive) this.#tellWatched();
    return gone.length > 0 || this.#present.size > left;
  }

  forget(): void {
    this.#present.clear();
  }

  #apply({ object: { name, value }, before }: Applied<ClusterReading>): void {
    this.#present.add(name);
    // Gardener writes a Cluster with each heartbeat of its shoot; most of that is nothing to us.
    if (before !== undefined && isDeepStrictEqual(before.value, value)) return;
    const { followers, notice } = this.#ports;
    if (!value.readable) notice({ kind: 'unreadable', stream: 'clusters', object: name, problem: value.problem });
    followers.tell(name, this.#changed(value));
  }

  /** A machine may have asked for its Cluster meanwhile, and know what the stream never held: it hears again how it is (SPEC 3.5). */
  #tellWatched(): void {
    const { followers } = this.#ports;
    for (const shoot of followers) {
      const reading = this.#feed.live ? this.#feed.get('', shoot) : undefined;
      if (reading !== undefined) followers.tell(shoot, this.#changed(reading));
      followers.tell(shoot, this.#watched());
    }
  }

  #watched(): SeedEvent {
    return { type: 'cluster.watched', at: this.#ports.clock.now(), live: this.#feed.live };
  }

  #changed(reading: ClusterReading): SeedEvent {
    return { type: 'cluster.changed', at: this.#ports.clock.now(), reading };
  }
}

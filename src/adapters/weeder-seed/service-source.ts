import { Observable, Subscription } from 'rxjs';
import type { Instant } from '../../domain/time.ts';
import type { ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { SliceReading, Slices } from '../../domain/weeder/service-slices.ts';
import type { SliceGap } from '../../domain/weeder/slice-gap.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { Informer } from '../reflector/informer.ts';
import type { SeedHistory } from '../reflector/seed-history.ts';
import type { StreamItem } from '../reflector/stream-item.ts';
import type { StreamNotice } from '../reflector/stream-trouble.ts';
import type { ServiceKind } from './service-kinds.ts';
import { ServiceSlices, type ServiceChange } from './service-slices.ts';

export type SourceParts = Readonly<{
  client: KubeClient;
  clock: Clock;
  chance: Chance;
  history: SeedHistory;
  notice: (notice: StreamNotice) => void;
}>;

export type SourceNews =
  /** The first list of each of its streams is in. */
  | Readonly<{ type: 'listed' }>
  /** After `listed`: these services are different now. */
  | Readonly<{ type: 'changed'; changes: readonly ServiceChange[]; gap: SliceGap | undefined }>
  /** All its streams follow the seed. */
  | Readonly<{ type: 'live' }>
  /** One of its streams does not. */
  | Readonly<{ type: 'out' }>
  /** The seed does not let us see this kind, or does not serve it. The source goes on asking. */
  | Readonly<{ type: 'refused'; problem: string }>;

type Item = StreamItem<SliceReading | undefined>;

type ServiceStream = {
  readonly informer: Informer<SliceReading | undefined>;
  readonly slices: ServiceSlices;
  /** When it last spoke. A watch that goes on where it was cut misses nothing; one that was half open was silent before it was cut. */
  heardAt: Instant | undefined;
  live: boolean;
};

/** All that one kind tells of the configured services. The objects of one service come over one stream. */
export class ServiceSource {
  readonly kind: ServiceKind;
  /** Only one may subscribe at a time; when it leaves, everything is forgotten. */
  readonly news$: Observable<SourceNews>;
  readonly #clock: Clock;
  readonly #streams: readonly ServiceStream[];
  #listed = false;

  constructor(kind: ServiceKind, parts: SourceParts) {
    const { stream, path, pageSize, limit, read: project } = kind;
    this.kind = kind;
    this.#clock = parts.clock;
    this.#streams = kind.queries.map((one) => ({
      informer: new Informer({ ...parts, stream, path, pageSize, limit, project, ...one }),
      slices: new ServiceSlices(),
      heardAt: undefined,
      live: false,
    }));
    this.news$ = new Observable((observer) => {
      const running = new Subscription();
      running.add(() => this.#forget());
      for (const stream of this.#streams)
        running.add(
          stream.informer.updates$.subscribe(({ item }) => {
            const news = this.#take(stream, item);
            if (news !== undefined) observer.next(news);
          }),
        );
      return running;
    });
  }

  /** A copy. */
  get services(): ReadonlySet<ServiceKey> {
    return new Set(this.#streams.flatMap(({ slices }) => [...slices.services]));
  }

  /** Every stream follows the seed. */
  get live(): boolean {
    return this.#streams.every(({ live }) => live);
  }

  /** Since when something may have happened unseen; undefined before the first lists. */
  get seenUntil(): Instant | undefined {
    if (!this.#listed) return undefined;
    return this.live ? this.#clock.now() : Math.min(...this.#streams.map(({ heardAt }) => heardAt ?? Infinity));
  }

  /** Undefined where the service is not there. */
  of(service: ServiceKey): Slices | undefined {
    return this.#streams.map(({ slices }) => slices.of(service)).find((slices) => slices !== undefined);
  }

  #take(stream: ServiceStream, item: Item): SourceNews | undefined {
    const gap = gapBefore(item, stream.heardAt);
    if (item.type !== 'out' && item.type !== 'live') stream.heardAt = this.#clock.now();
    if (item.type === 'out' || item.type === 'live') stream.live = item.type === 'live';
    const changes = stream.slices.apply(item);
    if (item.type === 'out') return item.refused ? { type: 'refused', problem: item.problem } : { type: 'out' };
    if (item.type === 'live') return this.live ? { type: 'live' } : undefined;
    if (this.#listed) return changes.length === 0 ? undefined : { type: 'changed', changes, gap };
    this.#listed = this.#streams.every(({ informer }) => informer.listed);
    return this.#listed ? { type: 'listed' } : undefined;
  }

  #forget(): void {
    this.#listed = false;
    for (const stream of this.#streams) {
      stream.slices.forget();
      stream.heardAt = undefined;
      stream.live = false;
    }
  }
}

/** Only a list can hide what happened before it; the first one has nothing before it. */
function gapBefore(item: StreamItem<unknown>, heardAt: Instant | undefined): SliceGap | undefined {
  if (item.type !== 'listed' || heardAt === undefined) return undefined;
  return { since: heardAt, ...(item.rewound ? { rewound: true } : {}) };
}

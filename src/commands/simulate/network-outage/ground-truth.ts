import { Observable } from 'rxjs';
import type { DependantKey } from '../../../domain/prober/dependant.ts';
import { readLease, type NodeLease } from '../../../domain/prober/node-lease.ts';
import { hasTwoPaths, type ProberConfig } from '../../../domain/prober/prober-config.ts';
import { readResource } from '../../../domain/prober/resource-view.ts';
import { judgeLeases } from '../../../domain/prober/verdict.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import { earliest, type Instant } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import type { DependantState } from '../../../simulator/shoot/shoot-dependants.ts';
import { kinds } from '../../../simulator/store/embedded-kinds.ts';
import type { FirstViews } from './network-model.ts';
import type { DependantView, Observation, ProbeCost, Threat } from './observation.ts';

/** The true state of the embedded seed, read from the seed and not from the prober. */
export class GroundTruth {
  readonly #seed: EmbeddedSeed;
  readonly #clock: Clock;
  readonly #config: ProberConfig;

  constructor(seed: EmbeddedSeed, clock: Clock, config: ProberConfig) {
    this.#seed = seed;
    this.#clock = clock;
    this.#config = config;
  }

  /** Every dependant that there is, by shoot. */
  views(): FirstViews {
    const { dependants } = this.#config;
    return new Map(
      this.#seed.shoots.map((shoot) => [
        shoot.name,
        new Map(
          dependants.flatMap(({ key, ref }): (readonly [DependantKey, DependantView])[] => {
            const state = shoot.dependants.get(ref.name);
            return state === undefined ? [] : [[key, viewOf(state)]];
          }),
        ),
      ]),
    );
  }

  /** Each change of a dependant, by anybody, as soon as it is stored. */
  readonly changes$: Observable<Observation> = new Observable((observer) => {
    const { api, shoots } = this.#seed;
    const names = new Set(shoots.map(({ name }) => name));
    for (const { key, ref } of this.#config.dependants) {
      const kind = api.kindOf(ref.apiVersion, ref.kind);
      if (kind === undefined) continue;
      observer.add(
        api.storage.store.of(kind).onChange(({ revision }) => {
          const { name, namespace = '' } = revision.object.metadata;
          if (name !== ref.name || !names.has(namespace)) return;
          const state = this.#seed.shoot(namespace).dependants.get(name);
          const view = state === undefined ? missing : viewOf(state);
          observer.next({ type: 'dependant', at: this.#clock.now(), shoot: namespace, key, view });
        }),
      );
    }
  });

  /** The leases of a shoot's nodes, as its own API server stores them. */
  #leases(shoot: ShootNamespace): readonly NodeLease[] {
    const leases = this.#seed.shoot(shoot).api.storage.store.of(kinds.lease).list('kube-node-lease');
    return leases.flatMap(({ object }) => readLease(object) ?? []);
  }

  /** When the oldest of a shoot's leases was renewed; undefined where it has none. */
  oldestRenewal(shoot: ShootNamespace): Instant | undefined {
    return earliest(this.#leases(shoot).map(({ renewedAt }) => renewedAt ?? undefined));
  }

  /**
   * If nobody renews the leases from now on: when they show an outage, and when the first node is marked. To two paths an
   * outage shows as soon as one of them breaks.
   */
  threat(shoot: ShootNamespace): Threat | undefined {
    const { kcmNodeMonitorGraceDuration: grace, nodeLeaseFailureFraction: failureFraction } = this.#config;
    if (hasTwoPaths(this.#config)) {
      const renewedAt = this.oldestRenewal(shoot);
      return renewedAt === undefined ? undefined : { crossedAt: this.#clock.now(), firstMarkAt: renewedAt + grace };
    }
    const verdict = judgeLeases(this.#leases(shoot), Infinity, { grace, failureFraction });
    if (verdict.kind !== 'cutOff') return undefined;
    return { crossedAt: verdict.crossedAt, firstMarkAt: verdict.firstMarkAt };
  }
}

const missing: DependantView = { replicas: 0, readyReplicas: 0, marked: false, ignored: false };

/** Reads the annotations as the prober does. The counts come from the simulator, which knows where each kind has them. */
function viewOf({ desired, ready, annotations }: DependantState): DependantView {
  const { marked, record, ignored } = readResource({ metadata: { annotations } });
  return { replicas: desired, readyReplicas: ready, marked, ignored, ...(record === undefined ? {} : { record }) };
}

/** Reads from the servers what each probe cost: all requests since the last reading, whoever sent them. */
export class RequestMeter {
  readonly #seed: EmbeddedSeed;
  readonly #last = new Map<ShootNamespace, ProbeCost>();
  /** Requests to the seed about one shoot, by its namespace. */
  readonly #aboutShoots = new Map<ShootNamespace, number>();
  #seenCount: number;

  constructor(seed: EmbeddedSeed) {
    this.#seed = seed;
    this.#seenCount = seed.api.requests.count;
  }

  /** The cost since the last call for this shoot; the first time, since the beginning. */
  take(shoot: ShootNamespace): ProbeCost {
    this.#countSeedRequests();
    const { api } = this.#seed.shoot(shoot);
    const now: ProbeCost = {
      connections: api.connections,
      shootRequests: api.requests.count,
      seedRequests: this.#aboutShoots.get(shoot) ?? 0,
    };
    const last = this.#last.get(shoot) ?? { connections: 0, shootRequests: 0, seedRequests: 0 };
    this.#last.set(shoot, now);
    return {
      connections: now.connections - last.connections,
      shootRequests: now.shootRequests - last.shootRequests,
      seedRequests: now.seedRequests - last.seedRequests,
    };
  }

  #countSeedRequests(): void {
    const { requests } = this.#seed.api;
    const fresh = requests.after(this.#seenCount);
    this.#seenCount = requests.count;
    for (const { namespace } of fresh) {
      if (namespace !== '') this.#aboutShoots.set(namespace, (this.#aboutShoots.get(namespace) ?? 0) + 1);
    }
  }
}

import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { EmbeddedSeed } from '../../simulator/embedded-seed.ts';
import type { SeenRequest } from '../../simulator/api/request-log.ts';
import type { ProbeCost } from './observation.ts';

/** Reads off the servers what each probe cost them: all that came since the last reading, whoever may have sent it. */
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

  /** What it cost since the last time that this shoot was asked for; since the beginning at first. */
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

  /** Everything that the seed was ever asked, its watches included. */
  get seedRequests(): number {
    return this.#seed.api.requests.count;
  }

  #countSeedRequests(): void {
    const { all, count } = this.#seed.api.requests;
    const fresh: readonly SeenRequest[] = all.slice(Math.max(0, all.length - (count - this.#seenCount)));
    this.#seenCount = count;
    for (const { namespace } of fresh) {
      if (namespace !== '') this.#aboutShoots.set(namespace, (this.#aboutShoots.get(namespace) ?? 0) + 1);
    }
  }
}

import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject } from '@dwd/simulator/store/kube-object.ts';
import type { Seen } from './observation.ts';
import type { Scene, Shoot } from './scene.ts';

/** A machine that is ordered has to boot. */
const untilReady: Millis = 60_000;

type Watched = {
  /** Since when each node is marked Unknown, as this controller saw it. */
  readonly unknownSince: Map<string, Instant>;
  /** Its key in the seed's store. */
  readonly deployment: string;
  /** Machines that were ordered in the place of others, and cannot join before the outage is over. */
  pending: number;
};

/**
 * The machine-controller-managers of all shoots: the harm that a meltdown does. A node that has been Unknown for `machineHealthTimeout` while it ran loses
 * its Machine, its lease and itself; a new one is ordered, which joins a minute after nodes reach their API server again. As the real one does, it
 * replaces one Machine at a time, and a start forgets nothing.
 */
export class MachineControllers {
  readonly #scene: Pick<Scene, 'seed' | 'now' | 'observe'>;
  readonly #healthTimeout: Millis;
  /** By shoot, since one that is created anew begins anew. */
  readonly #seen = new WeakMap<Shoot, Watched>();

  constructor(scene: Pick<Scene, 'seed' | 'now' | 'observe'>, healthTimeout: Millis) {
    this.#scene = scene;
    this.#healthTimeout = healthTimeout;
  }

  /** An outage is over: what was ordered joins. */
  calm(): void {
    for (const shoot of this.#scene.seed.shoots) this.#join(shoot);
  }

  happening({ happening }: Seen<'happening'>): void {
    if (happening.kind !== 'nodes healed') return;
    for (const shoot of this.#scene.seed.shoots) if (shoot.name === happening.shoot) this.#join(shoot);
  }

  /** Each second. */
  look(): void {
    for (const shoot of this.#scene.seed.shoots) {
      const seen = this.#of(shoot);
      const { unknownNodes } = shoot;
      // Its Machine says since when a node is Unknown, so that counts on while it does not run.
      if (!this.#runs(seen)) continue;
      if (unknownNodes.length === 0) seen.unknownSince.clear();
      else this.#replaceOne(shoot, seen, new Set(unknownNodes));
    }
  }

  #replaceOne(shoot: Shoot, seen: Watched, unknown: ReadonlySet<string>): void {
    const now = this.#scene.now();
    for (const node of seen.unknownSince.keys()) if (!unknown.has(node)) seen.unknownSince.delete(node);
    for (const node of unknown) {
      const since = seen.unknownSince.get(node) ?? now;
      seen.unknownSince.set(node, since);
      // A shoot without nodes is another one.
      if (now - since < this.#healthTimeout || seen.pending > 0 || shoot.nodes.length < 2) continue;
      this.#scene.observe({ kind: 'replaced', shoot: shoot.name, node });
      seen.unknownSince.delete(node);
      seen.pending += 1;
      shoot.removeNode(node);
    }
  }

  #join(shoot: Shoot): void {
    this.#scene.seed.api.agenda.after(untilReady, () => {
      const seen = this.#of(shoot);
      if (this.#scene.seed.shoots.includes(shoot)) shoot.addNodes(seen.pending);
      seen.pending = 0;
    });
  }

  #of(shoot: Shoot): Watched {
    const known = this.#seen.get(shoot);
    if (known !== undefined) return known;
    const seen: Watched = {
      unknownSince: new Map(),
      deployment: `${shoot.name}/machine-controller-manager`,
      pending: 0,
    };
    this.#seen.set(shoot, seen);
    return seen;
  }

  #runs({ deployment }: Watched): boolean {
    const found = this.#scene.seed.api.storage.store.of(kinds.deployment).get(deployment);
    return Number(asObject(found?.object['status'])['readyReplicas'] ?? 0) > 0;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../real/api-server.ts';
import { settle } from '../real/seed-objects.ts';

/** Replicas as the seed's watch showed them. `at` is in ms. */
export type Scaling = Readonly<{ name: string; replicas: number; at: number }>;

/** The process behind a Deployment; both resolve once it is so. */
export type Deployed = Readonly<{ start: () => Promise<void>; end: () => Promise<void> }>;

type Playing = Readonly<{
  /** The processes, by `namespace/name`. */
  behind?: ReadonlyMap<string, Deployed>;
  /** The seed is away at times, and may be restored meanwhile. */
  isAway?: boolean;
  /** Of this namespace alone. */
  namespace?: string;
  /** How long pods take, which nobody runs here, in ms: to be scheduled, pulled and started, or to be gone. */
  podTakes?: Readonly<{ toStart: number; toEnd: number }>;
}>;

type Deployment = Readonly<{
  metadata: { name: string; namespace: string; generation: number };
  spec: { replicas: number };
  status?: { observedGeneration?: number };
}>;

/** The last scaling, and what is done for it, which later generations with as many replicas go on with. */
type Latest = Readonly<{ scaling: Scaling; generation: number; pods: Promise<void> }>;

/** Plays the Deployment controller of a seed and the kubelets under it, and remembers who was scaled when. */
export class PlayedDeployments {
  readonly #seed: RealApiServer;
  readonly #behind: ReadonlyMap<string, Deployed>;
  readonly #latest = new Map<string, Latest>();
  readonly #scalings = new Map<string, Scaling[]>();
  readonly #isAway: boolean;
  readonly #path: string;
  readonly #podTakes: Readonly<{ toStart: number; toEnd: number }>;
  #stopped = false;

  constructor(
    seed: RealApiServer,
    { behind = new Map(), isAway = false, namespace, podTakes = { toStart: 2_000, toEnd: 300 } }: Playing = {},
  ) {
    this.#seed = seed;
    this.#behind = behind;
    this.#isAway = isAway;
    this.#path = `/apis/apps/v1/${namespace === undefined ? '' : `namespaces/${namespace}/`}deployments?watch=1`;
    this.#podTakes = podTakes;
  }

  /** Goes on until it is stopped. Rejects if it fails. */
  async follow(): Promise<void> {
    const failed = Promise.withResolvers<never>();
    const onEvent = ({ type, object }: { type: string; object: Record<string, unknown> }) =>
      void this.#follow(object as unknown as Deployment, type === 'DELETED').catch((error: unknown) => {
        if (!this.#stopped && !this.#isAway) failed.reject(error);
      });
    while (!this.#stopped)
      // A server ends each watch after some time; the next one begins with all there is.
      await Promise.race([failed.promise, this.#seed.watch(this.#path, onEvent)]).catch(async (error: unknown) => {
        if (!this.#stopped && !this.#isAway) throw error;
        await pause(200);
        // A restored seed counts from another number.
        this.#latest.clear();
      });
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Since an instant, oldest first. */
  scalings(namespace: string, since: number): readonly Scaling[] {
    return (this.#scalings.get(namespace) ?? []).filter(({ at }) => at >= since);
  }

  async #follow(
    { metadata: { name, namespace, generation }, spec: { replicas }, status }: Deployment,
    isDeleted: boolean,
  ): Promise<void> {
    const at = Date.now();
    const key = `${namespace}/${name}`;
    const known = this.#latest.get(key);
    if (isDeleted) {
      this.#latest.delete(key);
      await this.#behind.get(key)?.end();
      return;
    }
    if (known !== undefined && known.generation >= generation) return;
    // What a restored seed tells first says nothing of the processes.
    const isNews = this.#isAway && known === undefined;
    const isSettled = status?.observedGeneration === generation && !isNews;
    // Annotations make a generation as well, and neither start nor end a pod.
    const isScaled = known?.scaling.replicas !== replicas;
    const scaling = isScaled ? { name, replicas, at } : known.scaling;
    if (isScaled) this.#scalings.set(namespace, [...(this.#scalings.get(namespace) ?? []), scaling]);
    const comes = known?.scaling.replicas === 0 || isNews;
    const pods = isScaled ? (isSettled ? Promise.resolve() : this.#scale(key, scaling, comes)) : known.pods;
    this.#latest.set(key, { scaling, generation, pods });
    if (isSettled) return;
    await pods;
    if (!this.#stopped && this.#latest.get(key)?.generation === generation)
      await settle(this.#seed, namespace, name, replicas, generation);
  }

  /** `comes`: there was no pod, or nobody knows. */
  async #scale(key: string, scaling: Scaling, comes: boolean): Promise<void> {
    const behind = this.#behind.get(key);
    if (scaling.replicas === 0) {
      // A kubelet ends its containers first; what it has no process for takes as long as one may.
      await (behind?.end() ?? pause(this.#podTakes.toEnd));
    } else if (comes) {
      await pause(this.#podTakes.toStart);
      if (!this.#stopped && this.#latest.get(key)?.scaling === scaling) await behind?.start();
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../real/api-server.ts';
import { settle } from '../real/seed-objects.ts';

/** Replicas as the seed's watch showed them. `at` is in ms. */
export type Scaling = Readonly<{ name: string; replicas: number; at: number }>;

/** The process behind a Deployment; both resolve once it is so. */
export type Deployed = Readonly<{ start: () => Promise<void>; end: () => Promise<void> }>;

/** How long pods take, which nobody runs here: to be scheduled, pulled and started, or to be gone. */
const podTakes = { toStart: 2_000, toEnd: 300 } as const;

type Deployment = Readonly<{
  metadata: { name: string; namespace: string; generation: number };
  spec: { replicas: number };
  status: { observedGeneration?: number };
}>;

/** Plays the Deployment controller of a seed and the kubelets under it, and remembers who was scaled when. */
export class PlayedDeployments {
  readonly #seed: RealApiServer;
  readonly #behind: ReadonlyMap<string, Deployed>;
  readonly #latest = new Map<string, Scaling & { generation: number }>();
  readonly #scalings = new Map<string, Scaling[]>();
  #stopped = false;

  /** `behind`: by `namespace/name`. */
  constructor(seed: RealApiServer, behind: ReadonlyMap<string, Deployed>) {
    this.#seed = seed;
    this.#behind = behind;
  }

  /** Goes on until it is stopped. Rejects if it fails. */
  async follow(): Promise<void> {
    const failed = Promise.withResolvers<never>();
    const onEvent = ({ object }: { object: Record<string, unknown> }) =>
      void this.#follow(object as unknown as Deployment).catch((error: unknown) => {
        if (!this.#stopped) failed.reject(error);
      });
    while (!this.#stopped)
      // A server ends each watch after some time; the next one begins with all there is.
      await Promise.race([failed.promise, this.#seed.watch('/apis/apps/v1/deployments?watch=1', onEvent)]).catch(
        (error: unknown) => {
          if (!this.#stopped) throw error;
        },
      );
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Since an instant, oldest first. */
  scalings(namespace: string, since: number): readonly Scaling[] {
    return (this.#scalings.get(namespace) ?? []).filter(({ at }) => at >= since);
  }

  async #follow({ metadata: { name, namespace, generation }, spec: { replicas }, status }: Deployment): Promise<void> {
    const at = Date.now();
    const key = `${namespace}/${name}`;
    const known = this.#latest.get(key);
    if (known !== undefined && known.generation >= generation) return;
    this.#latest.set(key, { name, replicas, at, generation });
    if (known?.replicas !== replicas)
      this.#scalings.set(namespace, [...(this.#scalings.get(namespace) ?? []), { name, replicas, at }]);
    if (status.observedGeneration === generation) return;

    const isOver = () => this.#stopped || this.#latest.get(key)?.generation !== generation;
    const behind = this.#behind.get(key);
    if (replicas > 0 && known?.replicas === 0) {
      await pause(podTakes.toStart);
      if (!isOver()) await behind?.start();
    } else if (replicas === 0) {
      // A kubelet ends its containers first; what it has no process for takes as long as one may.
      await (behind?.end() ?? pause(podTakes.toEnd));
    }
    if (!isOver()) await settle(this.#seed, namespace, name, replicas, generation);
  }
}

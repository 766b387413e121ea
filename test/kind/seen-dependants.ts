import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import { follow, type Stored } from '@dwd/lab/real/follow.ts';
import type { Cluster } from '@dwd/lab/test/support/cluster.ts';

const mark = 'dependency-watchdog.gardener.cloud/meltdown-protection-active';
const record = 'dependency-watchdog.gardener.cloud/replicas';

type Scalable = KubernetesObject & { spec?: { replicas?: number } };

/** The desired replicas of a dependant, as the seed showed them at some time. */
export type SeenDependant = Readonly<{ name: string; replicas: number; marked: boolean; record: string | undefined }>;

/** What the seed shows of the dependants in one namespace, and in which order it came. */
export class SeenDependants {
  /** Each change of a dependant's replicas or marks, from when it was first seen. */
  readonly history: SeenDependant[] = [];
  readonly #latest = new Map<string, SeenDependant>();
  readonly #seed: Cluster;
  readonly #namespace: string;
  readonly #signal: AbortSignal;

  constructor(seed: Cluster, namespace: string, signal: AbortSignal) {
    this.#seed = seed;
    this.#namespace = namespace;
    this.#signal = signal;
  }

  /** Follows the replicas and annotations of a kind in the shoot's namespace. */
  follow({ group, version, plural }: Readonly<{ group: string; version: string; plural: string }>): void {
    const namespace = this.#namespace;
    const { custom } = this.#seed.operator;
    const list = () =>
      custom.listNamespacedCustomObject({ group, version, plural, namespace }) as Promise<
        KubernetesListObject<Scalable>
      >;
    const changed = ({ metadata: { name, annotations = {} }, spec }: Stored<Scalable>) => {
      const seen = { name, replicas: spec?.replicas ?? 1, marked: mark in annotations, record: annotations[record] };
      if (JSON.stringify(this.#latest.get(name)) === JSON.stringify(seen)) return;
      this.#latest.set(name, seen);
      this.history.push(seen);
    };
    follow(
      this.#seed.operator,
      `/apis/${group}/${version}/namespaces/${namespace}/${plural}`,
      list,
      { changed },
      this.#signal,
    );
  }

  /** `name: desired replicas`. */
  get replicas(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#latest.values()].map(({ name, replicas }) => [name, replicas]));
  }

  /** As it was seen last. */
  of(name: string): SeenDependant | undefined {
    return this.#latest.get(name);
  }

  /** Names in the order in which they came to 0 replicas, or from there. */
  wentDown(): readonly string[] {
    return this.#crossings((before, after) => before > 0 && after === 0);
  }

  cameUp(): readonly string[] {
    return this.#crossings((before, after) => before === 0 && after > 0);
  }

  #crossings(crosses: (before: number, after: number) => boolean): readonly string[] {
    const before = new Map<string, number>();
    return this.history.flatMap(({ name, replicas }) => {
      const crossed = crosses(before.get(name) ?? replicas, replicas);
      before.set(name, replicas);
      return crossed ? [name] : [];
    });
  }

  /** Nobody ever changed the replicas or our annotations. */
  get isUntouched(): boolean {
    return this.history.length === this.#latest.size;
  }

  /** No dependant bears a mark or a record. */
  get isUnmarked(): boolean {
    return [...this.#latest.values()].every(({ marked, record }) => !marked && record === undefined);
  }
}

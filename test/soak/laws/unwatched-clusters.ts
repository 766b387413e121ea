import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import type { Observation } from '../observation.ts';
import { longestBlindness } from './troubles.ts';

/** Hears when Clusters may be read and listed, and not watched: what is new is told by a GET alone then (3.5). */
export class UnwatchedClusters {
  #since: Instant = Infinity;
  #until: Instant = -Infinity;
  /** By process and shoot, when its Cluster was asked for in that time. */
  readonly #asked = new Map<string, Instant[]>();

  /** Whether the watch may be refused still, or may not have been opened anew. */
  has(at: Instant): boolean {
    return at < this.#until;
  }

  hear(observation: Observation): void {
    const { at } = observation;
    if (observation.kind === 'happening' && observation.happening.kind === 'Clusters unwatchable') {
      this.#since = at;
      this.#until = Infinity;
      this.#asked.clear();
    }
    if (this.#until !== Infinity) return;
    if (observation.kind === 'calm' || (observation.kind === 'happening' && observation.happening.kind === 'seed well'))
      this.#until = at + longestBlindness;
    const shoot =
      observation.kind === 'request' ? /\/clusters\/([^/?]+)/.exec(observation.request.url)?.[1] : undefined;
    if (observation.kind !== 'request' || shoot === undefined) return;
    const key = `${observation.process} ${shoot}`;
    this.#asked.set(key, [...(this.#asked.get(key) ?? []), at]);
  }

  /** When a process is told what a Cluster says since an instant, but for what it takes to be answered. `lag`: the watch's own. */
  toldAt(process: string, shoot: ShootNamespace, { since, lag }: Readonly<{ since: Instant; lag: Millis }>): Instant {
    if (since < this.#since - lag || since >= this.#until) return since;
    return this.#asked.get(`${process} ${shoot}`)?.find((at) => at >= since) ?? this.#until;
  }
}

import type { Instant, Millis } from '../domain/time.ts';

/**
 * Of the whole seed. A probe that finds the shoot cut off, or back, takes some 3 ms of CPU with all that follows, so 60 a second take less than a
 * fifth of a core, however many shoots are down. Up to 300 shoots are then probed every 5 s, and 1,000 every 17 s, or at their interval where
 * that is shorter.
 */
const placesASecond = 60;

/** Places are given out in short stretches of time, so that a thousand shoots that are cut off together are not probed together. */
const stretch: Millis = 100;
const placesInAStretch = (placesASecond * stretch) / 1_000;

/** Passed stretches are forgotten once there are so many; a stretch costs some 50 bytes. */
const mostStretches = 1_000;

/**
 * The probes that come before their interval while something is down by our hand, of all shoots of a seed (SPEC 4.6). First come, first
 * served: a shoot asks for its next probe only after the last one, so none gets ahead of the others by asking more.
 */
export class ProbeTimetable {
  readonly #taken = new Map<number, number>();

  /** The first instant from `wanted` on, and before `latest`, at which there is a place. It is taken then. */
  reserve(now: Instant, wanted: Instant, latest: Instant): Instant | undefined {
    this.#forget(now);
    for (let from = wanted; from < latest; from = (indexOf(from) + 1) * stretch) {
      const index = indexOf(from);
      const taken = this.#taken.get(index) ?? 0;
      if (taken >= placesInAStretch) continue;
      this.#taken.set(index, taken + 1);
      return from;
    }
    return undefined;
  }

  /** How many stretches are remembered. */
  get size(): number {
    return this.#taken.size;
  }

  #forget(now: Instant): void {
    if (this.#taken.size < mostStretches) return;
    for (const index of this.#taken.keys()) if (index < indexOf(now)) this.#taken.delete(index);
  }
}

function indexOf(at: Instant): number {
  return Math.floor(at / stretch);
}

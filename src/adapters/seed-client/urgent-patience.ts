import type { Millis } from '../../domain/time.ts';

/**
 * An urgent request that hears nothing for so long is asked again over another connection (SPEC 6.11). On a seed that is well
 * an answer takes milliseconds, on a busy one a second; a connection that has died without a word takes all the time there is.
 */
const firstSilence: Millis = 3_000;

/** A server that was asked so often, over as many connections, is not dead but slow. */
const mostInVain = 2;

/** Requests that are remembered, of a few hundred bytes each: two thirds of the dependants of a large seed. Who is forgotten is only asked once more. */
const longestMemory = 1_000;

type InVain = Readonly<{ tries: number; over: object }>;

/**
 * How long an urgent request may hear nothing. A server that takes its time, while a webhook hangs above all, answers no sooner for
 * being asked again: what was sent in vain over two connections gets all its time from then on, until it is quick again.
 */
export class UrgentPatience {
  /** By what is asked, as in `patch deployments shoot--a--b/kube-controller-manager`. */
  readonly #inVain = new Map<string, InVain>();

  /** Undefined where silence is no reason to give up. */
  silence(asked: string): Millis | undefined {
    return (this.#inVain.get(asked)?.tries ?? 0) < mostInVain ? firstSilence : undefined;
  }

  /** It was sent, and nothing came back; `over` stands for the connections of that time, all of which may have died. */
  sentInVain(asked: string, over: object): void {
    const before = this.#inVain.get(asked);
    if (before?.over === over) return;
    this.#inVain.set(asked, { tries: (before?.tries ?? 0) + 1, over });
    const [oldest] = this.#inVain.keys();
    if (this.#inVain.size > longestMemory && oldest !== undefined) this.#inVain.delete(oldest);
  }

  answered(asked: string, took: Millis): void {
    if (took < firstSilence) this.#inVain.delete(asked);
  }
}

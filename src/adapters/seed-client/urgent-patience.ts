import type { Millis } from '../../domain/time.ts';

/**
 * After this silence an urgent request is sent again over another connection (SPEC 6.11). A healthy seed answers within
 * milliseconds, a busy one within a second. Over a connection that died without a word, an answer never comes.
 */
const firstSilence: Millis = 3_000;

/** After this many tries over as many connections, the server is not dead but slow. */
const mostInVain = 2;

/** Requests that are remembered, with a few hundred bytes each: two thirds of the dependants of a large seed. A forgotten one is only sent once more. */
const longestMemory = 1_000;

type InVain = Readonly<{ tries: number; over: object }>;

/**
 * How long an urgent request may wait in silence. Asking again does not make a slow server faster, above all while a webhook hangs.
 * So a request that was sent in vain over two connections gets its full time from then on, until it is answered quickly again.
 */
export class UrgentPatience {
  /** By the words of the request: `patch deployments shoot--a--b/kube-controller-manager`. */
  readonly #inVain = new Map<string, InVain>();

  /** Undefined where silence is no reason to give the connection up. */
  silence(asked: string): Millis | undefined {
    return (this.#inVain.get(asked)?.tries ?? 0) < mostInVain ? firstSilence : undefined;
  }

  /** The request was sent, and nothing came back. `over` stands for the connections of that time, all of which may have died. */
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

import type { Turn } from '../../../effects/turn.ts';
import type { ObserveTurn } from './observe-turns.ts';

/** Calls back soon, and never within the call: once all is over that this turn of the event loop has begun, writes to sockets included. */
export type Later = (work: () => void) => void;

/** Turns that are told in one go, some 5 ms of work. Then whatever else waits has its turn, such as the answers that lead to the next writes. */
const mostAtOnce = 50;

/** Turns that may wait. A seed of a thousand shoots that are cut off together takes fewer in a second; a turn keeps some KB alive. */
const mostWaiting = 2_000;

/**
 * Holds turns back from whoever reads them until the writes that they command have left this process (SPEC 9.1). The order stays. Where too
 * many wait, all are told at once. Without `later` nothing is held back, as a clock needs it that does not follow the event loop.
 */
export class TurnOutbox {
  readonly #later: Later | undefined;
  readonly #waiting: Turn[] = [];
  #observe: ObserveTurn = () => undefined;
  #isDue = false;

  constructor(later: Later | undefined) {
    this.#later = later;
  }

  /** Takes the turns for this observer from now on. */
  to(observe: ObserveTurn): ObserveTurn {
    this.#observe = observe;
    return this.#later === undefined ? observe : (turn) => this.#take(turn);
  }

  /** Tells all that wait. */
  flush(): void {
    this.#tell(this.#waiting.length);
  }

  #take(turn: Turn): void {
    this.#waiting.push(turn);
    if (this.#waiting.length >= mostWaiting) this.flush();
    if (!this.#isDue) this.#tellLater();
  }

  #tellLater(): void {
    this.#isDue = this.#waiting.length > 0;
    if (!this.#isDue) return;
    this.#later?.(() => {
      this.#tell(mostAtOnce);
      this.#tellLater();
    });
  }

  #tell(count: number): void {
    for (const turn of this.#waiting.splice(0, count)) this.#observe(turn);
  }
}

import type { Instant } from '../../../domain/time.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { Ended, Started, Turn } from '../../../effects/turn.ts';

/** Names one turn of one machine: `seq` counts within a run of the process. */
export type TurnName = Readonly<{
  kind: keyof Languages;
  subject: string;
  run: string;
  seq: number;
  at: Instant;
}>;

/** The name of a turn, to lead back to it. `run`: of the process that took it. */
export function nameOf({ kind, subject, seq, at }: Omit<TurnName, 'run'>, run: string): TurnName {
  return { kind, subject, run, seq, at };
}

/** The kinds of machines that a table has entries for. */
export function kindsOf<Table extends object>(table: Table): readonly (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[];
}

/** Leads each turn to what its kind has in the table. `Turns` is a map from each kind to the type of its turns. */
export function byKind<Turns extends Readonly<Record<keyof Turns, Readonly<{ kind: keyof Turns }>>>, Result>(table: {
  readonly [Kind in keyof Turns]: (turn: Turns[Kind]) => Result;
}): (turn: Turns[keyof Turns]) => Result {
  return (turn) => table[turn.kind](turn);
}

/** No machine's own event has the type `started` or `ended`. */
export function isStarted<Event extends Readonly<{ type: string }>, Input>(
  event: Event | Started<Input>,
): event is Started<Input> {
  return event.type === 'started';
}

export function isEnded<Event extends Readonly<{ type: string }>, During>(
  event: Event | Ended<During>,
): event is Ended<During> {
  return event.type === 'ended';
}

export type ObserveTurn = (turn: Turn) => void;

/** Whoever reads the turns of a role. */
export type ObserverName = 'metrics' | 'log' | 'roll' | 'journal' | 'health' | 'inspector' | 'events';

/**
 * Makes one observer out of several (SPEC 9.1). One that throws is reported by its name, and harms neither the others nor
 * the program: observation must not decide what happens.
 */
export function observeTurns<Name extends string>(
  observers: Readonly<Partial<Record<Name, ObserveTurn>>>,
  onFault: (observer: Name, error: unknown) => void,
): ObserveTurn {
  const named = Object.entries(observers) as [Name, ObserveTurn][];
  return (turn) => {
    for (const [name, observe] of named) {
      try {
        observe(turn);
      } catch (error) {
        onFault(name, error);
      }
    }
  };
}

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

import { Observable, type Subscriber } from 'rxjs';
import type { Instant } from '../domain/time.ts';
import type { Clock } from './ports.ts';

/** One effect for each command, none left out: a missing one does not compile. */
export type EffectsOf<Commands, Event> = Readonly<{
  [Name in Exclude<keyof Commands, 'note'>]: (params: Commands[Name]) => Observable<Event>;
}>;

/** Leads each command to the effect of its name. */
export function carryOutBy<Command extends Readonly<{ type: string; params: unknown }>, Event>(
  effects: Readonly<{
    [Name in Command['type']]: (params: Extract<Command, { type: Name }>['params']) => Observable<Event>;
  }>,
): (command: Command) => Observable<Event> {
  return ({ type, params }) => effects[type as Command['type']](params);
}

type Woken = Readonly<{ type: 'woken'; at: Instant }>;

/** An effect that is over as soon as it was carried out; what `work` returns is its answer, if any. */
export function atOnce<Event>(work: () => Event | undefined): Observable<Event> {
  return new Observable((observer) => {
    const answer = work();
    if (answer !== undefined) observer.next(answer);
    observer.complete();
  });
}

/** The effect of `wake`: one timer for one machine, which the next call replaces. */
export function wakeEffect(clock: Clock): (params: Readonly<{ at: Instant }>) => Observable<Woken> {
  let pending: Subscriber<Woken> | undefined;
  return ({ at }) =>
    new Observable((observer) => {
      // The one before is over, and not merely silent: the runtime would keep its subscription for ever.
      pending?.complete();
      pending = observer;
      return clock.wakeAt(at).subscribe((woke) => {
        observer.next({ type: 'woken', at: woke });
        observer.complete();
      });
    });
}

/** When a piece of work was begun, before its first request was sent, and when it was over. */
type Span = Readonly<{ at: Instant; askedAt: Instant }>;

/**
 * Starts the work on subscribe, and emits the event that it comes to. It is aborted on unsubscribe, or by whoever else has the
 * controller; only in the latter case does it still answer.
 */
export function fromAbortable<Answer, Event>(
  clock: Clock,
  work: (abort: AbortController) => Promise<Answer>,
  eventOf: (answer: Answer, span: Span) => Event,
): Observable<Event> {
  return new Observable((observer) => {
    const abort = new AbortController();
    const askedAt = clock.now();
    let isOver = false;
    work(abort).then(
      (answer) => {
        isOver = true;
        // The machine has ended, and nobody asks for its event.
        if (observer.closed) return;
        observer.next(eventOf(answer, { at: clock.now(), askedAt }));
        observer.complete();
      },
      (error: unknown) => observer.error(error),
    );
    return () => {
      // An abort makes an error with its stack, which nobody reads where the work is over.
      if (!isOver) abort.abort();
    };
  });
}

/** Work of one machine that can be taken back by its number as long as it was not sent. */
export class Withdrawals {
  readonly #clock: Clock;
  readonly #open = new Map<number, AbortController>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts the work on subscribe, and emits the event that it comes to. A machine that ends takes back what was not sent; what
   * was sent is not cut half-way (SPEC 1.4).
   */
  run<Answer, Event>(
    number: number,
    work: (withdrawn: AbortSignal) => Promise<Answer>,
    eventOf: (answer: Answer, span: Span) => Event,
  ): Observable<Event> {
    return fromAbortable(
      this.#clock,
      (withdrawal) => {
        this.#open.set(number, withdrawal);
        return work(withdrawal.signal);
      },
      (answer, span) => {
        this.#open.delete(number);
        return eventOf(answer, span);
      },
    );
  }

  /** The effect of `withdraw`; the work answers by itself. */
  withdraw(number: number): Observable<never> {
    return atOnce<never>(() => {
      this.#open.get(number)?.abort();
      return undefined;
    });
  }
}

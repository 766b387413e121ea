import { takeUntil, defer, Subject, map, Observable, EMPTY } from 'rxjs';
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

/** The effect of `wake`: one timer for one machine, which the next call replaces. */
export function wakeEffect(clock: Clock): (params: Readonly<{ at: Instant }>) => Observable<Woken> {
  const replaced$ = new Subject<void>();
  return ({ at }) =>
    defer(() => {
      // The one before is over, and not merely silent: the runtime would keep its subscription for ever.
      replaced$.next();
      return clock.wakeAt(at).pipe(
        map((woke): Woken => ({ type: 'woken', at: woke })),
        takeUntil(replaced$),
      );
    });
}

/** Starts the work on subscribe, emits what it resolves to, and aborts it on unsubscribe. */
export function fromAbortable<Value>(work: (signal: AbortSignal) => Promise<Value>): Observable<Value> {
  return new Observable((observer) => {
    const abort = new AbortController();
    let isOver = false;
    work(abort.signal).then(
      (value) => {
        isOver = true;
        observer.next(value);
        observer.complete();
      },
      (error: unknown) => {
        if (!abort.signal.aborted) observer.error(error);
      },
    );
    return () => {
      // An abort makes an error with its stack, which nobody reads where the work is over.
      if (!isOver) abort.abort();
    };
  });
}

/** What came of a piece of work, and between which instants. */
type Done<Answer> = Readonly<{ at: Instant; askedAt: Instant; answer: Answer }>;

/** Does the work as `fromAbortable`, and notes when it was begun, before its first request was sent. */
export function timed<Answer>(clock: Clock, work: (signal: AbortSignal) => Promise<Answer>): Observable<Done<Answer>> {
  return fromAbortable(async (signal) => {
    const askedAt = clock.now();
    return { askedAt, answer: await work(signal) };
  }).pipe(map((done) => ({ at: clock.now(), ...done })));
}

/** Work of one machine that can be taken back by its number as long as it was not sent. */
export class Withdrawals {
  readonly #clock: Clock;
  readonly #open = new Map<number, AbortController>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts the work on subscribe and emits what it resolves to. A machine that ends takes back what was not sent; what
   * was sent is not cut half-way (SPEC 1.4).
   */
  run<Answer>(number: number, work: (withdrawn: AbortSignal) => Promise<Answer>): Observable<Done<Answer>> {
    return timed(this.#clock, async (ended) => {
      const withdrawal = new AbortController();
      this.#open.set(number, withdrawal);
      // Not AbortSignal.any: Node keeps such a signal, with all who listen to it, until one of its sources is aborted.
      ended.addEventListener('abort', () => withdrawal.abort());
      try {
        return await work(withdrawal.signal);
      } finally {
        this.#open.delete(number);
      }
    });
  }

  /** The effect of `withdraw`; the work answers by itself. */
  withdraw(number: number): Observable<never> {
    return defer(() => {
      this.#open.get(number)?.abort();
      return EMPTY;
    });
  }
}

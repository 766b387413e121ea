import {
  EMPTY,
  NEVER,
  Observable,
  catchError,
  concat,
  concatMap,
  defer,
  filter,
  map,
  of,
  race,
  repeat,
  take,
  takeWhile,
  Subscription,
} from 'rxjs';
import { backoff, type Backoff } from '../domain/backoff.ts';
import type { Instant, Millis } from '../domain/time.ts';
import type { Clock } from './ports.ts';
import type { Language, OutcomeOf, PlainOf, PureMachine } from '../machines/pure-machine.ts';
import { runMachine, type Taken } from './run-machine.ts';
import type { Ended, Started, TurnOf } from './turn.ts';

/** The pauses before a machine that bugs end again and again is started afresh. */
const restartBackoff: Backoff = { first: 1_000, longest: 60_000 };
/** A machine that ran for this long has recovered: the pause after its next bug is the shortest one again. */
const healthyAfter: Millis = 10 * 60_000;

/** One kind of machine, and the world that it lives in. */
export type Supervision<Spoken extends Language> = Readonly<{
  clock: Clock;
  kind: Spoken['Kind'];
  machine: PureMachine<Spoken>;
  /** The subjects that need a machine, as they come and go. */
  present$: Observable<ReadonlySet<Spoken['Subject']>>;
  events$(subject: Spoken['Subject']): Observable<Spoken['Event']>;
  /** The type of the event that says that the machine's subject is gone. */
  departure: Spoken['Event']['type'];
  /** `again`: a bug ended the machine that was started before. */
  input(subject: Spoken['Subject'], again: boolean): Spoken['Input'];
  /** The state that is told of a machine that threw before its first turn. */
  nowhere: Spoken['State'];
  /** Called once for each life of a machine. */
  effects(subject: Spoken['Subject']): (command: Spoken['Command']) => Observable<Spoken['Event']>;
}>;

/**
 * Runs one machine for each subject, from its arrival to its departure, and tells every turn. A bug of ours ends the
 * machine it happened to, which is started afresh; the others do not notice (ARCHITECTURE, Failures).
 */
export function supervise<Spoken extends Language>(supervision: Supervision<Spoken>): Observable<TurnOf<Spoken>> {
  return defer(() => {
    let seq = 0;
    const next = () => ++seq;
    return whilePresent(supervision.present$, (subject) => superviseOne(supervision, subject, next));
  });
}

function superviseOne<Spoken extends Language>(
  supervision: Supervision<Spoken>,
  subject: Spoken['Subject'],
  nextSeq: () => number,
): Observable<TurnOf<Spoken>> {
  type Snapshot = PlainOf<Spoken>;
  type Outcome = OutcomeOf<Spoken>;
  const { clock, departure, kind, machine } = supervision;
  let bugs = 0;
  let startedAt: Instant;
  /** The event that is being taken, and the outcome of the one before: both are told with the bug that ends a life. */
  let met: Spoken['Event'] | undefined;
  let outcome: Outcome | undefined;
  let isGone = false;

  /** From start to departure, or to the first bug, which is thrown. */
  function life(): Observable<TurnOf<Spoken>> {
    const input = supervision.input(subject, bugs > 0);
    const started: Started<Spoken['Input']> = { type: 'started', at: clock.now(), input };
    const steps = {
      first: () => machine.first(input),
      take: (before: Snapshot, event: Spoken['Event']) => {
        met = event;
        return machine.take(before, event);
      },
    };
    return runMachine<Spoken['Event'], Snapshot, Spoken['Command'], Outcome>(
      steps,
      supervision.events$(subject),
      supervision.effects(subject),
    ).pipe(
      concatMap((taken) => {
        outcome = taken.result;
        const turn = takenTurn(taken, started);
        return taken.event?.type === departure ? [turn, goneTurn(taken.event.at)] : [turn];
      }),
      takeWhile(({ event }) => event.type !== 'ended', true),
    );
  }

  /** After a bug: the turn that tells of it, then a pause. The subject may go during the pause. */
  function afterBug(error: unknown): Observable<TurnOf<Spoken>> {
    bugs = clock.now() - startedAt >= healthyAfter ? 1 : bugs + 1;
    const pause = backoff(bugs, restartBackoff);
    const during = met === undefined ? {} : { during: met };
    return concat(
      of(endTurn(clock.now(), { because: 'bug', error: describe(error), ...during })),
      race(
        clock.wakeAt(clock.now() + pause).pipe(map(() => EMPTY)),
        departure$().pipe(map(({ at }) => of(goneTurn(at)))),
      ).pipe(concatMap((rest$) => rest$)),
    );
  }

  /** A subject may go while nobody runs its machine. What observers keep of it must go all the same (SPEC 9.2). */
  function departure$(): Observable<Spoken['Event']> {
    // What threw once may throw again.
    return defer(() => supervision.events$(subject)).pipe(
      filter(({ type }) => type === departure),
      take(1),
      catchError(() => NEVER),
    );
  }

  function takenTurn(
    { event, before, result }: Taken<Spoken['Event'], Snapshot, Outcome>,
    started: Started<Spoken['Input']>,
  ): TurnOf<Spoken> {
    const taken = event ?? started;
    return {
      kind,
      subject,
      seq: nextSeq(),
      at: taken.at,
      event: taken,
      from: before === undefined ? undefined : machine.stateOf(before),
      to: result.state,
      commands: result.commands,
      notes: result.notes,
      before: before === undefined ? undefined : machine.plain(before),
      after: machine.plain(result.snapshot),
    };
  }

  function goneTurn(at: Instant): TurnOf<Spoken> {
    isGone = true;
    return endTurn(at, { because: 'gone' });
  }

  function endTurn(at: Instant, why: Omit<Ended<Spoken['Event']>, 'type' | 'at'>): TurnOf<Spoken> {
    const state = outcome?.state ?? supervision.nowhere;
    const after = outcome === undefined ? undefined : machine.plain(outcome.snapshot);
    return {
      kind,
      subject,
      seq: nextSeq(),
      at,
      event: { type: 'ended', at, ...why },
      from: state,
      to: state,
      commands: [],
      notes: [],
      before: after,
      after,
    };
  }

  return defer(() => {
    startedAt = clock.now();
    met = undefined;
    outcome = undefined;
    // Deferred, so that an error before there is a stream ends this machine's life only.
    return defer(life).pipe(catchError(afterBug));
    // Repeated rather than nested: a machine that fails for days would overflow the stack.
  }).pipe(repeat({ delay: () => (isGone ? EMPTY : of(true)) }));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs one stream for each key, from the key's arrival in the set to its departure, or for as long as it lasts. */
export function whilePresent<Key, Value>(
  present: Observable<ReadonlySet<Key>>,
  run: (key: Key) => Observable<Value>,
): Observable<Value> {
  return new Observable((all) => {
    const running = new Map<Key, Subscription>();
    const fail = (error: unknown) => all.error(error);

    const arrivals = present.subscribe({
      next: (keys) => {
        for (const [key, one] of running) {
          if (keys.has(key)) continue;
          one.unsubscribe();
          running.delete(key);
        }
        for (const key of keys) {
          if (running.has(key)) continue;
          // The subscriber may leave while it is still being told the first values.
          if (all.closed) return;
          const one = new Subscription();
          running.set(key, one);
          one.add(run(key).subscribe({ next: (value) => all.next(value), error: fail }));
        }
      },
      error: fail,
    });

    return () => {
      arrivals.unsubscribe();
      for (const one of running.values()) one.unsubscribe();
    };
  });
}

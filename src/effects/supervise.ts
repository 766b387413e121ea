import { NEVER, Observable, Subscription, catchError, defer, filter, take } from 'rxjs';
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

/** Where a turn left its machine; no `plain` where a bug came before the first turn. */
type Standing<Spoken extends Language> = Readonly<{ state: Spoken['State']; plain: PlainOf<Spoken> | undefined }>;

function superviseOne<Spoken extends Language>(
  supervision: Supervision<Spoken>,
  subject: Spoken['Subject'],
  nextSeq: () => number,
): Observable<TurnOf<Spoken>> {
  type Event = Spoken['Event'];
  type Snapshot = PlainOf<Spoken>;
  const { clock, departure, kind, machine } = supervision;

  return new Observable((turns) => {
    let bugs = 0;
    /** A life, or the pause after it. */
    let present = new Subscription();
    turns.add(() => present.unsubscribe());
    const instead = (): Subscription => {
      present.unsubscribe();
      present = new Subscription();
      // Whoever listened may have left when it was told of the bug.
      if (turns.closed) present.unsubscribe();
      return present;
    };

    /** From start to departure, or to the first bug. */
    const live = (): void => {
      const life = instead();
      const startedAt = clock.now();
      let standing: Standing<Spoken> | undefined;
      /** The event that is being taken, which is told with the bug that it meets. */
      let met: Event | undefined;

      const endByBug = (error: unknown): void => {
        bugs = clock.now() - startedAt >= healthyAfter ? 1 : bugs + 1;
        const during = met === undefined ? {} : { during: met };
        const left = standing ?? { state: supervision.nowhere, plain: undefined };
        turns.next(endTurn(left, { at: clock.now(), because: 'bug', error: describe(error), ...during }));
        pause(left);
      };
      try {
        const input = supervision.input(subject, bugs > 0);
        const started: Started<Spoken['Input']> = { type: 'started', at: startedAt, input };
        const steps = {
          first: () => machine.first(input),
          take: (before: Snapshot, event: Event) => {
            met = event;
            return machine.take(before, event);
          },
        };
        const run = runMachine<Event, Snapshot, Spoken['Command'], OutcomeOf<Spoken>>(
          steps,
          supervision.events$(subject),
          supervision.effects(subject),
        );
        const next = ({ event, result }: Taken<Event, Snapshot, OutcomeOf<Spoken>>): void => {
          const before = standing;
          standing = { state: result.state, plain: machine.plain(result.snapshot) };
          turns.next(turn(before, event ?? started, standing, result));
          if (event?.type === departure) leave(standing, event.at);
        };
        life.add(run.subscribe({ next, error: endByBug }));
      } catch (error) {
        // Before there was a stream. That ends this machine's life only.
        endByBug(error);
      }
    };

    /** After a bug. The subject may go meanwhile. */
    const pause = (standing: Standing<Spoken>): void => {
      const rest = instead();
      rest.add(clock.wakeAt(clock.now() + backoff(bugs, restartBackoff)).subscribe(live));
      rest.add(departure$().subscribe(({ at }) => leave(standing, at)));
    };

    const leave = (standing: Standing<Spoken>, at: Instant): void => {
      turns.next(endTurn(standing, { at, because: 'gone' }));
      turns.complete();
    };

    live();
  });

  /** A subject may go while nobody runs its machine. What observers keep of it must go all the same (SPEC 9.2). */
  function departure$(): Observable<Event> {
    // What threw once may throw again.
    return defer(() => supervision.events$(subject)).pipe(
      filter(({ type }) => type === departure),
      take(1),
      catchError(() => NEVER),
    );
  }

  function endTurn(standing: Standing<Spoken>, why: Omit<Ended<Event>, 'type'>): TurnOf<Spoken> {
    return turn(standing, { type: 'ended', ...why }, standing, { commands: [], notes: [] });
  }

  function turn(
    before: Standing<Spoken> | undefined,
    event: TurnOf<Spoken>['event'],
    after: Standing<Spoken>,
    { commands, notes }: Pick<TurnOf<Spoken>, 'commands' | 'notes'>,
  ): TurnOf<Spoken> {
    return {
      kind,
      subject,
      seq: nextSeq(),
      at: event.at,
      event,
      from: before?.state,
      to: after.state,
      commands,
      notes,
      before: before?.plain,
      after: after.plain,
    };
  }
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

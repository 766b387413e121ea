import { Observable } from 'rxjs';

type Outcome<Snapshot, Command> = Readonly<{ snapshot: Snapshot; commands: readonly Command[] }>;

/** How a machine begins, and where an event takes it. */
export type Steps<Event, Snapshot, Command, Result extends Outcome<Snapshot, Command>> = Readonly<{
  first: () => Result;
  take: (before: Snapshot, event: Event) => Result;
}>;

/** One event taken whole; `event` and `before` are undefined at the start. */
export type Taken<Event, Snapshot, Result> = Readonly<{
  event: Event | undefined;
  before: Snapshot | undefined;
  result: Result;
}>;

/**
 * Feeds a machine from outside and from its own effects, strictly one event at a time. What a turn commands is carried out before the turn
 * is told: whoever hears of a write must not hold it up (SPEC 9.1). Ends with an error where the machine or an effect throws: a bug of ours.
 *
 * A plain loop over a queue: each event of a thousand shoots passes here, and a scheduler around each costs more than the turn itself.
 */
export function runMachine<Event, Snapshot, Command, Result extends Outcome<Snapshot, Command>>(
  machine: Steps<Event, Snapshot, Command, Result>,
  outside: Observable<Event>,
  carryOut: (command: Command) => Observable<Event>,
): Observable<Taken<Event, Snapshot, Result>> {
  return new Observable((turns) => {
    const inbox: Event[] = [];
    let snapshot: Snapshot | undefined;
    let isBusy = false;
    let failure: Readonly<{ error: unknown }> | undefined;

    const fail = (error: unknown): void => {
      failure ??= { error };
      if (!isBusy) turns.error(error);
    };

    const hear = (event: Event): void => {
      inbox.push(event);
      if (!isBusy) work(takeAll);
    };

    /** What comes meanwhile waits in the inbox: an effect that answers at once must not re-enter a turn that has not ended. */
    const work = (take: () => void): void => {
      isBusy = true;
      try {
        take();
      } catch (error) {
        failure ??= { error };
      }
      isBusy = false;
      if (failure !== undefined) turns.error(failure.error);
    };

    const takeAll = (): void => {
      // It grows while it is read.
      for (const event of inbox) {
        if (snapshot === undefined || failure !== undefined || turns.closed) break;
        finish(event, machine.take(snapshot, event));
      }
      inbox.length = 0;
    };

    const finish = (event: Event | undefined, result: Result): void => {
      const before = snapshot;
      snapshot = result.snapshot;
      try {
        for (const command of result.commands) {
          if (failure !== undefined || turns.closed) break;
          turns.add(carryOut(command).subscribe({ next: hear, error: fail }));
        }
      } finally {
        turns.next({ event, before, result });
      }
    };

    work(() => {
      // Listened to before the first turn, so that nothing is lost that comes while the machine begins.
      turns.add(outside.subscribe({ next: hear, error: fail }));
      if (failure !== undefined) return;
      finish(undefined, machine.first());
      takeAll();
    });
  });
}

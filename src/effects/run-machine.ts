import { Observable, Subject, Subscription, merge, observeOn, queueScheduler } from 'rxjs';

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
 * Feeds a machine from outside and from its own effects, strictly one event at a time, and carries out what it
 * commands after the turn was told. Ends with an error where the machine or an effect throws: a bug of ours.
 */
export function runMachine<Event, Snapshot, Command, Result extends Outcome<Snapshot, Command>>(
  machine: Steps<Event, Snapshot, Command, Result>,
  outside: Observable<Event>,
  carryOut: (command: Command) => Observable<Event>,
): Observable<Taken<Event, Snapshot, Result>> {
  return new Observable((turns) => {
    const answers = new Subject<Event>();
    const running = new Set<Subscription>();
    let snapshot: Snapshot | undefined;

    const finish = (event: Event | undefined, result: Result) => {
      const before = snapshot;
      snapshot = result.snapshot;
      turns.next({ event, before, result });
      for (const command of result.commands) {
        if (turns.closed) return;
        const work = carryOut(command).subscribe({
          next: (answer) => answers.next(answer),
          error: (error: unknown) => turns.error(error),
        });
        running.add(work);
        work.add(() => running.delete(work));
      }
    };

    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        turns.error(error);
      }
    };

    const inbox = new Subscription();
    const listen = () =>
      merge(outside, answers)
        .pipe(observeOn(queueScheduler))
        .subscribe({
          next: (event) =>
            attempt(() => {
              if (snapshot === undefined || turns.closed) return;
              finish(event, machine.take(snapshot, event));
            }),
          error: (error: unknown) => turns.error(error),
        });

    // The queue keeps an effect that answers at once from re-entering a turn that has not ended. We listen from
    // within it before the first turn, so that nothing is lost that comes while the machine begins.
    const start = queueScheduler.schedule(() =>
      attempt(() => {
        inbox.add(listen());
        finish(undefined, machine.first());
      }),
    );

    return () => {
      start.unsubscribe();
      inbox.unsubscribe();
      for (const work of running) work.unsubscribe();
    };
  });
}

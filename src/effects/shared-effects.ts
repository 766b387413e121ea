import { takeUntil, defer, Subject, map, type Observable } from 'rxjs';
import type { Instant } from '../domain/time.ts';
import type { Clock } from './ports.ts';

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

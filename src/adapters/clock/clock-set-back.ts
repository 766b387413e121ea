import { defer, filter, map, repeat, type Observable } from 'rxjs';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/** A step back is seen within this time. */
const lookEvery: Millis = 1_000;

/** A wake that is late by this much does no harm: kubelets renew every 10 s. */
const tolerated: Millis = 5_000;

/**
 * Emits by how much the wall clock was set back, each time that this happens (SPEC 1.4). `steady` is a clock that is never set. Every
 * wake and deadline is an instant of the wall clock, since leases are written in it. After a step back by an hour, all
 * of them would come an hour late.
 */
export function clockSetBack(wall: Pick<Clock, 'now'>, steady: Clock): Observable<Millis> {
  return defer(() => {
    let ahead = wall.now() - steady.now();
    return defer(() => steady.wakeAt(steady.now() + lookEvery)).pipe(
      repeat(),
      map(() => {
        const before = ahead;
        ahead = wall.now() - steady.now();
        return before - ahead;
      }),
      filter((back) => back > tolerated),
    );
  });
}

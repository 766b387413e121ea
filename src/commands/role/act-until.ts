import { firstValueFrom, map, merge, type Observable } from 'rxjs';
import { clockSetBack } from '../../adapters/clock/wall-clock.ts';
import type { Log } from '../../adapters/log/log.ts';
import { seconds } from '../../adapters/words/plain-words.ts';
import { actOnSeed } from './act-on-seed.ts';
import type { Observed } from './observe-role.ts';
import type { RoleOrders } from './role-orders.ts';
import type { Role } from './role.ts';
import type { Surroundings } from './surroundings.ts';

/** Acts on the seed until a signal comes, the lead is lost, or the clock is set back (SPEC 1.4, 8). Resolves to why, once no write is under way any more. */
export async function actUntil<Config>(
  role: Role<Config>,
  orders: RoleOrders<Config>,
  {
    observed,
    log,
    version,
    signal,
  }: Readonly<{ observed: Observed; log: Log; version: string; signal: Observable<string> | Promise<string> }>,
  surroundings: Surroundings,
): Promise<string> {
  const acting = actOnSeed(role, orders, { observed, log, version }, surroundings);
  // Everything that is planned would come too late by as much. A fresh start plans anew, and loses nothing (SPEC 1.4, 6.10).
  const setBack$ = clockSetBack(surroundings.clock, surroundings.steady).pipe(
    map((by) => `the clock was set back by ${seconds(by)}`),
  );
  const why = await firstValueFrom(merge(signal, acting.lost$, setBack$));
  log.info(`the ${role.name} ends: ${why}`, { line: `the ${role.name} ends`, why });
  observed.roll.end();
  await acting.end();
  return why;
}

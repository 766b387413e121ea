import { NEVER, Subject, Subscription, take, type Observable } from 'rxjs';
import type { SimulateFlags } from './simulate-flags.ts';
import type { Scene } from './story-run.ts';

/** What somebody asks of a story: to begin another outage, or to heal the one that goes on. */
export type Order = 'outage' | 'heal';

export type HeardOrders = Readonly<{
  orders$: Observable<Order>;
  /** Resolves once somebody wants the run to end. */
  interrupted: Promise<undefined>;
  /** Whether keys are heard, or only signals. */
  keys: boolean;
  /** Listens no more, and gives the keyboard back. */
  close(): void;
}>;

const ctrlC = '\u0003';

/**
 * Listens to signals, and to the keyboard where a picture is painted and the seed is kept: elsewhere there is nothing to press, and
 * whoever reads lines from a pipe wants their terminal as it is.
 */
export function hearOrders(
  { interrupted$, another$ = NEVER, keys$, terminal }: Scene,
  { keep, json }: Pick<SimulateFlags, 'keep' | 'json'>,
): HeardOrders {
  const orders$ = new Subject<Order>();
  const interrupted = Promise.withResolvers<undefined>();
  const end = (): void => interrupted.resolve(undefined);
  const listening = new Subscription();
  // Only the first one is heard, so that a second Ctrl-C ends a run that hangs.
  listening.add(interrupted$.pipe(take(1)).subscribe({ next: end, error: interrupted.reject }));
  listening.add(another$.subscribe(() => orders$.next('outage')));
  const keys = keep && !json && terminal !== undefined && keys$ !== undefined;
  if (keys)
    listening.add(
      keys$.subscribe((key) => {
        if (key === 'o') orders$.next('outage');
        if (key === 'h') orders$.next('heal');
        if (key === 'q' || key === ctrlC) end();
      }),
    );
  return { orders$, interrupted: interrupted.promise, keys, close: () => listening.unsubscribe() };
}

import { EMPTY, Subject, defer, map, takeUntil, filter, type Observable } from 'rxjs';
import type { ServiceRef } from '../domain/weeder/service-ref.ts';
import type { WeederCommands, WeederEvent } from '../machines/weeder-language.ts';
import type { Clock, PodRemover, PodWatch } from './ports.ts';
import { wakeEffect, Withdrawals } from './carry-out.ts';

export type WeederPorts = Readonly<{ clock: Clock; pods: PodWatch; remover: PodRemover }>;

/** One effect for each command, none left out: a missing one does not compile. */
export type WeederEffects = Readonly<{
  [Name in Exclude<keyof WeederCommands, 'note'>]: (params: WeederCommands[Name]) => Observable<WeederEvent>;
}>;

/** Carries out what one service's machine commands, each once, and reports back as events. Decides nothing. */
export function weederEffects(of: ServiceRef, { clock, pods, remover }: WeederPorts): WeederEffects {
  const left$ = new Subject<number>();
  const deletions = new Withdrawals(clock);

  return {
    wake: wakeEffect(clock),

    watchPods: ({ number, selectors }) =>
      pods.pods$(of, selectors).pipe(
        map(({ type, pod }): WeederEvent =>
          type === 'changed'
            ? { type: 'pod.changed', at: clock.now(), number, pod }
            : { type: 'pod.gone', at: clock.now(), number, pod },
        ),
        takeUntil(left$.pipe(filter((one) => one === number))),
      ),

    listPods: () =>
      defer(() => {
        pods.listAgain(of.namespace);
        return EMPTY;
      }),

    leavePods: ({ number }) =>
      defer(() => {
        left$.next(number);
        return EMPTY;
      }),

    deletePod: (asked) =>
      deletions
        .run(asked.number, (withdrawn) => remover.remove(of.namespace, asked.pod, withdrawn))
        .pipe(map(({ at, askedAt, answer }) => ({ type: 'deletion.answered', at, askedAt, asked, answer }))),

    withdraw: ({ number }) => deletions.withdraw(number),
  };
}

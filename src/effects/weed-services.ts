import { Subject, map, takeUntil, filter, type Observable } from 'rxjs';
import { type ServiceRef, serviceOf } from '../domain/weeder/service-ref.ts';
import type { WeederCommands, WeederEvent } from '../machines/weeder-language.ts';
import type { Clock, PodRemover, PodWatch, Chance, ServiceWatch } from './ports.ts';
import { atOnce, wakeEffect, Withdrawals, carryOutBy, type EffectsOf } from './carry-out.ts';
import { seedOfChance } from '../domain/backoff.ts';
import type { WeederConfig } from '../domain/weeder/weeder-config.ts';
import { pureMachines, type WeederLanguage } from '../machines/kinds.ts';
import { supervise } from './supervise.ts';
import type { WeederTurn } from './turn.ts';

export type WeederPorts = Readonly<{ clock: Clock; pods: PodWatch; remover: PodRemover }>;

/** Carries out what one service's machine commands, each once, and reports back as events. Decides nothing. */
export function weederEffects(
  of: ServiceRef,
  { clock, pods, remover }: WeederPorts,
): EffectsOf<WeederCommands, WeederEvent> {
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
      atOnce<never>(() => {
        pods.listAgain(of.namespace);
        return undefined;
      }),

    leavePods: ({ number }) =>
      atOnce<never>(() => {
        left$.next(number);
        return undefined;
      }),

    deletePod: (asked) =>
      deletions.run(
        asked.number,
        (withdrawn) => remover.remove(of.namespace, asked.pod, withdrawn),
        (answer, { at, askedAt }) => ({ type: 'deletion.answered', at, askedAt, asked, answer }),
      ),

    withdraw: ({ number }) => deletions.withdraw(number),
  };
}

export type Weeding = WeederPorts & Readonly<{ config: WeederConfig; chance: Chance; services: ServiceWatch }>;

/** Runs one machine for each service and namespace, from its arrival to its departure, and tells every turn. */
export function weedServices(weeding: Weeding): Observable<WeederTurn> {
  const { clock, chance, config, services } = weeding;
  const selectorsOf = new Map(config.services.map(({ name, podSelectors }) => [name, podSelectors]));
  return supervise<WeederLanguage>({
    clock,
    kind: 'weeder',
    machine: pureMachines.weeder,
    present$: services.services$,
    events$: (service) => services.events$(service),
    departure: 'service.gone',
    input: (key) => {
      const ref = serviceOf(key);
      return {
        ...ref,
        selectors: selectorsOf.get(ref.service) ?? [],
        watchDuration: config.watchDuration,
        chance: seedOfChance(chance()),
      };
    },
    nowhere: 'down',
    effects: (key) => carryOutBy(weederEffects(serviceOf(key), weeding)),
  });
}

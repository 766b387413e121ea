import type { Observable } from 'rxjs';
import { seedOfChance } from '../domain/backoff.ts';
import { serviceOf } from '../domain/weeder/service-ref.ts';
import type { WeederConfig } from '../domain/weeder/weeder-config.ts';
import { pureMachines, type WeederLanguage } from '../machines/kinds.ts';
import { carryOutBy } from './carry-out.ts';
import type { Chance, ServiceWatch } from './ports.ts';
import { supervise } from './supervise.ts';
import type { WeederTurn } from './turn.ts';
import { weederEffects, type WeederPorts } from './weeder-effects.ts';

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

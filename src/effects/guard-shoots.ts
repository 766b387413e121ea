import type { Observable } from 'rxjs';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import { seedOfChance } from '../domain/backoff.ts';
import type { ShootNamespace } from '../domain/names.ts';
import { pureMachines, type ShootLanguage } from '../machines/kinds.ts';
import { carryOutBy } from './carry-out.ts';
import type { Chance, SeedWatch } from './ports.ts';
import { ProbeTimetable } from './probe-timetable.ts';
import { shootEffects, type ShootPorts } from './shoot-effects.ts';
import { supervise } from './supervise.ts';
import type { ShootTurn } from './turn.ts';

export type Guarding = ShootPorts &
  Readonly<{
    config: ProberConfig;
    chance: Chance;
    seed: SeedWatch;
    /** Shoots that this process followed as a standby before it became leader (SPEC 2, initialDelay). */
    followed: ReadonlySet<ShootNamespace>;
  }>;

/** Runs one machine for each shoot of the seed, from its arrival to its departure, and tells every turn. */
export function guardShoots(guarding: Guarding): Observable<ShootTurn> {
  const { clock, chance, config, seed, followed } = guarding;
  const timetable = new ProbeTimetable();
  return supervise<ShootLanguage>({
    clock,
    kind: 'shoot',
    machine: pureMachines.shoot,
    present$: seed.shoots$,
    events$: (shoot) => seed.events$(shoot),
    departure: 'cluster.gone',
    input: (shoot, again) => ({
      shoot,
      config,
      followed: again || followed.has(shoot),
      chance: seedOfChance(chance()),
    }),
    nowhere: 'idle',
    effects: (shoot) => carryOutBy(shootEffects(shoot, guarding, timetable)),
  });
}

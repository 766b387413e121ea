import type { ProberConfig } from '../../../src/domain/prober/prober-config.ts';
import type { TurnOf } from '../../../src/effects/turn.ts';
import { pureMachines, type ShootLanguage } from '../../../src/machines/kinds.ts';
import { retakeTurns } from '../../../src/inspector/told/retaken.ts';
import type { ShootTurnTaken } from '../../../src/inspector/told/why-not-obstacle.ts';
import { GuardedWorld } from '../../support/guarded-world.ts';

/** The turns of a shoot as the page has them. Only the first has a snapshot, as in a journal; each start is a run of its own. */
function asTaken(turns: readonly TurnOf<ShootLanguage>[]): readonly ShootTurnTaken[] {
  let run = 0;
  return retakeTurns<ShootLanguage>(
    pureMachines.shoot,
    turns.map(({ seq, at, kind, subject, event, from, to, commands, notes }, index) => {
      if (event.type === 'started' && index > 0) run += 1;
      const came = from === undefined ? {} : { from };
      return { seq, at, kind, subject, event, ...came, to, commands, notes, run: `run-${run}` };
    }),
  );
}

/** What a story comes to on the real runtime. */
export async function played(
  config: ProberConfig,
  story: (guarded: GuardedWorld) => Promise<void>,
): Promise<readonly ShootTurnTaken[]> {
  const guarded = new GuardedWorld(config);
  await story(guarded);
  guarded.stop();
  return asTaken(guarded.turns);
}

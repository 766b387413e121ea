import type { ReplayMachines } from '../../adapters/journal/replay-journal.ts';
import { firstTurn, takeTurn, type ShootSnapshot } from '../../machines/shoot-turn.ts';
import { shootMachine } from '../../machines/shoot.ts';
import { firstWeederTurn, takeWeederTurn, type WeederSnapshot } from '../../machines/weeder-turn.ts';
import { weederMachine } from '../../machines/weeder.ts';

/** What a journal holds was written by these machines: xstate checks that the state is one of theirs. */
export const replayMachines: ReplayMachines<ShootSnapshot, WeederSnapshot> = {
  shoot: {
    restore: ({ value, context }) =>
      shootMachine.resolveState({ value, context } as Parameters<typeof shootMachine.resolveState>[0]),
    plain: ({ value, context }) => ({ value, context }),
    first: firstTurn,
    take: takeTurn,
  },
  weeder: {
    restore: ({ value, context }) =>
      weederMachine.resolveState({ value, context } as Parameters<typeof weederMachine.resolveState>[0]),
    plain: ({ value, context }) => ({ value, context }),
    first: firstWeederTurn,
    take: takeWeederTurn,
  },
};

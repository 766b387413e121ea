import { auditWeeder, firstWeederAccount, type WeederAccount } from '../../support/weeder-laws.ts';
import type { Law } from '../law.ts';

/** The model's own laws of the weeder machine, on each turn that a living process takes. */
export const weederLaws: Law = {
  name: 'S8 the laws of the weeder machine',
  begin({ weederConfig }) {
    const accounts = new Map<string, WeederAccount>();
    return {
      hear(observation) {
        if (observation.kind !== 'turn' || observation.turn.kind !== 'weeder') return undefined;
        const { turn, process } = observation;
        const name = `${process} ${turn.subject}`;
        const { event } = turn;
        if (event.type === 'started') accounts.set(name, firstWeederAccount);
        const account = accounts.get(name);
        if (event.type === 'started' || event.type === 'ended' || account === undefined) return undefined;
        const outcome = { state: turn.to, commands: turn.commands, notes: turn.notes };
        const judged = auditWeeder(account, event, outcome, weederConfig.watchDuration);
        accounts.set(name, judged.account);
        return judged.broken.length === 0 ? undefined : `${name}, by ${event.type}: ${judged.broken.join('; ')}`;
      },
    };
  },
};

import { auditShoot, firstShootAccount, obeyed, type ShootAccount } from '../../support/shoot-laws.ts';
import type { Law } from '../law.ts';

/** The model's own laws of the shoot machine, on each turn that a living process takes. */
export const machineLaws: Law = {
  name: 'S1 S2 S3 S4 S5 S7 the laws of the machine',
  begin({ config }) {
    const accounts = new Map<string, ShootAccount>();
    return {
      hear(observation) {
        if (observation.kind === 'process' && (observation.did === 'crashed' || observation.did === 'ended'))
          for (const name of accounts.keys()) if (name.startsWith(`${observation.process} `)) accounts.delete(name);
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { turn, process } = observation;
        const name = `${process} ${turn.subject}`;
        const { event, before, after, commands, notes } = turn;
        if (event.type === 'started') accounts.set(name, obeyed(firstShootAccount, turn));
        const account = accounts.get(name);
        if (event.type === 'started' || event.type === 'ended' || before === undefined || after === undefined)
          return undefined;
        if (account === undefined) return `${name} took a turn without a first one`;
        const judged = auditShoot(account, { before, event, after, commands, notes } as AuditedTurn, config);
        accounts.set(name, judged.account);
        return judged.broken.length === 0 ? undefined : `${name}, by ${event.type}: ${judged.broken.join('; ')}`;
      },
    };
  },
};

type AuditedTurn = Parameters<typeof auditShoot>[1];

import { isOlder } from '../../../src/domain/resource-version.ts';
import type { Law } from '../law.ts';

/** What a machine's own write was answered, or a GET, is newer than what a watch that lags tells: no later write goes by an older version. */
export const ownAnswers: Law = {
  name: '6.6 what a write was answered is not forgotten',
  begin() {
    /** By machine and dependant, the version that was answered last. */
    const answered = new Map<string, string>();
    let judged = 0;
    return {
      hear(observation) {
        if (observation.kind === 'process' && (observation.did === 'crashed' || observation.did === 'ended'))
          for (const name of answered.keys()) if (name.startsWith(`${observation.process} `)) answered.delete(name);
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { process, turn } = observation;
        const { event } = turn;
        const nameOf = (key: string): string => `${process} ${turn.subject} ${key}`;
        if (event.type === 'started')
          for (const key of answered.keys()) if (key.startsWith(nameOf(''))) answered.delete(key);
        // The seed's history went back.
        if (event.type === 'dependant.changed' && event.rewound === true) answered.delete(nameOf(event.key));
        if (event.type === 'read.answered') answered.delete(nameOf(event.asked.key));
        if (event.type === 'scale.answered' && event.answer.outcome === 'written') {
          const { resourceVersion } = event.answer.view;
          if (resourceVersion !== undefined) answered.set(nameOf(event.asked.key), resourceVersion);
        }
        // What the event has told counts already.
        for (const { type, params } of turn.commands) {
          if (type !== 'scale') continue;
          const known = answered.get(nameOf(params.key));
          if (known === undefined) continue;
          judged += 1;
          if (isOlder(params.seen.resourceVersion, known))
            return `${nameOf(params.key)} is written by version ${params.seen.resourceVersion}, and ${known} had been answered`;
        }
        return undefined;
      },
      counts: () => ({ 'writes after an answer': judged }),
    };
  },
};

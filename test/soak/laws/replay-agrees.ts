import { isDeepStrictEqual } from 'node:util';
import { pureMachines } from '../../../src/machines/kinds.ts';
import type { Law } from '../law.ts';

/** One in so many turns is taken again; a prime, so that no rhythm of a machine escapes. */
export const oneIn = 53;

/** A turn that is taken again from its plain state comes to the same (L3). */
export const replayAgrees: Law = {
  name: 'L3 replay agrees',
  begin() {
    let turns = 0;
    return {
      hear(observation) {
        if (observation.kind !== 'turn') return undefined;
        turns += 1;
        if (turns % oneIn !== 0) return undefined;
        const { turn, process } = observation;
        const { event, before, after, commands, notes } = turn;
        if (event.type === 'started' || event.type === 'ended' || before === undefined) return undefined;
        const machine = pureMachines[turn.kind] as (typeof pureMachines)['shoot'];
        const again = machine.take(machine.restore(throughJson(before) as never), throughJson(event) as never);
        const recorded = JSON.stringify({ after, commands, notes });
        const came = JSON.stringify({
          after: machine.plain(again.snapshot),
          commands: again.commands,
          notes: again.notes,
        });
        // Nearly always the texts are the same. Where they are not, it may be the order of keys alone.
        if (came === recorded || isDeepStrictEqual(JSON.parse(came), JSON.parse(recorded))) return undefined;
        return `${process}, ${turn.subject}: ${event.type} came to ${came} and not to ${recorded}`;
      },
    };
  },
};

/** As a journal keeps it. */
function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

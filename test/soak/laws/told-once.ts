import { isDeepStrictEqual } from 'node:util';
import type { ClusterReading } from '../../../src/domain/prober/cluster-view.ts';
import type { Law } from '../law.ts';

/** What a machine was last told, by a stream that is live or not. */
type Told = { reading?: ClusterReading; live: boolean };

/** A Cluster is written with each heartbeat of its shoot; a machine hears of it where anything changed that it uses, or once more when the stream is back (3.5). */
export const toldOnce: Law = {
  name: '3.5 what did not change is not told',
  begin() {
    const machines = new Map<string, Told>();
    let judged = 0;
    return {
      hear(observation) {
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { subject, event } = observation.turn;
        const key = `${observation.process} ${subject}`;
        const told = machines.get(key) ?? { live: false };
        machines.set(key, told);
        if (event.type === 'started' || event.type === 'ended') machines.delete(key);
        if (event.type === 'cluster.watched') told.live = event.live;
        if (event.type !== 'cluster.changed') return undefined;
        judged += 1;
        const { reading } = told;
        told.reading = event.reading;
        return told.live && isDeepStrictEqual(reading, event.reading)
          ? `${key} was told of a Cluster that did not change`
          : undefined;
      },
      counts: () => ({ 'Clusters told to a machine': judged }),
    };
  },
};

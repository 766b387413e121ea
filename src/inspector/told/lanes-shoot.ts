import type { ShootLanguage } from '../../machines/kinds.ts';
import { lanesCourse, type LanesCourse } from './lanes-course.ts';
import { dependantLanes } from './lanes-dependants.ts';
import { leaseLanes } from './lanes-leases.ts';
import { probeLane } from './lanes-probes.ts';
import { probeFaces, shootStateFaces, stateFace } from './lanes-states.ts';
import { track } from './lanes-track.ts';
import type { RetakenTurn } from './retaken.ts';

/** One shoot in time: its two regions, its probes, each dependant, and each lease. */
export function shootLanes(): LanesCourse<ShootLanguage> {
  const [shield, region] = [track(), track()];
  const [probes, dependants, leases] = [probeLane(), dependantLanes(), leaseLanes()];

  return lanesCourse<ShootLanguage>({
    take(retaken) {
      const { turn } = retaken;
      if (turn.event.type !== 'ended') shield.show(turn.at, stateFace(shootStateFaces, turn.to));
      const probing = probeState(retaken);
      region.show(turn.at, probing === undefined ? null : stateFace(probeFaces, probing));
      probes.take(turn);
      dependants.take(retaken);
      leases.take(retaken);
    },
    stop(at, face) {
      shield.show(at, face);
      region.show(at, null);
      probes.stop(at);
      dependants.stop(at);
      leases.stop(at);
    },
    lanes: () => ({
      first: [
        { id: 'state', name: 'state', shows: 'state', spans: shield.spans, under: [] },
        { id: 'probe', name: 'probe', shows: 'probe', spans: region.spans, under: [] },
        { id: 'probes', name: 'asked and answered', shows: 'probes', spans: probes.spans, under: [] },
        ...dependants.lanes(),
      ],
      many: leases.lanes(),
      limits: leases.limits,
    }),
  });
}

function probeState({ after }: RetakenTurn<ShootLanguage>): keyof typeof probeFaces | undefined {
  const value = after?.value;
  if (typeof value !== 'object' || value === null || !('probe' in value)) return undefined;
  const { probe } = value;
  return typeof probe === 'string' && Object.hasOwn(probeFaces, probe) ? (probe as keyof typeof probeFaces) : undefined;
}

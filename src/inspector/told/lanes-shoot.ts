import type { ShootLanguage } from '../../machines/kinds.ts';
import { lanesCourse, type LanesCourse } from './lanes-course.ts';
import { dependantLanes } from './lanes-dependants.ts';
import { leaseLanes } from './lanes-leases.ts';
import { pathLanes } from './lanes-paths.ts';
import { probeLane } from './lanes-probes.ts';
import { shootStateFaces, stateFace } from './lanes-states.ts';
import { track } from './lanes-track.ts';

/** One shoot in time: its two regions, each dependant, and each lease, or its two paths. */
export function shootLanes(): LanesCourse<ShootLanguage> {
  const shield = track();
  const [probes, paths, dependants, leases] = [probeLane(), pathLanes(), dependantLanes(), leaseLanes()];

  return lanesCourse<ShootLanguage>({
    take(retaken) {
      const { turn } = retaken;
      if (turn.event.type !== 'ended') shield.show(turn.at, stateFace(shootStateFaces, turn.to));
      probes.take(retaken);
      paths.take(retaken);
      dependants.take(retaken);
      leases.take(retaken);
    },
    stop(at, face) {
      shield.show(at, face);
      probes.stop(at);
      paths.stop(at);
      dependants.stop(at);
      leases.stop(at);
    },
    lanes: () => ({
      first: [
        { id: 'state', name: 'state', shows: 'state', spans: shield.spans, under: [] },
        { id: 'probes', name: 'probe', shows: 'probes', spans: probes.spans, under: [] },
        ...paths.lanes(),
        ...dependants.lanes(),
      ],
      many: leases.lanes(),
      limits: leases.limits,
    }),
  });
}

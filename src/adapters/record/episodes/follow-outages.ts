import type { ShootLanguage } from '../../../machines/kinds.ts';
import { follow, type Follower } from './follow.ts';
import { pathProbes } from '../facts/path-probes.ts';
import type { LeaderOf } from './leaders.ts';
import { leaseWitness } from '../facts/lease-witness.ts';
import { outageEpisode } from './outage-episode.ts';
import { isOutage, nextOutage, type ShootOutage } from './shoot-outages.ts';

/** Follows the outages of one shoot. `leaderOf`: who led in a run. */
export function followOutages(leaderOf: LeaderOf = () => undefined): Follower<ShootLanguage> {
  const [leases, paths] = [leaseWitness(), pathProbes()];
  const witness = { leases: () => leases.account(), external: () => paths.external() };
  return follow<ShootLanguage, ShootOutage>({
    kind: 'outage',
    next(open, turn, run) {
      leases.observe(turn);
      paths.observe(turn);
      return nextOutage(open, turn, run, witness);
    },
    tells: isOutage,
    beganAt: ({ cutOffAt, began }) => cutOffAt ?? began.at,
    words: (outage) => outageEpisode(outage, leaderOf),
  });
}

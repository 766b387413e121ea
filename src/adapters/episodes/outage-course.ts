import type { ShootLanguage } from '../../machines/kinds.ts';
import { follow, type Course } from './course.ts';
import { leaseWitness } from './lease-witness.ts';
import { outageEpisode } from './outage-episode.ts';
import { outageLines } from './outage-words.ts';
import { nextOutage, type ShootOutage } from './shoot-outages.ts';

/** Follows the outages of one shoot. */
export function outageCourse(): Course<ShootLanguage, 'outage'> {
  const witness = leaseWitness();
  return follow<ShootLanguage, ShootOutage, 'outage'>({
    kind: 'outage',
    next(open, turn, run) {
      witness.observe(turn);
      return nextOutage(open, turn, run, () => witness.account());
    },
    beganAt: ({ cutOffAt, began }) => cutOffAt ?? began.at,
    words: outageEpisode,
    summary: outageLines,
  });
}

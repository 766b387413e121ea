import type { ShootLanguage } from '../../machines/kinds.ts';
import { follow, type Course } from './course.ts';
import { outageEpisode } from './outage-episode.ts';
import { outageLines } from './outage-words.ts';
import { nextOutage, type ShootOutage, type Witness } from './shoot-outages.ts';

/** Follows the outages of one shoot. `witness`: tells which leases spoke for the verdict of the turn. */
export function outageCourse(witness: Witness): Course<ShootLanguage, 'outage'> {
  return follow<ShootLanguage, ShootOutage, 'outage'>({
    kind: 'outage',
    next: (open, turn, run) => nextOutage(open, turn, run, witness),
    beganAt: ({ cutOffAt, began }) => cutOffAt ?? began.at,
    words: outageEpisode,
    summary: outageLines,
  });
}

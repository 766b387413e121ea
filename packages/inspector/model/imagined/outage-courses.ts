import { outagesOf, type ShootOutage } from 'dependency-watchdog/adapters/record/episodes/shoot-outages.ts';
import type { FollowedTurn } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';

/** An outage by its instants. What did not happen is null. */
export type OutageCourse = Readonly<
  Pick<ShootOutage, 'cutOffAt' | 'decidedAt' | 'downAt' | 'firstMarkAt' | 'connectedAt' | 'backAt' | 'endedAt'> & {
    beganAt: Instant;
    /** The turn that decided it, or began it. */
    turn: TurnName;
  }
>;

export type OutageCourses = Readonly<{
  take(turn: FollowedTurn<ShootLanguage>, run: string): void;
  /** In the order in which they began. */
  all(): readonly OutageCourse[];
}>;

/** The outages of one shoot, recorded or played, as they are told everywhere else. */
export function outageCourses(): OutageCourses {
  const over: ShootOutage[] = [];
  let open: readonly ShootOutage[] = [];
  // Who spoke for a verdict plays no part here.
  const nextOutage = outagesOf({ leases: () => undefined, external: () => undefined });
  return {
    take(turn, run) {
      const next = nextOutage(open, turn, run);
      if (next === open) return;
      open = next.filter(({ endedAt }) => endedAt === null);
      over.push(...next.filter(({ endedAt }) => endedAt !== null));
    },
    all: () => [...over, ...open].map(courseOf),
  };
}

function courseOf(outage: ShootOutage): OutageCourse {
  const { cutOffAt, decidedAt, downAt, firstMarkAt, connectedAt, backAt, endedAt, began, turns } = outage;
  const beganAt = cutOffAt ?? began.at;
  const turn = turns.decided ?? turns.cutOff ?? began;
  return { cutOffAt, decidedAt, downAt, firstMarkAt, connectedAt, backAt, endedAt, beganAt, turn };
}

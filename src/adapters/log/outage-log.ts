import type { ShootNamespace } from '../../domain/names.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { Course } from '../episodes/course.ts';
import type { Episode } from '../episodes/episode.ts';
import { outageCourse } from '../episodes/outage-course.ts';

/** The log names no turn, so it need not know of which run one is. */
const noRun = '';

/** Follows the outages of all shoots, to tell of each when it is over (SPEC 9.4). */
export function outageLog() {
  const courses = new Map<ShootNamespace, Course<ShootLanguage, 'outage'>>();

  return {
    /** Those that this turn ended. Every turn of a shoot must pass, in order. */
    after(turn: ShootTurn): readonly Episode[] {
      const { subject, event } = turn;
      let course = courses.get(subject);
      if (course === undefined) courses.set(subject, (course = outageCourse()));
      const changed = course(turn, noRun);
      if (event.type === 'ended' && event.because === 'gone') courses.delete(subject);
      return changed.length === 0
        ? []
        : changed.filter(({ endedAt }) => endedAt !== null).map(({ episode }) => episode());
    },
  };
}

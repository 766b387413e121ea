import type { ShootNamespace } from '../../domain/names.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { Course } from '../episodes/course.ts';
import { outageCourse } from '../episodes/outage-course.ts';
import type { Log } from './log.ts';

/** The log names no turn, so it need not know of which run one is. */
const noRun = '';

/** Follows the outages of all shoots, and tells of each when it is over, in one sentence (SPEC 9.4). Every turn of a shoot must pass, in order. */
export function outageLog(): (turn: ShootTurn, log: Log) => void {
  const courses = new Map<ShootNamespace, Course<ShootLanguage, 'outage'>>();

  return (turn, log) => {
    const { subject: shoot, event } = turn;
    let course = courses.get(shoot);
    if (course === undefined) courses.set(shoot, (course = outageCourse()));
    for (const { endedAt, episode } of course(turn, noRun)) {
      if (endedAt === null) continue;
      const { weight, sentence, data } = episode();
      log[weight === 'bad' ? 'warn' : 'info'](`${shoot} was ${sentence}`, { line: 'outage over', ...data });
    }
    if (event.type === 'ended' && event.because === 'gone') courses.delete(shoot);
  };
}

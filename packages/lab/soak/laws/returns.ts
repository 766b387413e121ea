import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import type { Law } from '../law.ts';
import { tenMinutes, waitOfReturn } from './healing.ts';

/** What one machine was seen to do, by its own clock. */
type Course = Readonly<{
  /** Ways down, each within ten minutes of the one before. */
  count: number;
  lastAt: Instant;
  /** The way down that goes on. `wrote`: something was written to 0. `raised`: somebody else raised something in this outage. */
  way: Readonly<{ at: Instant; wrote: boolean }>;
  raised: boolean;
  /** Nothing is raised before. */
  mayRaiseAt: Instant;
}>;

const first: Course = {
  count: 0,
  lastAt: -Infinity,
  way: { at: 0, wrote: false },
  raised: false,
  mayRaiseAt: -Infinity,
};

/** A shoot that comes and goes is raised only after its wait, which a process that begins, or a shoot that rests, has forgotten. */
export const waitedReturns: Law = {
  name: '6.5 what comes and goes waits before it is raised',
  begin(_, { breaks }) {
    const courses = new Map<string, Course>();
    let waited = 0;
    return {
      turn({ process, turn }) {
        if (turn.kind !== 'shoot') return;
        const machine = `${process} ${turn.subject}`;
        if (turn.event.type === 'started' || turn.event.type === 'ended' || turn.to === 'idle') courses.delete(machine);
        const course = after(courses.get(machine) ?? first, turn);
        courses.set(machine, course);
        if (turn.from !== turn.to && course.mayRaiseAt > turn.at) waited += 1;
        for (const { type, params } of turn.commands)
          if (
            type === 'scale' &&
            params.seen.marked &&
            (params.change.replicas ?? 0) > 0 &&
            turn.at < course.mayRaiseAt
          )
            breaks(
              `${process} raised ${params.key} of ${turn.subject} ${course.mayRaiseAt - turn.at} ms too early, after ${course.count} ways down`,
            );
      },
      counts: () => ({ 'returns that waited': waited }),
    };
  },
};

function after(before: Course, { at, event, from, to, notes, before: plain }: ShootTurn): Course {
  let course = before;
  if (to === 'scalingDown' && from !== to) course = { ...course, way: { at, wrote: false } };
  if (event.type === 'scale.answered' && event.answer.outcome === 'written' && event.asked.change.replicas === 0)
    course = { ...course, way: { ...course.way, wrote: true } };
  const views = Object.values(plain?.context.known ?? {}).map(({ view }) => view);
  const isHeld = views.some((view) => view?.found === true && view.marked && view.replicas === 0);
  if (from === 'scalingDown' && from !== to && course.way.wrote && isHeld && !course.raised) {
    const goesOn = course.way.at - course.lastAt < tenMinutes;
    course = { ...course, count: goesOn ? course.count + 1 : 1, lastAt: course.way.at };
  }
  if (to === 'scalingUp' && from !== to) {
    const isFlapping = isHeld && at - course.lastAt < tenMinutes;
    course = { ...course, raised: false, mayRaiseAt: isFlapping ? at + waitOfReturn(course.count) : at };
  }
  return notes.some(({ kind }) => kind === 'raised') ? { ...course, raised: true } : course;
}

import { isEnded, isStarted } from '../../adapters/turns/runtime-events.ts';
import { seconds } from '../../adapters/words/plain-words.ts';
import type { ShootEvent } from '../../machines/shoot-language.ts';
import { isUnchanged, type Changes } from './what-if-changes.ts';
import { nextStep, type Course } from './what-if-course.ts';
import { answerOf } from './what-if-recorded.ts';
import { assumedLook, imaginedEvent, imaginedLook } from './what-if-world.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** `begin`: the turn that the course began with; `index`: the turn that was changed. */
type Way = Readonly<{ turns: readonly ShootTurnTaken[]; begin: number; index: number; changes: Changes }>;

type Followed = Readonly<{ course: Course; assumed: readonly string[] }>;

const allCount = 'so every node with a lease counts here';

/**
 * Until nothing is looked for: the recorded turns come as they came, and the look is answered. Before its answer nothing is decided by
 * leases, so whatever was asked meanwhile is asked here, too.
 */
export function followLook(begun: Course, way: Way): Followed {
  const { turns, begin, index, changes } = way;
  const { looking } = begun;
  const isOfLook = begin !== index && changes.answer !== undefined;
  if (looking === undefined)
    return {
      course: begun,
      assumed: isOfLook ? ['Nodes and Machines would not be asked for, so their answer plays no part.'] : [],
    };
  const answered = answerOf(turns, begin, looking.number);
  if (answered === -1) {
    // What is recorded ends here as well, or went on without an answer.
    if (isUnchanged(changes)) return { course: begun, assumed: [] };
    const look = assumedLook(looking, begun.place.context, begun.steps[0]?.event.at ?? 0);
    const cluster = look.cluster === undefined ? '' : ', and the Cluster is as it was known';
    const sentence = `No answer about nodes and Machines is recorded for this probe, ${allCount}${cluster}.`;
    return { course: nextStep(begun, look), assumed: [sentence] };
  }
  let course = begun;
  for (const [offset, { turn }] of turns.slice(begin + 1, answered + 1).entries()) {
    const { event } = turn;
    if (isStarted(event) || isEnded(event)) continue;
    const own = begin + 1 + offset === index ? changed(event, course, way) : event;
    course = nextStep(course, imaginedEvent(own, changes));
  }
  const last = turns[answered]?.turn.event;
  if (last?.type === 'candidates.failed' && answered === index && changes.answer === 'answered')
    return { course, assumed: [`Nodes and Machines were not listed then, ${allCount}.`] };
  const after = (last?.at ?? 0) - (turns[begin]?.turn.at ?? 0);
  const followed = `Nodes and Machines are as they were answered ${seconds(after)} later.`;
  return { course, assumed: isUnchanged(changes) ? [] : [followed] };
}

function changed(event: ShootEvent, { looking, place }: Course, { changes }: Way): ShootEvent {
  if (event.type !== 'candidates.answered' && event.type !== 'candidates.failed') return event;
  const { number, at } = event;
  return imaginedLook(event, changes, assumedLook(looking ?? { number, cluster: false }, place.context, at));
}

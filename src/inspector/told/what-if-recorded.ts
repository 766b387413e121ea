import { isEnded, isStarted } from '../../adapters/turns/runtime-events.ts';
import type { Step } from './what-if-course.ts';
import { beginningOfPaths, endOfPaths, isOfPaths, mostFollowed } from './what-if-recorded-paths.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** The ages are those of the leases of the probe; its look is a turn of its own, which begins with them. */
export function beginning(turns: readonly ShootTurnTaken[], index: number): number {
  const event = turns[index]?.turn.event;
  if (isOfPaths(event)) return beginningOfPaths(turns, index);
  if (event?.type !== 'candidates.answered' && event?.type !== 'candidates.failed') return index;
  const { number } = event;
  for (let at = index - 1; at >= 0 && at > index - mostFollowed; at -= 1) {
    const one = turns[at];
    if (one === undefined || one.turn.run !== turns[index]?.turn.run || one.gap) return index;
    if (one.turn.event.type === 'probe.answered' && one.turn.event.number === number)
      return one.before === undefined ? index : at;
  }
  return index;
}

/** Where the recorded answer of the look of this probe stands; −1 where it is not among the turns. */
export function answerOf(turns: readonly ShootTurnTaken[], begin: number, number: number): number {
  const run = turns[begin]?.turn.run;
  const last = Math.min(turns.length, begin + mostFollowed);
  for (let at = begin + 1; at < last; at += 1) {
    const one = turns[at];
    if (one === undefined || one.turn.run !== run || one.gap || isStarted(one.turn.event)) return -1;
    const { event } = one.turn;
    if ((event.type === 'candidates.answered' || event.type === 'candidates.failed') && event.number === number)
      return at;
    // The recorded machine went on with another probe: this one was never looked into.
    if (event.type === 'probe.answered') return -1;
  }
  return -1;
}

/** What is recorded of the same probe, as far as the answer of its look. */
export function recordedSteps(turns: readonly ShootTurnTaken[], begin: number): readonly Step[] {
  const one = turns[begin]?.turn;
  const looked = one?.commands.find(({ type }) => type === 'listCandidates');
  const answered = looked?.type === 'listCandidates' ? answerOf(turns, begin, looked.params.number) : -1;
  return turns
    .slice(begin, (isOfPaths(one?.event) ? endOfPaths(turns, begin) : Math.max(begin, answered)) + 1)
    .flatMap(({ turn: { event, to, commands, notes } }) => (isEnded(event) ? [] : [{ event, to, commands, notes }]));
}

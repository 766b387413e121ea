import { isEnded, isStarted } from '../../../adapters/turns/runtime-events.ts';
import type { Step } from './what-if-branch.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';
import { isAwaitedPath } from '../../../machines/path-probe.ts';
import { isCurrentProbe } from '../../../machines/lease-probe.ts';
import type { ShootEventOf } from '../../../machines/shoot-language.ts';
import { probeStateOf } from '../replayed-turn.ts';

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

type Event = ShootTurnTaken['turn']['event'];
type PathsEvent = ShootEventOf<'path.answered'> | ShootEventOf<'cluster.answered'>;

/** The turns that are gone through in search of an answer: it comes within the probe's time, in which a shoot has some ten. */
const mostFollowed = 1_000;

/** An answer to a probe of two paths (SPEC 4.9). */
export function isOfPaths(event: Event | undefined): event is PathsEvent {
  return event?.type === 'path.answered' || event?.type === 'cluster.answered';
}

/** Whether the probe that a snapshot stands in is one of two paths, and goes on. */
export function asksPaths(value: unknown): boolean {
  const probe = probeStateOf(value);
  return probe === 'askingPaths' || probe === 'readingCluster';
}

/** A probe of two paths begins with its first answer; one that was not awaited stands alone. */
function beginningOfPaths(turns: readonly ShootTurnTaken[], index: number): number {
  const last = turns[index];
  if (last === undefined || !isAwaited(last)) return index;
  let begin = index;
  for (let at = index - 1; at >= 0 && at > index - mostFollowed; at -= 1) {
    const [one, next] = [turns[at], turns[at + 1]];
    if (one?.before === undefined || one.turn.run !== last.turn.run || next?.gap === true) break;
    if (!asksPaths(one.before.value)) break;
    if (isAwaited(one)) begin = at;
  }
  return begin;
}

/** The turn in which the probe ended whose first answer is that of `begin`; the last one of it that is recorded where it did not. */
export function endOfPaths(turns: readonly ShootTurnTaken[], begin: number): number {
  let end = begin;
  const first = turns[begin];
  if (first === undefined || !isAwaited(first)) return begin;
  for (let at = begin; at < turns.length && at < begin + mostFollowed; at += 1) {
    const one = turns[at];
    if (one === undefined || one.turn.run !== first.turn.run || (at > begin && one.gap)) return end;
    if (isStarted(one.turn.event) || isEnded(one.turn.event)) return end;
    if (one.after === undefined || !asksPaths(one.after.value)) return at;
    if (isOfPaths(one.turn.event)) end = at;
  }
  return end;
}

/** The machine waited for what this turn brings. */
export function isAwaited({ turn: { event }, before }: ShootTurnTaken): boolean {
  if (before === undefined || !asksPaths(before.value)) return false;
  if (event.type === 'path.answered') return isAwaitedPath(before.context, event);
  return event.type === 'cluster.answered' && isCurrentProbe(before.context, event);
}

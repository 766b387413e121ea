import { isEnded, isStarted } from '../../adapters/turns/runtime-events.ts';
import { isAwaitedPath } from '../../machines/asking-paths.ts';
import { isCurrentProbe } from '../../machines/probing.ts';
import type { ShootEventOf } from '../../machines/shoot-language.ts';
import { probeStateOf } from './probe-state.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

type Event = ShootTurnTaken['turn']['event'];
type PathsEvent = ShootEventOf<'path.answered'> | ShootEventOf<'cluster.answered'>;

/** The turns that are gone through in search of an answer: it comes within the probe's time, in which a shoot has some ten. */
export const mostFollowed = 1_000;

/** An answer to a probe of two paths (SPEC 4.9). */
export function isOfPaths(event: Event | undefined): event is PathsEvent {
  return event?.type === 'path.answered' || event?.type === 'cluster.answered';
}

/** Whether the probe that a snapshot stands in is one of two paths, and goes on. */
export function asksPaths(value: unknown): boolean {
  const probe = probeStateOf(value);
  return probe === 'askingPaths' || probe === 'readingCluster';
}

/** A probe of two paths begins with its first answer; one that nobody waited for stands alone. */
export function beginningOfPaths(turns: readonly ShootTurnTaken[], index: number): number {
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

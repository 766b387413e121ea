import { isEnded, isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { Step } from './what-if-branch.ts';
import type { LookEvent } from './what-if-changes.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';
import { isAwaitedPath } from 'dependency-watchdog/machines/path-probe.ts';
import { isCurrentProbe } from 'dependency-watchdog/machines/probe-under-way.ts';
import type { ShootEventOf } from 'dependency-watchdog/machines/shoot-language.ts';
import { probeStateOf } from '../replayed-turn.ts';

type Event = ShootTurnTaken['turn']['event'];

/** The answer of a look, about nodes and Machines. */
export function isOfLook(event: Event | undefined): event is LookEvent {
  return event?.type === 'candidates.answered' || event?.type === 'candidates.failed';
}

/** An answer to a probe of two paths (SPEC 4.9). */
export function isOfPaths(
  event: Event | undefined,
): event is ShootEventOf<'path.answered'> | ShootEventOf<'cluster.answered'> {
  return event?.type === 'path.answered' || event?.type === 'cluster.answered';
}

/** Whether the probe that a snapshot stands in is one of two paths, and goes on. */
export function asksPaths(value: unknown): boolean {
  const probe = probeStateOf(value);
  return probe === 'askingPaths' || probe === 'readingCluster';
}

/** The machine waited for what this turn brings of its two paths. */
export function isAwaited({ turn: { event }, before }: ShootTurnTaken): boolean {
  if (before === undefined || !asksPaths(before.value)) return false;
  if (event.type === 'path.answered') return isAwaitedPath(before.context, event);
  return event.type === 'cluster.answered' && isCurrentProbe(before.context, event);
}

/** The turns that are gone through in search of an answer: it comes within the probe's time, in which a shoot has some ten. */
const mostFollowed = 1_000;

type Place = readonly [at: number, one: ShootTurnTaken];

/** Turns of the same run, one after the other, until some are missing: from `from` on, or those before it. */
function* places(turns: readonly ShootTurnTaken[], from: number, by: 1 | -1): Generator<Place> {
  const run = turns[from]?.turn.run;
  for (let steps = by === 1 ? 0 : 1; steps < mostFollowed; steps += 1) {
    const at = from + steps * by;
    const [one, crossed] = [turns[at], turns[by === 1 ? at : at + 1]];
    if (one === undefined || one.turn.run !== run || (steps > 0 && crossed?.gap === true)) return;
    yield [at, one];
  }
}

/**
 * Where the probe begins whose answer the turn at `index` is. The ages are those of the leases of the probe; its look is a turn of its own, which
 * begins with them. A probe of two paths begins with its first answer; one that was not awaited stands alone.
 */
export function beginning(turns: readonly ShootTurnTaken[], index: number): number {
  const last = turns[index];
  const event = last?.turn.event;
  let begin = index;
  if (isOfLook(event)) {
    for (const [at, { turn, before }] of places(turns, index, -1))
      if (turn.event.type === 'probe.answered' && turn.event.number === event.number)
        return before === undefined ? index : at;
  } else if (isOfPaths(event) && last !== undefined && isAwaited(last)) {
    for (const [at, one] of places(turns, index, -1)) {
      if (!asksPaths(one.before?.value)) break;
      if (isAwaited(one)) begin = at;
    }
  }
  return begin;
}

/** Where the recorded answer of the look of this probe stands; −1 where it is not among the turns. */
export function answerOf(turns: readonly ShootTurnTaken[], begin: number, number: number): number {
  for (const [at, { turn }] of places(turns, begin, 1)) {
    const { event } = turn;
    if (at === begin) continue;
    if (isOfLook(event) && event.number === number) return at;
    // The recorded machine began again, or went on with another probe: this one was never looked into.
    if (isStarted(event) || event.type === 'probe.answered') return -1;
  }
  return -1;
}

/** The turn in which the probe ended whose first answer is that of `begin`; the last one of it that is recorded where it did not. */
export function endOfPaths(turns: readonly ShootTurnTaken[], begin: number): number {
  let end = begin;
  const first = turns[begin];
  if (first === undefined || !isAwaited(first)) return begin;
  for (const [at, { turn, after }] of places(turns, begin, 1)) {
    if (isStarted(turn.event) || isEnded(turn.event)) return end;
    if (!asksPaths(after?.value)) return at;
    if (isOfPaths(turn.event)) end = at;
  }
  return end;
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

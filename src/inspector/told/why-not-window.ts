import { counted, seconds } from '../../adapters/words/plain-words.ts';
import { weederNoteWords } from '../../adapters/words/weeder-words.ts';
import { isAvailable, joined, type Slices } from '../../domain/weeder/service-slices.ts';
import type { WeederLanguage } from '../../machines/kinds.ts';
import type { WeederState } from '../../machines/weeder-language.ts';
import type { Fact } from './explanation.ts';
import type { RetakenTurn } from './retaken.ts';
import type { Obstacle, WhyNot } from './why-not-obstacle.ts';
import { hindered, orUnreadable, placeUnknown } from './why-not-place.ts';

export type WeederTurnTaken = RetakenTurn<WeederLanguage>;

/** "Why is no window open?" of a service, where the turn at `index` had ended (SPEC 7.2). */
export function whyNoWindow(turns: readonly WeederTurnTaken[], index: number): WhyNot {
  return orUnreadable(() => answered(turns, index));
}

function answered(turns: readonly WeederTurnTaken[], index: number): WhyNot {
  const parts: WhyNot['parts'] = [];
  const one = turns[index];
  const opened = one?.turn.notes.find(({ kind }) => kind === 'windowOpened');
  if (one !== undefined && opened !== undefined)
    return { outcome: 'did', answer: `It is: ${weederNoteWords(opened, one.turn.at)}.`, obstacles: [], parts };
  const obstacles = windowObstacles(turns, index);
  const { window } = one?.after?.context ?? {};
  if (one === undefined || window == null) return hindered(obstacles, parts);
  const answer = obstacles[0]?.sentence ?? `It was open, for ${seconds(window.endsAt - one.turn.at)} more.`;
  return { outcome: 'underWay', answer, obstacles, parts };
}

/** What keeps the weeder from deleting anything: no window, or a service that is down in its window. Empty in an open one. */
export function windowObstacles(turns: readonly WeederTurnTaken[], index: number): readonly Obstacle[] {
  const one = turns[index];
  if (one?.after === undefined) return [placeUnknown('service', one)];
  const { context, value } = one.after;
  const { slices, window } = context;
  const saw = [endpointsFact(slices)];
  const at = one.turn.at;
  switch (value as WeederState) {
    case 'recovering':
      return [];
    case 'relapsed': {
      const left = window === null ? '' : `, which was open for ${seconds(window.endsAt - at)} more`;
      const sentence = `The service was down again in its window${left}: nothing is deleted while it is down.`;
      return [{ kind: 'relapsed', sentence, saw, rules: ['7.2'] }];
    }
    case 'down':
      return [downObstacle(slices)];
    case 'settled':
      return settledObstacles(turns, index, slices);
  }
}

function downObstacle(slices: Slices): Obstacle {
  const isEmpty = Object.keys(slices).length === 0;
  const sentence = isEmpty
    ? 'No EndpointSlice of the service had been seen, so it was not available.'
    : isAvailable(slices)
      ? 'The service was not taken for available yet.'
      : 'The service was not available: no endpoint was ready. Its window opens when one is.';
  return { kind: 'notAvailable', sentence, saw: [endpointsFact(slices)], rules: ['7.1', '7.2'] };
}

/** Available, and its time is over: only another failure opens the next window. */
function settledObstacles(turns: readonly WeederTurnTaken[], index: number, slices: Slices): readonly Obstacle[] {
  const at = turns[index]?.turn.at ?? 0;
  const closed = turns
    .slice(0, index + 1)
    .findLast(({ turn }) => turn.notes.some(({ kind }) => kind === 'windowClosed'));
  const saw: Fact[] = [endpointsFact(slices)];
  const event = turns[index]?.turn.event;
  if (event?.type === 'slices.changed' && event.gap !== undefined)
    saw.push({
      name: 'not seen for',
      value: `${seconds(at - event.gap.since)}, and the same endpoints were ready afterwards`,
    });
  if (closed === undefined) {
    const sentence = 'Its window was over, and the service had not failed since.';
    return [{ kind: 'windowOver', sentence, saw, rules: ['7.2'] }];
  }
  const { kind, subject, run, seq } = closed.turn;
  const words = closed.turn.notes.map((note) => weederNoteWords(note, closed.turn.at)).join('; ');
  const sentence = `Its window was over for ${seconds(at - closed.turn.at)}, and the service had not failed since.`;
  const ended = { name: 'it ended', value: words, at: closed.turn.at };
  const turn = { kind, subject, run, seq, at: closed.turn.at };
  return [{ kind: 'windowOver', sentence, saw: [ended, ...saw], rules: ['7.2'], turn }];
}

function endpointsFact(slices: Slices): Fact {
  const { ready, endpoints } = joined(slices);
  const { length } = Object.keys(slices);
  return { name: 'ready endpoints', value: `${ready} of ${endpoints} in ${counted(length, 'slice')}` };
}

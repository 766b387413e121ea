import { counted, seconds } from '../../../adapters/words/plain-words.ts';
import {
  weederNoteWords,
  sparedWords,
  weederCommandWords,
  weederEventWords,
} from '../../../adapters/words/weeder-words.ts';
import { isAvailable, joined, type Slices } from '../../../domain/weeder/service-slices.ts';
import type { WeederLanguage } from '../../../machines/kinds.ts';
import type { WeederState } from '../../../machines/weeder-language.ts';
import type { Fact } from '../explanation/explanation.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';
import {
  hindered,
  orUnreadable,
  placeUnknown,
  type Obstacle,
  type WhyNot,
  type PartAnswer,
} from './why-not-obstacle.ts';
import { askedNumbers, duePods, type KnownPod } from '../../../domain/weeder/pod-ledger.ts';
import type { Instant } from '../../../domain/time.ts';
import type { WeederContext } from '../../../machines/weeder-context.ts';
import { mayGo, mostDeletions } from '../../../machines/weeder-window.ts';

export type WeederTurnTaken = ReplayedTurn<WeederLanguage>;

/** "Why is no window open?" of a service, where the turn at `index` had ended (SPEC 7.2). */
export function whyNoWindow(turns: readonly WeederTurnTaken[], index: number): WhyNot {
  return orUnreadable(() => windowAnswer(turns, index));
}

function windowAnswer(turns: readonly WeederTurnTaken[], index: number): WhyNot {
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
function windowObstacles(turns: readonly WeederTurnTaken[], index: number): readonly Obstacle[] {
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

type Answer = Pick<PartAnswer, 'is' | 'sentence' | 'rules'>;

/** So many pods are answered for one by one; whoever means another one asks for it by its name. */
const mostPods = 50;

/** So many names can be chosen from. */
const mostNames = 200;

/** "Why was this pod not deleted then?" of a service, where the turn at `index` had ended (SPEC 7.3). `name`: of a pod; empty for all that are known. */
export function whyNotDeleted(turns: readonly WeederTurnTaken[], index: number, name: string): WhyNot {
  return orUnreadable(() => podsAnswer(turns, index, name));
}

function podsAnswer(turns: readonly WeederTurnTaken[], index: number, name: string): WhyNot {
  const one = turns[index];
  const against = windowObstacles(turns, index);
  if (one?.after === undefined) return hindered(against, []);
  const { context } = one.after;
  // A new pod of the same name comes after the one that it replaces.
  const known = context.pods.filter(({ pod }) => name === '' || pod.name === name).toReversed();
  const parts = known.slice(0, mostPods).map((each) => ({
    key: each.pod.uid,
    name: each.pod.name,
    ...podAnswer(each, turns, index, context),
  }));
  const words = one.turn.commands
    .filter((each) => each.type === 'deletePod' && (name === '' || each.params.pod.name === name))
    .map((each) => weederCommandWords(each, one.turn.at));
  if (words.length > 0) return { outcome: 'did', answer: `It was: ${words.join('; ')}.`, obstacles: [], parts };

  const first = parts[0];
  if (name === '' && first === undefined) {
    const sentence = 'No pod in CrashLoopBackOff was known.';
    return hindered([...against, { kind: 'noPods', sentence, saw: selectorFacts(context), rules: ['7.3'] }], parts);
  }
  if (first === undefined) return hindered([...against, untold(turns, index, name, context)], parts);
  if (name === '') {
    const due = parts.find(({ is }) => is === 'waiting' || is === 'underWay') ?? first;
    if (against.length > 0) return hindered(against, parts);
    const outcome = due.is === 'underWay' ? 'underWay' : 'hindered';
    const own: Obstacle = { kind: 'pods', sentence: `${due.name}: ${due.sentence}`, saw: [], rules: due.rules };
    return { outcome, answer: own.sentence, obstacles: outcome === 'underWay' ? [] : [own], parts };
  }
  if (first.is === 'underWay') return { outcome: 'underWay', answer: first.sentence, obstacles: [], parts };
  // What was done to it already stands before what keeps all pods from being deleted.
  const own: Obstacle = { kind: 'pod', sentence: first.sentence, saw: [], rules: first.rules };
  return hindered(first.is === 'done' ? [own, ...against] : against.length > 0 ? against : [own], parts);
}

/** Names of pods that were told of as far as this turn, the last one first. */
export function podNames(turns: readonly WeederTurnTaken[], index: number): readonly string[] {
  const names = new Set<string>();
  for (let at = index; at >= 0 && names.size < mostNames; at -= 1) {
    const event = turns[at]?.turn.event;
    if (event?.type === 'pod.changed' || event?.type === 'pod.gone') names.add(event.pod.name);
    if (event?.type === 'deletion.answered') names.add(event.asked.pod.name);
  }
  return [...names];
}

function podAnswer(known: KnownPod, turns: readonly WeederTurnTaken[], index: number, context: WeederContext): Answer {
  const { deletion, crashLooping, pod, origin } = known;
  const at = turns[index]?.turn.at ?? 0;
  switch (deletion.step) {
    case 'asked':
      return { is: 'underWay', sentence: `Its deletion ${deletion.number} was under way.`, rules: ['7.3'] };
    case 'done': {
      const answer = turns
        .slice(0, index + 1)
        .findLast(({ turn: { event } }) => event.type === 'deletion.answered' && event.asked.pod.uid === pod.uid);
      const event = answer?.turn.event;
      const words = event?.type === 'deletion.answered' ? `: ${weederEventWords(event)}` : '';
      return { is: 'done', sentence: `This incarnation needs no more${words}.`, rules: ['S8', '7.3'] };
    }
    case 'failed':
    case 'none': {
      if (!crashLooping) return { is: 'done', sentence: 'It was no longer in CrashLoopBackOff.', rules: ['7.3'] };
      const until = mayGo(context)(origin);
      if (origin.spared !== undefined) return leftAlone({ kind: 'podSpared', pod, because: origin.spared }, at);
      if (deletion.step === 'none' && until > at)
        return leftAlone({ kind: 'podSpared', pod, because: 'pause', until }, at);
      const isDue = duePods(context.pods, at, mayGo(context)).some(({ pod: { uid } }) => uid === pod.uid);
      if (!isDue && deletion.step === 'failed') {
        const times = deletion.failures === 0 ? 'was withdrawn' : `failed ${counted(deletion.failures, 'time')}`;
        const sentence = `Its deletion ${times}; the next try was due in ${seconds(deletion.retryAt - at)}.`;
        return { is: 'waiting', sentence, rules: ['7.3'] };
      }
      const underWay = askedNumbers(context.pods).length;
      if (underWay < mostDeletions)
        return { is: 'waiting', sentence: 'Nothing of its own stood in the way.', rules: ['7.3'] };
      const sentence = `${counted(underWay, 'deletion')} of this service were under way, and no more than ${mostDeletions} may be.`;
      return { is: 'waiting', sentence, rules: ['7.3'] };
    }
  }
}

function leftAlone(note: Parameters<typeof sparedWords>[0], at: Instant): Answer {
  const sentence = `It was left alone: ${sparedWords(note, at)}.`;
  return { is: note.because === 'pause' ? 'waiting' : 'done', sentence, rules: ['7.3'] };
}

/** The ledger knows only what crash-loops, or is being deleted. */
function untold(turns: readonly WeederTurnTaken[], index: number, name: string, context: WeederContext): Obstacle {
  const last = turns
    .slice(0, index + 1)
    .findLast(
      ({ turn: { event } }) => (event.type === 'pod.changed' || event.type === 'pod.gone') && event.pod.name === name,
    );
  const event = last?.turn.event;
  if (last !== undefined && (event?.type === 'pod.changed' || event?.type === 'pod.gone')) {
    const { kind, subject, run, seq, at } = last.turn;
    const isOld = event.type === 'pod.changed' && event.pod.state === 'crashLooping';
    const why = isOld
      ? 'It was told of in an earlier window alone'
      : 'It was not in CrashLoopBackOff, as far as was told';
    const sentence = `${why}: ${weederEventWords(event)}.`;
    const saw = [{ name: 'last told', value: weederEventWords(event), at }];
    return { kind: 'pod', sentence, saw, rules: ['7.3'], turn: { kind, subject, run, seq, at } };
  }
  const sentence = `No pod of that name was told of: it did not crash-loop, or no selector of this service picks it.`;
  return { kind: 'pod', sentence, saw: selectorFacts(context), rules: ['7.3'] };
}

function selectorFacts({ selectors }: WeederContext) {
  return selectors.map((selector, index) => ({ name: `selector ${index + 1}`, value: selector }));
}

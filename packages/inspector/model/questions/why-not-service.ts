import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import {
  weederNoteWords,
  sparedWords,
  weederCommandWords,
  weederEventWords,
} from 'dependency-watchdog/adapters/record/words/weeder-words.ts';
import { isAvailable, joined, type Slices } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import type { WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { WeederState } from 'dependency-watchdog/machines/weeder-language.ts';
import { fact, type Fact } from '../explanation/explanation.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';
import {
  hindered,
  obstacle,
  orUnreadable,
  part,
  placeUnknown,
  type Obstacle,
  type WhyNot,
  type PartAnswer,
} from './why-not-obstacle.ts';
import { askedNumbers, duePods, type KnownPod } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WeederContext } from 'dependency-watchdog/machines/weeder-context.ts';
import { mayGo, mostDeletions } from 'dependency-watchdog/machines/weeder-window.ts';

export type WeederTurnTaken = ReplayedTurn<WeederLanguage>;

/** The turns as far as the one that is asked about. */
type Past = readonly WeederTurnTaken[];

/** "Why is no window open?" of a service, where the turn at `index` had ended (SPEC 7.2). */
export function whyNoWindow(turns: readonly WeederTurnTaken[], index: number): WhyNot {
  return orUnreadable(() => windowAnswer(turns.slice(0, index + 1)));
}

function windowAnswer(past: Past): WhyNot {
  const parts: WhyNot['parts'] = [];
  const one = past.at(-1);
  const opened = one?.turn.notes.find(({ kind }) => kind === 'windowOpened');
  if (one !== undefined && opened !== undefined)
    return { outcome: 'did', answer: `It is: ${weederNoteWords(opened, one.turn.at)}.`, obstacles: [], parts };
  const obstacles = windowObstacles(past);
  const { window } = one?.after?.context ?? {};
  if (one === undefined || window == null) return hindered(obstacles, parts);
  const answer = obstacles[0]?.sentence ?? `It was open, for ${seconds(window.endsAt - one.turn.at)} more.`;
  return { outcome: 'underWay', answer, obstacles, parts };
}

/** What keeps the weeder from deleting anything: no window, or a service that is down in its window. Empty in an open one. */
function windowObstacles(past: Past): readonly Obstacle[] {
  const one = past.at(-1);
  if (one?.after === undefined) return [placeUnknown('service', one)];
  const { context, value } = one.after;
  const { slices, window } = context;
  switch (value as WeederState) {
    case 'recovering':
      return [];
    case 'relapsed': {
      const left = window === null ? '' : `, which was open for ${seconds(window.endsAt - one.turn.at)} more`;
      const sentence = `The service was down again in its window${left}: nothing is deleted while it is down.`;
      return [obstacle('relapsed', sentence, ['7.2'], [endpointsFact(slices)])];
    }
    case 'down':
      return [obstacle('notAvailable', downSentence(slices), ['7.1', '7.2'], [endpointsFact(slices)])];
    case 'settled':
      return [settledObstacle(past, one.turn, slices)];
  }
}

function downSentence(slices: Slices): string {
  if (Object.keys(slices).length === 0)
    return 'No EndpointSlice of the service had been seen, so it was not available.';
  return isAvailable(slices)
    ? 'The service was not taken for available yet.'
    : 'The service was not available: no endpoint was ready. Its window opens when one is.';
}

/** Available, and its time is over: only another failure opens the next window. */
function settledObstacle(past: Past, { at, event }: WeederTurnTaken['turn'], slices: Slices): Obstacle {
  const saw: Fact[] = [endpointsFact(slices)];
  if (event.type === 'slices.changed' && event.gap !== undefined) {
    const length = seconds(at - event.gap.since);
    saw.push(fact('not seen for', `${length}, and the same endpoints were ready afterwards`));
  }
  const closed = past.findLast(({ turn }) => turn.notes.some(({ kind }) => kind === 'windowClosed'))?.turn;
  if (closed === undefined)
    return obstacle('windowOver', 'Its window was over, and the service had not failed since.', ['7.2'], saw);
  const words = closed.notes.map((note) => weederNoteWords(note, closed.at)).join('; ');
  const sentence = `Its window was over for ${seconds(at - closed.at)}, and the service had not failed since.`;
  return obstacle('windowOver', sentence, ['7.2'], [{ name: 'it ended', value: words, at: closed.at }, ...saw], closed);
}

function endpointsFact(slices: Slices): Fact {
  const { ready, endpoints } = joined(slices);
  const { length } = Object.keys(slices);
  return fact('ready endpoints', `${ready} of ${endpoints} in ${counted(length, 'slice')}`);
}

/** So many pods are answered for one by one; whoever means another one asks for it by its name. */
const mostPods = 50;

/** So many names can be chosen from. */
const mostNames = 200;

/** "Why was this pod not deleted then?" of a service, where the turn at `index` had ended (SPEC 7.3). `name`: of a pod; empty for all that are known. */
export function whyNotDeleted(turns: readonly WeederTurnTaken[], index: number, name: string): WhyNot {
  return orUnreadable(() => podsAnswer(turns.slice(0, index + 1), name));
}

function podsAnswer(past: Past, name: string): WhyNot {
  const one = past.at(-1);
  const against = windowObstacles(past);
  if (one?.after === undefined) return hindered(against, []);
  const { context } = one.after;
  // A new pod of the same name comes after the one that it replaces.
  const known = context.pods.filter(({ pod }) => name === '' || pod.name === name).toReversed();
  const parts = known.slice(0, mostPods).map((each) => ({
    key: each.pod.uid,
    name: each.pod.name,
    ...podAnswer(each, past, one.turn.at, context),
  }));
  const words = one.turn.commands
    .filter((each) => each.type === 'deletePod' && (name === '' || each.params.pod.name === name))
    .map((each) => weederCommandWords(each, one.turn.at));
  if (words.length > 0) return { outcome: 'did', answer: `It was: ${words.join('; ')}.`, obstacles: [], parts };

  const first = parts[0];
  if (first === undefined) {
    const asks = one.turn.commands.some(({ type }) => type === 'watchPods');
    const known = asks ? 'The window opened with this turn, and its pods are only now asked for.' : noneKnown;
    const noPods = obstacle('noPods', known, ['7.3'], selectorFacts(context));
    return hindered([...against, name === '' ? noPods : unknownPod(past, name, context)], parts);
  }
  if (name === '') {
    const due = parts.find(({ is }) => is === 'waiting' || is === 'underWay') ?? first;
    if (against.length > 0) return hindered(against, parts);
    const own = obstacle('pods', `${due.name}: ${due.sentence}`, due.rules);
    if (due.is !== 'underWay') return hindered([own], parts);
    return { outcome: 'underWay', answer: own.sentence, obstacles: [], parts };
  }
  if (first.is === 'underWay') return { outcome: 'underWay', answer: first.sentence, obstacles: [], parts };
  // What was done to it already stands before what keeps all pods from being deleted.
  const own = obstacle('pod', first.sentence, first.rules);
  return hindered(first.is === 'done' ? [own, ...against] : against.length > 0 ? against : [own], parts);
}

const noneKnown = 'No crash-looping pod was known.';

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

function podAnswer(known: KnownPod, past: Past, at: Instant, context: WeederContext): PartAnswer {
  const { deletion, waits, pod, origin } = known;
  switch (deletion.step) {
    case 'asked':
      return part('underWay', `Its deletion ${deletion.number} was under way.`, '7.3');
    case 'done': {
      const event = past
        .map(({ turn }) => turn.event)
        .findLast((each) => each.type === 'deletion.answered' && each.asked.pod.uid === pod.uid);
      const words = event?.type === 'deletion.answered' ? `: ${weederEventWords(event)}` : '';
      return part('done', `This incarnation needs no more${words}.`, 'S8', '7.3');
    }
    case 'failed':
    case 'none': {
      if (waits === undefined) return part('done', 'It was no longer crash-looping.', '7.3');
      const until = mayGo(context)(origin);
      if (origin.spared !== undefined) return leftAlone({ kind: 'podSpared', pod, because: origin.spared }, at);
      if (deletion.step === 'none' && until > at)
        return leftAlone({ kind: 'podSpared', pod, because: 'pause', until }, at);
      const isDue = duePods(context.pods, at, mayGo(context)).some(({ pod: { uid } }) => uid === pod.uid);
      if (!isDue && deletion.step === 'failed') {
        const times = deletion.failures === 0 ? 'was withdrawn' : `failed ${counted(deletion.failures, 'time')}`;
        const next = `the next try was due in ${seconds(deletion.retryAt - at)}`;
        return part('waiting', `Its deletion ${times}; ${next}.`, '7.3');
      }
      const underWay = askedNumbers(context.pods).length;
      if (underWay < mostDeletions) return part('waiting', 'Nothing of its own stood in the way.', '7.3');
      const many = `${counted(underWay, 'deletion')} of this service were under way`;
      return part('waiting', `${many}, and no more than ${mostDeletions} may be.`, '7.3');
    }
  }
}

function leftAlone(note: Parameters<typeof sparedWords>[0], at: Instant): PartAnswer {
  return part(note.because === 'pause' ? 'waiting' : 'done', `It was left alone: ${sparedWords(note, at)}.`, '7.3');
}

/** The ledger knows only what crash-loops, or is being deleted. */
function unknownPod(past: Past, name: string, context: WeederContext): Obstacle {
  for (const { turn } of past.toReversed()) {
    const { event, at } = turn;
    if ((event.type !== 'pod.changed' && event.type !== 'pod.gone') || event.pod.name !== name) continue;
    const isOld = event.type === 'pod.changed' && event.pod.state === 'waiting';
    const why = isOld ? 'It was told of in an earlier window alone' : 'It was not crash-looping, as far as was told';
    const value = weederEventWords(event);
    return obstacle('pod', `${why}: ${value}.`, ['7.3'], [{ name: 'last told', value, at }], turn);
  }
  const sentence = `No pod of that name was told of: it did not crash-loop, or no selector of this service picks it.`;
  return obstacle('pod', sentence, ['7.3'], selectorFacts(context));
}

function selectorFacts({ selectors }: WeederContext): readonly Fact[] {
  return selectors.map((selector, index) => fact(`selector ${index + 1}`, selector));
}

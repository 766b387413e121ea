import { isEnded, isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { pathWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { ShootEvent, ShootEventOf } from 'dependency-watchdog/machines/shoot-language.ts';
import {
  assumedLook,
  imaginedEvent,
  imaginedLook,
  imaginedPath,
  isUnchanged,
  type Changes,
} from './what-if-changes.ts';
import { nextStep, type Branch } from './what-if-branch.ts';
import { answerOf, asksPaths, endOfPaths, isOfLook } from './what-if-recorded.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { probeStateOf } from '../replayed-turn.ts';

/** `begin`: the turn that the branch began with, the probe's first answer; `index`: the turn that was changed. */
type Way = Readonly<{ turns: readonly ShootTurnTaken[]; begin: number; index: number; changes: Changes }>;

/** `assumed`: what is not recorded, and was taken for granted; a sentence each. */
type Followed = Readonly<{ branch: Branch; assumed: readonly string[] }>;

const allCount = 'so every node with a lease counts here';

/**
 * Until nothing is looked for: the recorded turns come as they came, and the look is answered. Before its answer nothing is decided by
 * leases, so whatever was asked meanwhile is asked here, too.
 */
export function followLook(begun: Branch, way: Way): Followed {
  const { turns, begin, index, changes } = way;
  const { looking } = begun;
  const unneeded = 'Nodes and Machines would not be asked for, so their answer plays no part.';
  if (looking === undefined)
    return { branch: begun, assumed: begin !== index && changes.answer !== undefined ? [unneeded] : [] };
  const answered = answerOf(turns, begin, looking.number);
  if (answered === -1) {
    // What is recorded ends here as well, or went on without an answer.
    if (isUnchanged(changes)) return { branch: begun, assumed: [] };
    const look = assumedLook(looking.number, begun.place.context, begun.steps[0]?.event.at ?? 0);
    const cluster = look.cluster === undefined ? '' : ', and the Cluster is as it was known';
    const sentence = `No answer about nodes and Machines is recorded for this probe, ${allCount}${cluster}.`;
    return { branch: nextStep(begun, look), assumed: [sentence] };
  }
  let branch = begun;
  for (const [offset, { turn }] of turns.slice(begin + 1, answered + 1).entries()) {
    const { event } = turn;
    if (isStarted(event) || isEnded(event)) continue;
    const own = begin + 1 + offset === index ? changed(event, branch, way) : event;
    branch = nextStep(branch, imaginedEvent(own, changes));
  }
  const last = turns[answered]?.turn.event;
  if (last?.type === 'candidates.failed' && answered === index && changes.answer === 'answered')
    return { branch, assumed: [`Nodes and Machines were not listed then, ${allCount}.`] };
  const after = (last?.at ?? 0) - (turns[begin]?.turn.at ?? 0);
  const followed = `Nodes and Machines are as they were answered ${seconds(after)} later.`;
  return { branch, assumed: isUnchanged(changes) ? [] : [followed] };
}

function changed(event: ShootEvent, { looking, place }: Branch, { changes }: Way): ShootEvent {
  if (!isOfLook(event)) return event;
  const { number, at } = event;
  return imaginedLook(event, changes, assumedLook(looking?.number ?? number, place.context, at));
}

type PathAnswered = ShootEventOf<'path.answered'>;

/** Three answers end every probe of two paths: of each path, and of the Cluster. */
const mostAssumed = 3;

/**
 * Until the probe is over, the recorded turns come as they came, with the imagined answers. What is then still waited for, and is not recorded,
 * is assumed: a path answers as it did last, and the Cluster is as it was known.
 */
export function followPaths(place: Branch['place'], way: Way): Followed {
  const { turns, begin, changes } = way;
  let branch: Branch = { steps: [], place, looking: undefined };
  for (const { turn } of turns.slice(begin, endOfPaths(turns, begin) + 1)) {
    const { event } = turn;
    if (isStarted(event) || isEnded(event)) continue;
    if (branch.steps.length > 0 && !isUnchanged(changes) && !asksPaths(branch.place.value)) break;
    const answer = event.type === 'path.answered' ? changes[event.path] : undefined;
    const own = event.type === 'path.answered' && answer !== undefined ? imaginedPath(event, answer) : event;
    branch = nextStep(branch, imaginedEvent(own, changes));
  }
  const assumed: string[] = [];
  // What is recorded ends here as well, or went on without an answer.
  if (isUnchanged(changes)) return { branch, assumed };
  for (let count = 0; count < mostAssumed && asksPaths(branch.place.value); count++) {
    const at = branch.steps.at(-1)?.event.at ?? 0;
    const { event, sentence } = awaited(branch, at, way);
    if (sentence !== undefined) assumed.push(sentence);
    branch = nextStep(branch, event);
  }
  return { branch, assumed };
}

type Awaited = Readonly<{ event: ShootEvent; sentence?: string }>;

/** What the probe waits for, and nothing records. */
function awaited({ place: { value, context } }: Branch, at: Instant, way: Way): Awaited {
  const number = context.probe.asked?.number ?? 0;
  if (probeStateOf(value) === 'readingCluster') {
    const { cluster: known } = context;
    const gone = { outcome: 'gone' } as const;
    const cluster = known === null ? gone : ({ outcome: 'read', reading: { readable: true, cluster: known } } as const);
    return {
      event: { type: 'cluster.answered', at, number, cluster },
      sentence: 'No answer about the Cluster is recorded for this probe: it is as it was known.',
    };
  }
  const path: ShootPath = context.paths?.asked.internal === 'asked' ? 'internal' : 'external';
  const plain: PathAnswered = { type: 'path.answered', at, number, path, askedAt: at };
  const chosen = way.changes[path];
  if (chosen !== undefined) return { event: imaginedPath(plain, chosen) };
  const last = lastAnswer(way, path);
  const unrecorded = `No answer of the ${path} path is recorded for this probe: `;
  if (last === undefined) return { event: plain, sentence: `${unrecorded}it is taken to answer.` };
  const sentence = `${unrecorded}it ${pathWords.does(last.failure)}, as it did ${seconds(at - last.at)} before.`;
  return { event: imaginedPath(plain, last.failure?.reason ?? 'answered'), sentence };
}

/** Of the probes before this one. */
function lastAnswer({ turns, begin }: Way, path: ShootPath): PathAnswered | undefined {
  const run = turns[begin]?.turn.run;
  const found = turns
    .slice(0, begin)
    .findLast(({ turn }) => turn.run === run && turn.event.type === 'path.answered' && turn.event.path === path);
  return found?.turn.event.type === 'path.answered' ? found.turn.event : undefined;
}

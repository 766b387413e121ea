import { seconds } from '../../adapters/words/plain-words.ts';
import { isEnded, isStarted } from '../../adapters/turns/runtime-events.ts';
import type { ProbeFailureReason } from '../../domain/prober/probe-failure.ts';
import type { ShootPath } from '../../domain/prober/shoot-path.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootEvent, ShootEventOf } from '../../machines/shoot-language.ts';
import { probeStateOf } from './probe-state.ts';
import { isUnchanged, type Changes } from './what-if-changes.ts';
import { nextStep, type Course } from './what-if-course.ts';
import { asksPaths, endOfPaths } from './what-if-recorded-paths.ts';
import { imaginedEvent } from './what-if-world.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** `begin`: the turn of the probe's first answer. */
type Way = Readonly<{ turns: readonly ShootTurnTaken[]; begin: number; changes: Changes }>;

type Followed = Readonly<{ course: Course; assumed: readonly string[] }>;
type PathAnswered = ShootEventOf<'path.answered'>;

/** Three answers end every probe of two paths: of each path, and of the Cluster. */
const mostAssumed = 3;

/**
 * Until the probe is over, the recorded turns come as they came, with the imagined answers. What is then still waited for, and is not recorded,
 * is assumed: a path answers as it did last, and the Cluster is as it was known.
 */
export function followPaths(place: Course['place'], way: Way): Followed {
  const { turns, begin, changes } = way;
  let course: Course = { steps: [], place, looking: undefined };
  for (const { turn } of turns.slice(begin, endOfPaths(turns, begin) + 1)) {
    const { event } = turn;
    if (isStarted(event) || isEnded(event)) continue;
    if (course.steps.length > 0 && !isUnchanged(changes) && !asksPaths(course.place.value)) break;
    course = nextStep(course, imaginedEvent(imaginedPath(event, changes), changes));
  }
  const assumed: string[] = [];
  // What is recorded ends here as well, or went on without an answer.
  if (isUnchanged(changes)) return { course, assumed };
  for (let count = 0; count < mostAssumed && asksPaths(course.place.value); count++) {
    const at = course.steps.at(-1)?.event.at ?? 0;
    const { event, sentence } = awaited(course, at, way);
    if (sentence !== undefined) assumed.push(sentence);
    course = nextStep(course, event);
  }
  return { course, assumed };
}

function imaginedPath(event: ShootEvent, changes: Changes): ShootEvent {
  if (event.type !== 'path.answered') return event;
  const answer = changes[event.path];
  return answer === undefined ? event : answered(event, answer);
}

type Awaited = Readonly<{ event: ShootEvent; sentence?: string }>;

/** What the probe waits for, and nothing records. */
function awaited({ place: { value, context } }: Course, at: Instant, way: Way): Awaited {
  const number = context.probe.asked?.number ?? 0;
  if (probeStateOf(value) === 'readingCluster') {
    const sentence = 'No answer about the Cluster is recorded for this probe: it is as it was known.';
    const { cluster } = context;
    if (cluster === null)
      return { event: { type: 'cluster.answered', at, number, cluster: { outcome: 'gone' } }, sentence };
    const reading = { readable: true, cluster } as const;
    return { event: { type: 'cluster.answered', at, number, cluster: { outcome: 'read', reading } }, sentence };
  }
  const path: ShootPath = context.paths?.asked.internal === 'asked' ? 'internal' : 'external';
  const plain: PathAnswered = { type: 'path.answered', at, number, path, askedAt: at };
  const chosen = way.changes[path];
  if (chosen !== undefined) return { event: answered(plain, chosen) };
  const last = lastAnswer(way, path);
  const unrecorded = `No answer of the ${path} path is recorded for this probe: `;
  if (last === undefined) return { event: plain, sentence: `${unrecorded}it is taken to answer.` };
  const how = last.failure === undefined ? 'answers' : `fails (${last.failure.reason})`;
  const sentence = `${unrecorded}it ${how}, as it did ${seconds(at - last.at)} before.`;
  return { event: answered(plain, last.failure?.reason ?? 'answered'), sentence };
}

function answered(event: PathAnswered, answer: 'answered' | ProbeFailureReason): PathAnswered {
  const { failure: _, ...plain } = event;
  if (answer === 'answered') return plain;
  return { ...plain, failure: { stage: event.path, reason: answer, detail: 'imagined' } };
}

/** Of the probes before this one. */
function lastAnswer({ turns, begin }: Way, path: ShootPath): PathAnswered | undefined {
  const run = turns[begin]?.turn.run;
  const found = turns
    .slice(0, begin)
    .findLast(({ turn }) => turn.run === run && turn.event.type === 'path.answered' && turn.event.path === path);
  return found?.turn.event.type === 'path.answered' ? found.turn.event : undefined;
}

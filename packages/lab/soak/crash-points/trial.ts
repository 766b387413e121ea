import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { BrokenLaw, Law } from '../law.ts';
import { live } from '../life.ts';
import type { Blow, Moment, Observation } from '../observation.ts';
import type { Scene } from '../scene.ts';
import type { Flow } from './flows.ts';

/** A point of a life: the number of the moment, counted from the life's beginning. */
export type Point = Readonly<{ index: number; at: Instant; process: string; words: string }>;

export type AimedBlow = Readonly<{ point: Point; blow: Blow }>;

export type Trial = Readonly<{
  /** All points from the flow's beginning, or from its opening, until all was as before. */
  points: readonly Point[];
  struck: readonly Point[];
  /** At the end of each leg, and of the life. */
  ends: readonly string[];
  /** When the last leg was over. */
  overAt: Instant;
  /** When nobody was there any more who marks nodes; undefined where that never came. */
  safeAt: Instant | undefined;
  /** When nodes were marked. */
  marks: readonly Instant[];
  /** What our processes wrote to dependants and pods. */
  writes: readonly Readonly<{ at: Instant; words: string }>[];
  broken: BrokenLaw | undefined;
  bugs: readonly string[];
}>;

/** After all is over: an interval and a half, in which nothing may change any more. */
const stillFor: Millis = 15_000;

/** Lives a flow once, with these blows. */
export async function tryFlow(flow: Flow, laws: readonly Law[], blows: readonly AimedBlow[]): Promise<Trial> {
  const aimed = new Map(blows.map(({ point, blow }) => [point.index, blow]));
  const points: Point[] = [];
  const struck: Point[] = [];
  const ends: string[] = [];
  const writes: { at: Instant; words: string }[] = [];
  const bugs: string[] = [];
  let marks: readonly Instant[] = [];
  let [overAt, pausedUntil, index] = [0, 0, 0];
  let safeAt: Instant | undefined;
  let seen: Scene | undefined;
  let isOpen = false;
  let hasOpened = flow.opening === undefined;

  const inTime = (blow: Blow): Blow => {
    if (blow.kind === 'pause') pausedUntil = Math.max(pausedUntil, (seen?.now() ?? 0) + blow.length);
    return blow;
  };
  const director = (moment: Moment): Blow | undefined => {
    const at = seen?.now() ?? 0;
    const point = { index: (index += 1), at, process: moment.process, words: wordsOf(moment) };
    const { opening } = flow;
    if (opening !== undefined && isOpen && !hasOpened && opening.isAt(moment)) {
      hasOpened = true;
      return inTime(opening.blow);
    }
    if (isOpen && hasOpened) points.push(point);
    const blow = aimed.get(point.index);
    if (blow === undefined) return undefined;
    struck.push(point);
    return inTime(blow);
  };
  const observe = (observation: Observation): void => {
    if (observation.kind === 'bug') bugs.push(observation.error);
    const words = writeIn(observation);
    if (words !== undefined) writes.push({ at: observation.at, words });
    if (seen !== undefined && isOpen && observation.kind === 'change' && flow.isSafe(seen)) safeAt ??= observation.at;
  };
  const conduct = async (scene: Scene, passTo: (age: Millis) => Promise<void>): Promise<void> => {
    seen = scene;
    await passTo(flow.rest);
    for (const [leg, { begin, isOver, within }] of flow.legs.entries()) {
      if (leg === flow.firstLeg) isOpen = true;
      const latest = scene.age + within;
      begin(scene);
      let before: Millis;
      do {
        before = scene.age;
        await passTo(before + 1_000);
        // Time stands still once a law is broken.
      } while (scene.age > before && !isOver(scene) && scene.age < latest);
      ends.push(flow.picture(scene));
    }
    isOpen = false;
    overAt = scene.now();
    await passTo(Math.max(scene.age, pausedUntil - scene.startedAt) + stillFor);
    ends.push(flow.picture(scene));
    marks = scene.seed.shoots.flatMap((shoot) => shoot.marks.map(({ at }) => at));
  };
  const { broken } = await live(flow.plan, { laws, director, observe, conduct });
  return { points, struck, ends, overAt, safeAt, marks, writes, broken, bugs };
}

function wordsOf({ process, when, to, request: { method, url } }: Moment): string {
  const where = when === 'event' ? 'an event of' : when;
  return `${process}: ${where} ${method} ${url}${to === undefined ? '' : ` to ${to}`}`;
}

/** Only what flows are about: a renewed Lease or a Kubernetes event is none of it. */
function writeIn(observation: Observation): string | undefined {
  if (observation.kind !== 'change') return undefined;
  const { of, change } = observation;
  if (change.writer === undefined || (of.scale === undefined && of.kind !== 'Pod')) return undefined;
  return `${change.writer.user}: ${change.type} ${of.kind} ${change.revision.key}`;
}

/** What a flow comes to where nothing strikes: `deadline` is when the first node is marked where no process of ours runs at all. */
export type Quiet = Readonly<{ trial: Trial; deadline: Instant | undefined }>;

export type Judgement = Readonly<{
  /** In words; nothing where all is as without the blows. */
  wrongs: readonly string[];
  /** Whether the time allowed that no node is marked, so that this was asked. */
  judgedMarks: boolean;
  marked: boolean;
}>;

/** A process is started again after 1 s, the second time after 10 s; then come its first lists and its first probe, 1.2 s later. */
const startsAgain: readonly Millis[] = [1_000, 10_000];
const firstProbe: Millis = 3_000;
/** Its Lease lasts 15 s, and a standby tries each 2 s, with a jitter of at most 1.2. */
const takesOver: Millis = 15_000 + 2 * 2_200;
/** A mark's instant differs a little from life to life, with the phases of the kubelets. */
const margin: Millis = 1_000;

/** Compares a life with the one that nothing struck. `elects`: another process must wait for the Lease. */
export function judge(
  { trial: quiet, deadline }: Quiet,
  blows: readonly AimedBlow[],
  trial: Trial,
  { elects, opens }: Readonly<{ elects: boolean; opens: boolean }>,
): Judgement {
  const wrongs: string[] = [];
  const [legs, lived] = [quiet.ends, trial.ends];
  if (trial.broken !== undefined) wrongs.push(`${trial.broken.law}: ${trial.broken.why}`);
  for (const bug of trial.bugs) wrongs.push(`a bug: ${bug}`);
  for (const [at, { point }] of blows.entries()) {
    const struck = trial.struck[at];
    if (struck === undefined) wrongs.push(`the blow did not strike at ${point.words}`);
    else if (struck.words !== point.words || struck.at !== point.at)
      wrongs.push(`the blow struck at ${struck.words}, not at ${point.words}`);
  }
  if (trial.struck.length > blows.length) wrongs.push('more was struck than was aimed at');
  for (const [at, end] of legs.entries())
    if (lived[at] !== end) wrongs.push(`end ${at + 1} of ${legs.length} is '${lived[at] ?? 'none'}', not '${end}'`);
  for (const { at, words } of trial.writes) if (at > trial.overAt) wrongs.push(`after all was over: ${words}`);
  const judgedMarks = !opens && allows(quiet, deadline, blows, elects);
  const marked = trial.marks.length > 0;
  if (judgedMarks && marked) wrongs.push('a node was marked');
  return { wrongs, judgedMarks, marked };
}

/**
 * Whether nobody who marks nodes is left in time, in spite of the blows: whoever acts next has recovered, and then the way down takes as
 * long as in the quiet life. A blow after the way down, or at a process that does not act, takes no time.
 */
function allows(quiet: Trial, deadline: Instant | undefined, blows: readonly AimedBlow[], elects: boolean): boolean {
  const { safeAt, writes } = quiet;
  if (deadline === undefined || safeAt === undefined) return true;
  const [first] = writes;
  const wayDown = safeAt - (first?.at ?? safeAt);
  return blows.every(({ point, blow }, index) => {
    const acts = first?.words.startsWith(`${point.process}:`) === true || index > 0;
    if (!acts || point.at >= safeAt) return true;
    const recovers = elects || blow.kind === 'pause' ? takesOver : (startsAgain[index] ?? Infinity);
    return point.at + recovers + firstProbe + wayDown + margin <= deadline;
  });
}

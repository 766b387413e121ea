import type { Instant, Millis } from '../../../src/domain/time.ts';
import type { AimedBlow, Trial } from './trial.ts';

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

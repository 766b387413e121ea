import { clockWords, counted, lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { OutageCourse } from './outage-courses.ts';
import type { Marks } from './recorded-leases.ts';

/** What would have become of a scale-down. `never`: nothing was scaled down, and nothing would have been. */
type Fate = 'same' | 'earlier' | 'later' | 'notAtAll' | 'new' | 'never';

/** One outage as it was recorded, and as it would have been. */
export type OutageBeside = Readonly<{
  shoot: string;
  beganAt: Instant;
  did: OutageCourse | null;
  would: OutageCourse | null;
  fate: Fate;
  /** By how much later the first scale-down would have been commanded; null where one of them was not. */
  laterBy: Millis | null;
  /** From everything at 0 to the first mark, below 0 where that was too late; null where it is not known. */
  margin: Millis | null;
  /** It would have been scaled down, and a node may have been marked before everything was at 0. */
  tooLate: boolean;
  /** Nodes that would have been marked, where nothing would have been scaled down. */
  marks: Marks | null;
  /**
   * Played with the configuration that it had, it is not scaled down when it was: a process stood still, or turns are missing. All that is said of it is
   * what the same play makes of both configurations.
   */
  inexact: boolean;
  sentence: string;
}>;

/** What is played differs from what was recorded by some milliseconds: when an answer is read is not the machine's to say. */
const sameWithin: Millis = 100;

/** The way up is told where it differs by so much. */
const backWithin: Millis = 1_000;

/** As recorded; as the record is played with what was configured; and as it would have been. */
type Sides = Readonly<Record<'did' | 'again' | 'would', readonly OutageCourse[]>>;

/** The outages of one shoot side by side. `marks`: whom the controller-manager would have marked between two instants. */
export function outagesBeside(
  shoot: string,
  { did, again, would }: Sides,
  marks: (from: Instant, until: Instant) => Marks,
): readonly OutageBeside[] {
  const left = new Set(would);
  const both = did.map((one) => {
    const other = would.find((each) => left.has(each) && overlap(one, each));
    if (other !== undefined) left.delete(other);
    const played = again.find((each) => overlap(one, each)) ?? null;
    const exact = one.decidedAt === null || fateOf(one.decidedAt, played?.decidedAt ?? null) === 'same';
    return beside(shoot, one, other ?? null, { marks, played: exact ? null : played, inexact: !exact });
  });
  // What falls to two pieces when it is played was one outage, and what is there with the values that it had is no news.
  const isNew = (one: OutageCourse) => ![...did, ...again].some((each) => overlap(one, each));
  const others = [...left]
    .filter(isNew)
    .map((one) => beside(shoot, null, one, { marks, played: null, inexact: false }));
  return [...both, ...others].toSorted((one, other) => one.beganAt - other.beganAt);
}

function overlap(one: OutageCourse, other: OutageCourse): boolean {
  return one.beganAt <= (other.endedAt ?? Infinity) && other.beganAt <= (one.endedAt ?? Infinity);
}

function beside(
  shoot: string,
  did: OutageCourse | null,
  would: OutageCourse | null,
  {
    marks: marksIn,
    played,
    inexact,
  }: Readonly<{ marks: (from: Instant, until: Instant) => Marks; played: OutageCourse | null; inexact: boolean }>,
): OutageBeside {
  // Where the record cannot be played to the instant, what is played stands beside what is played.
  const [was, is] = [(played ?? did)?.decidedAt ?? null, would?.decidedAt ?? null];
  const laterBy = was === null || is === null ? null : is - was;
  const fate = fateOf(was, is);
  const margin = is === null || would === null ? null : marginOf(would);
  const beganAt = Math.min(did?.beganAt ?? Infinity, would?.beganAt ?? Infinity);
  const marks =
    fate === 'notAtAll' ? marksIn(beganAt, did?.connectedAt ?? did?.endedAt ?? Number.MAX_SAFE_INTEGER) : null;
  const one = {
    shoot,
    beganAt,
    did,
    would,
    fate,
    laterBy,
    margin,
    tooLate: margin !== null && margin < 0,
    marks,
    inexact,
  };
  return {
    ...one,
    sentence: `${sentenceOf(one)}${inexact ? ' (known only roughly: the record cannot be played to the instant)' : ''}`,
  };
}

function fateOf(was: Instant | null, is: Instant | null): Fate {
  if (was === null) return is === null ? 'never' : 'new';
  if (is === null) return 'notAtAll';
  if (Math.abs(is - was) <= sameWithin) return 'same';
  return is > was ? 'later' : 'earlier';
}

/** Where not everything came to be at 0, the shoot was connected again before, or it was too late. */
function marginOf({ downAt, connectedAt, endedAt, firstMarkAt }: OutageCourse): Millis | null {
  if (firstMarkAt === null) return null;
  if (downAt !== null) return firstMarkAt - downAt;
  const until = connectedAt ?? endedAt;
  return until !== null && until > firstMarkAt ? firstMarkAt - until : null;
}

function sentenceOf(one: Omit<OutageBeside, 'sentence'>): string {
  const { fate, laterBy, would } = one;
  switch (fate) {
    case 'never':
      return 'not scaled down, as it was not';
    case 'notAtAll':
      return `not scaled down at all${marksWords(one)}`;
    case 'new':
      return `scaled down at ${clockWords(would?.decidedAt ?? one.beganAt)}, where nothing was${inTimeWords(one)}`;
    case 'same':
      if (one.tooLate)
        return `scaled down too late, ${isLate(one.did) ? 'as it was' : 'at the same time'}${inTimeWords(one)}${backWords(one)}`;
      return `scaled down at the same time${inTimeWords(one)}${backWords(one)}`;
    case 'earlier':
    case 'later':
      if (one.tooLate) return `scaled down too late${inTimeWords(one)}${backWords(one)}`;
      return `scaled down ${lengthWords(Math.abs(laterBy ?? 0))} ${fate === 'later' ? 'later' : 'sooner'}${inTimeWords(one)}${backWords(one)}`;
  }
}

function isLate(did: OutageCourse | null): boolean {
  return did !== null && (marginOf(did) ?? 0) < 0;
}

/** Of an outage as it was recorded: `, 6.2 s in time`; `, 0.45 s too late`; empty where it is not known. */
export function recordedInTime(did: OutageCourse): string {
  const margin = marginOf(did);
  return margin === null ? '' : `, ${lengthWords(Math.abs(margin))} ${margin < 0 ? 'too late' : 'in time'}`;
}

function inTimeWords({ margin, would }: Omit<OutageBeside, 'sentence'>): string {
  if (margin === null) return would?.downAt === null ? ', and connected again before everything was at 0' : '';
  if (margin < 0) return `: the first mark came ${lengthWords(Math.abs(margin))} before`;
  return `, ${lengthWords(margin)} before the first mark`;
}

function marksWords({ marks }: Omit<OutageBeside, 'sentence'>): string {
  if (marks === null || marks.firstAt === null) return '; no node would have been marked';
  return `; ${counted(marks.nodes, 'node')} would have been marked, the first at ${clockWords(marks.firstAt)}`;
}

function backWords({ did, would }: Omit<OutageBeside, 'sentence'>): string {
  if (did?.backAt === null || did === null || would === null) return '';
  if (would.backAt === null) return would.endedAt === null ? '; not brought back before the record ends' : '';
  const later = would.backAt - did.backAt;
  if (Math.abs(later) <= backWithin) return '';
  return `; brought back ${lengthWords(Math.abs(later))} ${later > 0 ? 'later' : 'sooner'}`;
}

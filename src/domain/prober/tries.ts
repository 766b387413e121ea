import { isUndone, lostCount, readRecord } from './due-change.ts';
import type { PresentResource, ResourceChange, ResourceView } from './resource-view.ts';
import type { Instant, Millis } from '../time.ts';

/**
 * What became of our writes on one dependant in one direction (SPEC 6.8). It belongs to the dependant and outlives steps and flows, so that
 * nobody can make us write more often than the back-off allows.
 */
export type Tries = Readonly<{
  direction: 'down' | 'up';
  /** What the writes asked for, each thing as it was asked last. */
  asked: ResourceChange;
  /** So many in a row failed or were undone. */
  failures: number;
  /** After the last of these; 0 where it was answered at once. */
  pause: Millis;
  /** The answer to one of them showed otherwise than was asked. */
  undone: boolean;
  /** The last one was sent, and has neither failed nor been undone. */
  holds: boolean;
  /** No answer told whether one of them was written, and the resource has not been seen as they asked since. */
  perhaps: boolean;
  /** Before that nothing is tried again. */
  againAt: Instant;
}>;

/** The pauses after a read or write that failed, or was undone (SPEC 6.8). Each is twice as long as the one before, whatever failed. */
const [firstPause, longestPause]: readonly [Millis, Millis] = [250, 5_000];

/** A resource whose watch is out is read once a second while the flow waits for it (SPEC 6.6). */
export const readPause: Millis = 1_000;

/** After so long a quiet the next failure is the first again. */
const quiet: Millis = 60_000;

/** The tries with a write that is sent now. */
export function sent(
  before: Tries | null,
  direction: Tries['direction'],
  { seen, change }: Readonly<{ seen: PresentResource; change: ResourceChange }>,
  at: Instant,
): Tries {
  const { asked, failures, pause, perhaps, ...earlier } = lasting(before, direction, at);
  // In the other direction, too, the count that this write goes by is known to nobody else.
  const undone = earlier.undone || (before?.undone === true && lostCount(seen, before.asked) !== undefined);
  const record = readRecord(seen.record);
  const kept = record === undefined ? {} : { record };
  // What only takes mark and record away must leave the replicas.
  const had = change.record === null && seen.replicas > 0 ? { replicas: seen.replicas } : {};
  const all = { ...kept, ...asked, ...had, ...change };
  return { direction, asked: all, failures, pause, undone, holds: true, perhaps, againAt: at };
}

/** So many in a row are answered at once: conflicts on fresh data (SPEC 6.6), and another's hand, which may have been a single one (SPEC 6.9). */
const atOnce = { read: 0, write: 0, perhaps: 0, undone: 0, conflict: 3, overturned: 1 } as const;

/** The tries with one more that failed: `undone` by what its own answer shows, `overturned` by somebody after it. */
export function failed(
  before: Tries | null,
  direction: Tries['direction'],
  at: Instant,
  failure: keyof typeof atOnce,
): Tries {
  const { asked, ...earlier } = lasting(before, direction, at);
  const failures = earlier.failures + 1;
  const isAtOnce = earlier.pause === 0 && failures <= atOnce[failure];
  const pause = isAtOnce ? 0 : Math.min(longestPause, Math.max(firstPause, 2 * earlier.pause));
  const undone = earlier.undone || failure === 'undone';
  const perhaps = earlier.perhaps || failure === 'perhaps';
  const againAt = at + (failure === 'read' ? Math.max(readPause, pause) : pause);
  return { direction, asked, failures, pause, undone, holds: false, perhaps, againAt };
}

/** The tries after news of the resource: what somebody undid at once counts as a failure too, and what was written a while ago does not. */
export function seenAfter(tries: Tries, view: ResourceView, at: Instant): Tries | null {
  // Nothing of it is left to be put right.
  if (!view.found) return null;
  const isBack = !view.marked && view.replicas > 0 && lostCount(view, tries.asked) === undefined;
  // Whoever has it ignored says how it is to stand, from now on (SPEC 6.7).
  if (tries.undone && (isBack || view.ignored)) return { ...tries, asked: {}, undone: false };
  const isRecent = at < tries.againAt + quiet;
  const isUndoneNow = isRecent && isUndone(tries.asked, view);
  if (tries.holds && isUndoneNow) return failed(tries, tries.direction, at, 'overturned');
  if (!tries.perhaps || !isRecent) return tries;
  // It was written, and mark or record did not take. What comes after it was seen as it should be is another's hand.
  if (view.replicas === 0 && lostCount(view, tries.asked) !== undefined) return { ...tries, undone: true };
  return isUndoneNow ? tries : { ...tries, holds: true, perhaps: false };
}

const none = { asked: {}, failures: 0, pause: 0, undone: false, perhaps: false };

function lasting(
  before: Tries | null,
  direction: Tries['direction'],
  at: Instant,
): Pick<Tries, 'asked' | 'failures' | 'pause' | 'undone' | 'perhaps'> {
  return before?.direction === direction && at < before.againAt + quiet ? before : none;
}

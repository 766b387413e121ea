import type { Instant, Millis } from '../../../domain/time.ts';

/** What stood in the seed when the weeder had a pod deleted. */
export type DeletionScene = Readonly<{
  /** When it was last seen to wait in CrashLoopBackOff: now, where it still does; null where it never did. */
  waitedUntil: Instant | null;
  ending: boolean;
  /** This very incarnation was deleted before. */
  deletedBefore: boolean;
  /** When the services that the pod depends on became available last; null: not available, or never. */
  servingSince: readonly (Instant | null)[];
}>;

/**
 * What was wrong with a deletion (S8), as the end of a sentence that begins with the pod; null for one that was right.
 * `slack`: a deletion that was right when it was commanded arrives so much later at most.
 */
export function deletionFault(
  { waitedUntil, ending, deletedBefore, servingSince }: DeletionScene,
  at: Instant,
  watchDuration: Millis,
  slack: Millis,
): string | null {
  if (deletedBefore) return 'was deleted twice';
  if (ending) return 'was deleted while it was ending';
  if (waitedUntil === null || at - waitedUntil > slack) return 'was deleted while it did not wait in CrashLoopBackOff';
  const isInWindow = servingSince.some((since) => since !== null && at - since <= watchDuration + slack);
  return isInWindow ? null : 'was deleted outside of any window';
}

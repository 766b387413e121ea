import type { Instant, Millis } from '../time.ts';
import { isAvailable, joined, type Slices } from './service-slices.ts';

/**
 * The slices were listed anew, so what happened to them since the stream last spoke was not seen. It is told only of services of which a
 * slice was written meanwhile, or where the history of the seed went back. Each change of a slice is a write: where all slices still
 * have their versions, the service never went.
 */
export type SliceGap = Readonly<{
  since: Instant;
  /** The former versions prove nothing. */
  rewound?: true;
}>;

/** A service may go down and come back within this time unseen, if the same endpoints are ready afterwards. No crash-looping pod waits for long by then. */
const shortGap: Millis = 10_000;

/**
 * Whether an available service may have been down within a gap (SPEC 7.2). If it was and nobody notices, its dependants wait for up to
 * five minutes; if it was not, its window costs a list.
 */
export function mayHaveFailed(before: Slices, now: Slices, gap: SliceGap | undefined, at: Instant): boolean {
  if (gap === undefined || !isAvailable(now)) return false;
  if (gap.rewound === true || at - gap.since > shortGap) return true;
  return joined(before).readyHash !== joined(now).readyHash;
}

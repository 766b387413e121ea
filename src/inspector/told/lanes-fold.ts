import type { Lane } from './lanes.ts';

/** More leases than this are no picture: the worst are shown, and the others folded until somebody asks. */
export const mostUnfolded = 20;

export type Folded = Readonly<{ shown: readonly Lane[]; foldedCount: number }>;

/** `many` has the worst first. As long as all are shown they stand by name, so that none changes its place. */
export function foldLanes(many: readonly Lane[], unfolded: boolean, most: number = mostUnfolded): Folded {
  const isFolded = many.length > most && !unfolded;
  if (isFolded) return { shown: many.slice(0, most), foldedCount: many.length - most };
  return {
    shown: many.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true })),
    foldedCount: 0,
  };
}

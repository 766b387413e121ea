import type { Lane } from './lanes.ts';

/** More leases than this are no picture: the worst are shown, and the others folded until somebody asks for them. */
export const mostUnfolded = 20;

/** So many more come with each asking: thousands at once would be slow to scroll. */
export const unfoldedAtOnce = 100;

export type Folded = Readonly<{ shown: readonly Lane[]; foldedCount: number }>;

/** `many` has the worst first. As long as all are shown they stand by name, so that none changes its place. */
export function foldLanes(many: readonly Lane[], most: number): Folded {
  if (many.length > most) return { shown: many.slice(0, most), foldedCount: many.length - most };
  return { shown: many.toSorted((one, other) => byName.compare(one.name, other.name)), foldedCount: 0 };
}

/** `node-2` comes before `node-10`. */
const byName = new Intl.Collator('en', { numeric: true });

import type { Arrow } from './chart-model.ts';

/**
 * Of the labels, in CSS pixels. Their letters are monospaced, so that the layout knows how wide a label is, whatever font a reader has;
 * `width` is the widest of the usual ones.
 */
export const letters = { size: 10, width: 6.05, row: 13, gap: 4, padding: 4 } as const;

/** In letters. A longer label has two rows, so that states need not stand far apart. */
const longestRow = 24;

/** The rows of a transition's label: `verdict.reached [isCutOff]`, in two where that is long. */
export function arrowRows({ event, guard }: Pick<Arrow, 'event' | 'guard'>): readonly string[] {
  const words = [event, guard === undefined ? '' : `[${guard}]`].filter((word) => word !== '');
  const row = words.join(' ');
  return row.length > longestRow ? words : [row];
}

/** How far below the first label's top the `index`-th one begins. */
export function topOfLabel(arrows: readonly Arrow[], index: number): number {
  return arrows.slice(0, index).reduce((top, arrow) => top + arrowRows(arrow).length * letters.row + letters.gap, 0);
}

/** The size of the box around all labels of an edge. */
export function labelSize(arrows: readonly Arrow[]): Readonly<{ width: number; height: number }> {
  const longest = Math.max(...arrows.flatMap(arrowRows).map(({ length }) => length));
  return {
    width: Math.ceil(longest * letters.width) + 2 * letters.padding,
    height: topOfLabel(arrows, arrows.length) - letters.gap + letters.padding,
  };
}

/** Which of many rows of one height are drawn: those in sight, and some beside them, so that a turn of the wheel shows no gap. */
export type ShownRows = Readonly<{ first: number; end: number }>;

/** So many rows above and below. */
const beside = 12;

/** `top`: how far the list is scrolled; `height`: of what is in sight; all in CSS pixels. */
export function shownRows(
  { top, height, rowHeight }: Readonly<{ top: number; height: number; rowHeight: number }>,
  count: number,
): ShownRows {
  const first = Math.max(0, Math.floor(top / rowHeight) - beside);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + beside);
  return { first: Math.min(first, Math.max(0, count)), end: Math.max(end, 0) };
}

/** How far to scroll so that a row is in sight, with as little movement as can be. */
export function scrolledTo(
  row: number,
  { top, height, rowHeight }: Readonly<{ top: number; height: number; rowHeight: number }>,
): number {
  const above = row * rowHeight;
  if (above < top) return above;
  const below = above + rowHeight - height;
  return below > top ? below : top;
}

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

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

type Sight = ShownRows &
  Readonly<{
    /** Of the element that scrolls, and of the one that is as high as all rows would be. */
    scroller: RefObject<HTMLDivElement | null>;
    body: RefObject<HTMLDivElement | null>;
    /** Of what is in sight, in CSS pixels. */
    height: number;
  }>;

/** A list of which only the rows in sight are drawn: 5,000 cost no more than 40. `rowHeight` in CSS pixels; all rows have it. */
export function useSight(count: number, rowHeight: number): Sight {
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 900 });
  const { first, end } = shownRows({ ...sight, rowHeight }, count);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const look = () => setSight({ top: box.scrollTop, height: box.clientHeight });
    look();
    box.addEventListener('scroll', look, { passive: true });
    const sized = new ResizeObserver(look);
    sized.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      sized.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    body.current?.style.setProperty('height', `${count * rowHeight}px`);
    body.current?.style.setProperty('padding-top', `${first * rowHeight}px`);
  }, [count, first]);
  return { scroller, body, first, end, height: sight.height };
}

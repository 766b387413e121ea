import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shownRows, type ShownRows } from './shown-rows.ts';

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

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../../client/connection.ts';
import { connection, told } from '../../client/inspector-client.ts';
import { useNow } from '../../client/ticking.ts';
import type { Told } from '../../client/told.ts';
import { useStore } from '../../client/use-store.ts';
import { machineLink } from '../../format/links.ts';
import type { SeedRow } from './seed-rows.ts';
import { SeedLine } from './seed-line.tsx';
import { scrolledTo, shownRows } from './shown-rows.ts';

/** `show` scrolls so that the row of this index is in sight, and gives its link the focus. */
export type TableHandle = Readonly<{ show(index: number, link: string): void }>;

/** In CSS pixels; seed.css says the same. */
const rowHeight = 26;

const columns = ['Name', 'Kind', 'State', 'Since', 'Leases, paths, endpoints', 'Next', 'At 0, refused'];

/** The lines as a table of which only those in sight are drawn: 5,000 cost no more than 40. */
export function SeedTable({
  rows,
  current,
  choose,
  handle,
}: Readonly<{
  rows: readonly SeedRow[];
  current: string | null;
  choose: (link: string) => void;
  handle: RefObject<TableHandle | null>;
}>) {
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 900 });
  const now = useNow();
  const passes = useStore(told, isLive);
  // Without the server nobody knows when the next probe is: then its time is as it was told, and counts down no more.
  const live = useStore(connection, isOpen) && passes;
  const { first, end } = shownRows({ ...sight, rowHeight }, rows.length);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener('scroll', look, { passive: true });
    const sized = new ResizeObserver(look);
    sized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      sized.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    body.current?.style.setProperty('--seed-rows', String(rows.length));
    body.current?.style.setProperty('--seed-first', String(first));
  }, [rows.length, first]);
  /** The row that a key chose, until it is drawn and has the focus, so that a screen reader says which one it is. */
  const wanted = useRef<string | null>(null);
  const focusWanted = () => {
    const link = [...(body.current?.querySelectorAll<HTMLElement>('.seed-name') ?? [])].find(
      (one) => one.getAttribute('href') === wanted.current,
    );
    if (link === undefined) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  };
  useLayoutEffect(focusWanted);
  useEffect(() => {
    handle.current = {
      show(index, link) {
        const element = scroller.current;
        if (element === null) return;
        const height = element.clientHeight - rowHeight;
        element.scrollTop = scrolledTo(index, { top: element.scrollTop, height, rowHeight });
        wanted.current = link;
        focusWanted();
      },
    };
    return () => {
      handle.current = null;
    };
  }, [handle]);

  return (
    <div class="seed-scroller" ref={scroller} tabIndex={0} role="region" aria-label="All shoots and services">
      <div role="table" aria-label="All shoots and services" aria-rowcount={rows.length + 1}>
        <div role="row" class="seed-line seed-head" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column} role="columnheader">
              {column}
            </span>
          ))}
        </div>
        <div class="seed-body" role="rowgroup" ref={body}>
          {rows.slice(first, end).map((row, index) => (
            <SeedLine
              key={`${row.kind} ${row.subject}`}
              row={row}
              index={first + index + 2}
              now={now}
              live={live}
              isCurrent={current === machineLink(row.kind, row.subject)}
              choose={choose}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const isOpen = ({ state }: Connection) => state === 'open';
const isLive = ({ about }: Told) => about?.live !== false;

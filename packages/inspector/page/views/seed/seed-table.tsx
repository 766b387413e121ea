import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { connection, serverState } from '../../client/inspector-client.ts';
import { useNow } from '../../client/ticking.ts';
import { useStore } from '../../client/store.ts';
import { machineLink } from '../../client/address.ts';
import type { SeedRow } from './seed-rows.ts';
import { scrolledTo, useSight } from '../../format/use-sight.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { isoText, calmText, nearTimeText } from '../../format/texts.ts';
import { Badge } from '../../format/mark.tsx';
import { Time, useZone } from '../../format/time.tsx';
import { seedStandings } from './seed-standing.ts';

/** `show` scrolls so that the row of this index is in sight, and gives its link the focus. */
export type TableHandle = Readonly<{ show(index: number, link: string): void }>;

/** In CSS pixels; seed.css says the same. */
const rowHeight = 30;

const columns = ['Name', 'Kind', 'State', 'Since', 'Leases, paths, endpoints', 'Next', 'At 0, refused'];

/** The lines as a table of which only those in sight are drawn. */
export function SeedTable(
  props: Readonly<{
    rows: readonly SeedRow[];
    current: string | null;
    choose: (link: string) => void;
    handle: RefObject<TableHandle | null>;
  }>,
) {
  const { rows, current, choose, handle } = props;
  const now = useNow();
  const passes = useStore(serverState, ({ about }) => about?.live !== false);
  // Without the server nobody knows when the next probe is: then its time is as it was told, and counts down no more.
  const live = useStore(connection, ({ state }) => state === 'open') && passes;
  const { scroller, body, first, end } = useSight(rows.length, rowHeight);
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
        <div role="rowgroup" ref={body}>
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

/** One shoot or service. `index`: its row of the table, from 1. `live`: time passes, unlike in files. */
function SeedLine(
  props: Readonly<{
    row: SeedRow;
    index: number;
    now: Instant | undefined;
    live: boolean;
    isCurrent: boolean;
    choose: (link: string) => void;
  }>,
) {
  const { row, index, now, live, isCurrent, choose } = props;
  const { kind, subject, standing, since, judged, nextAt, odd } = row;
  const link = machineLink(kind, subject);
  const zone = useZone();
  const oddTone = standing === 'unreadable' ? 'refused' : kind === 'shoot' ? 'down' : 'calm';
  return (
    <div
      role="row"
      class={`seed-line ${isCurrent ? 'seed-current' : ''}`}
      aria-rowindex={index}
      {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
    >
      <span role="cell" title={subject}>
        <a class="seed-name" href={link} onFocus={() => choose(link)}>
          {subject}
        </a>
      </span>
      <span role="cell" class="format-calm">
        {kind === 'shoot' ? 'shoot' : 'service'}
      </span>
      <span role="cell">
        <Badge {...seedStandings[standing]} />
      </span>
      <span role="cell" class="format-calm">
        {since === null ? 'not known' : <time dateTime={isoText(since)}>{nearTimeText(since, now, zone)}</time>}
      </span>
      <span role="cell" title={judged}>
        {judged}
      </span>
      <span role="cell">{nextAt === null ? '' : live ? nextWords(nextAt, now ?? nextAt) : <Time at={nextAt} />}</span>
      <span role="cell" class={`format-${oddTone}`} title={odd}>
        {odd}
      </span>
    </div>
  );
}

/** `in 12 s`: whole seconds, and so no more than one change in a second. */
function nextWords(nextAt: Instant, now: Instant): string {
  return nextAt - now < 500 ? 'due' : `in ${calmText(nextAt - now)}`;
}

import { useMemo, useState } from 'preact/hooks';
import { leadsOf } from '../../../episodes/led-runs.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { panned, zoomed, type TimeBounds, type TimeWindow } from '../../../model/timeline/time-window.ts';
import { allTime, instantLink, nightLink, turnLink, type NightFilter, type TimeRange } from '../../client/address.ts';
import { goTo } from '../../client/browser-address.ts';
import { serverState } from '../../client/inspector-client.ts';
import { useStore } from '../../client/store.ts';
import { dayText, numberText } from '../../format/texts.ts';
import { useZone } from '../../format/time.tsx';
import { rulerText, rulerTicks } from '../../machine/ruler.ts';
import { nightLanes, nightWindow, sharedPrefix, type NightBar, type NightLane } from './night-lanes.ts';
import { NightPointer } from './night-pointer.tsx';
import type { NightItem } from './night-storms.ts';

/** More lanes than these are drawn when somebody asks for them. */
const mostLanes = 40;
const mostTicks = 10;

/** The night on one axis of time: a lane for each to whom something happened, who led, and what the seed refused. */
export function NightAxis(
  props: Readonly<{
    items: readonly NightItem[];
    filter: NightFilter;
    now: Instant;
    recorded: boolean;
    toggle: (key: string, element: HTMLElement) => void;
  }>,
) {
  const { items, filter, now, recorded, toggle } = props;
  const zone = useZone();
  const runs = useStore(serverState, ({ about }) => about?.runs);
  const bounds = useStore(serverState, ({ about }) => about);
  const [most, setMost] = useState(mostLanes);
  const { range, open } = filter;
  const window = useMemo(() => nightWindow(items, range, now), [items, range, now]);
  const leads = useMemo(() => leadsOf(runs ?? []), [runs]);
  const lanes = useMemo(
    () => (window === undefined ? [] : nightLanes(items, leads, window, open, { now, zone, recorded })),
    [items, leads, window, open, now, zone, recorded],
  );
  if (window === undefined || lanes.length === 0) return null;
  const prefix = sharedPrefix(lanes.flatMap(({ of }) => of?.subject ?? []));
  const all = { from: bounds?.firstAt ?? window.from, until: bounds?.lastAt ?? window.until };
  const linkTo = (next: TimeRange) => nightLink({ ...filter, range: next });
  return (
    <section class="night-axis" aria-label="The night on one axis">
      <div class="night-lane night-ruler">
        <Zoom window={window} bounds={all} linkTo={linkTo} isAll={range === allTime} />
        <div class="night-track">
          {rulerTicks(window, mostTicks, zone).map(({ at, step }) => (
            <a
              key={at}
              class="night-tick"
              href={linkTo({ from: at, until: at + step })}
              aria-label={`From ${dayText(at, zone)}, ${rulerText(at, step, zone)} on`}
              ref={(tick) => placeTick(tick, window, at, at + step)}
            >
              {rulerText(at, step, zone)}
            </a>
          ))}
        </div>
      </div>
      <NightPointer lanes={lanes} window={window} select={(range) => goTo(linkTo(range))}>
        {lanes.slice(0, most).map((lane) => (
          <Lane
            key={lane.key}
            lane={lane}
            prefix={prefix}
            window={window}
            isOpen={open.includes(lane.storm ?? '')}
            toggle={toggle}
          />
        ))}
      </NightPointer>
      {lanes.length > most && (
        <button type="button" onClick={() => setMost(most + mostLanes)}>
          {numberText(lanes.length - most)} more lanes
        </button>
      )}
    </section>
  );
}

/** Nearer and further, earlier and later: as links, since each part of time has its address. */
function Zoom(
  props: Readonly<{
    window: TimeWindow;
    bounds: TimeBounds;
    linkTo: (range: TimeRange) => string;
    isAll: boolean;
  }>,
) {
  const { window, bounds, linkTo, isAll } = props;
  const { from, until } = window;
  const widest = { from: Math.min(bounds.from, from), until: Math.max(bounds.until, until) };
  const links: readonly (readonly [sign: string, name: string, range: TimeWindow])[] = [
    ['←', 'Earlier', panned(window, (from - until) / 2, widest)],
    ['→', 'Later', panned(window, (until - from) / 2, widest)],
    ['+', 'Nearer', zoomed(window, 0.5, (from + until) / 2, widest)],
    ['−', 'Further away', zoomed(window, 2, (from + until) / 2, widest)],
  ];
  return (
    <span class="night-zoom">
      {links.map(([sign, name, range]) => (
        <a key={name} href={linkTo({ from: Math.floor(range.from), until: Math.ceil(range.until) })} aria-label={name}>
          {sign}
        </a>
      ))}
      {!isAll && <a href={linkTo(allTime)}>All</a>}
    </span>
  );
}

function Lane(
  props: Readonly<{
    lane: NightLane;
    prefix: string;
    window: TimeWindow;
    isOpen: boolean;
    toggle: (key: string, element: HTMLElement) => void;
  }>,
) {
  const { lane, prefix, window, isOpen, toggle } = props;
  const { name, of, storm, bars } = lane;
  /** Where nothing is drawn, a click leads to what the shoot did then. */
  const openThen = (click: MouseEvent) => {
    if (of === null || !(click.currentTarget instanceof HTMLElement) || click.target !== click.currentTarget) return;
    const { left, width } = click.currentTarget.getBoundingClientRect();
    const at = window.from + ((click.clientX - left) / width) * (window.until - window.from);
    goTo(instantLink(of.kind, of.subject, at));
  };
  return (
    <li class="night-lane">
      {storm !== null ? (
        <button
          type="button"
          class="cut night-name"
          aria-expanded={isOpen}
          onClick={({ currentTarget }) => toggle(storm, currentTarget)}
        >
          {isOpen ? '▾' : '▸'} {name}
        </button>
      ) : of === null ? (
        <span class="cut night-name quiet">{name}</span>
      ) : (
        <a class="cut night-name" href={instantLink(of.kind, of.subject, bars[0]?.from ?? null)} title={name}>
          {name.slice(prefix.length)}
        </a>
      )}
      <div class="night-track" onClick={openThen}>
        {bars.map((bar) => (
          <Bar key={bar.key} bar={bar} window={window} />
        ))}
      </div>
    </li>
  );
}

function Bar({ bar, window }: Readonly<{ bar: NightBar; window: TimeWindow }>) {
  const { weight, words, turn, parts } = bar;
  const look = `night-bar night-bar-${weight} ${bar.until === bar.from ? 'night-mark' : ''}`;
  // What lies beyond the window is cut off, so that each stretch stands at its own time.
  const [from, until] = [Math.max(bar.from, window.from), Math.min(bar.until, window.until)];
  const placed = (element: HTMLElement | null) => place(element, window, from, until);
  if (turn === null) return <span class={look} role="img" aria-label={words} data-bar={bar.key} ref={placed} />;
  return (
    // The keyboard goes from lane to lane: the list beneath leads to each bar's turn, too.
    <a
      class={look}
      href={turnLink(turn)}
      aria-label={words}
      data-bar={bar.key}
      draggable={false}
      tabIndex={-1}
      ref={placed}
    >
      {parts
        .filter((part) => part.until >= from && part.from <= until)
        .map((part) => (
          <i
            key={part.from}
            class={`night-${part.means}`}
            ref={(stretch) => place(stretch, { from, until: Math.max(until, from + 1) }, part.from, part.until)}
          />
        ))}
    </a>
  );
}

/** A time is whole, or it is not there. */
function placeTick(tick: HTMLElement | null, window: TimeWindow, from: Instant, until: Instant): void {
  place(tick, window, from, until);
  if (tick === null) return;
  const isWhole = tick.offsetLeft + tick.scrollWidth <= (tick.parentElement?.clientWidth ?? 0);
  tick.style.setProperty('visibility', isWhole ? '' : 'hidden');
}

/** Within its lane, by a share of the window; what lies beyond it is cut. */
function place(element: HTMLElement | null, window: TimeWindow, from: Instant, until: Instant): void {
  const share = (at: Instant) => Math.min(Math.max((at - window.from) / (window.until - window.from), 0), 1);
  element?.style.setProperty('left', `${share(from) * 100}%`);
  element?.style.setProperty('width', `${(share(until) - share(from)) * 100}%`);
}

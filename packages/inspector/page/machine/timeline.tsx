import { leadsOf } from '../../episodes/led-runs.ts';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { frameOf, windowOf } from '../../model/timeline/frame.ts';
import {
  nearestTurn,
  foldLanes,
  mostUnfolded,
  unfoldedAtOnce,
  type Lanes,
  type Lane,
} from '../../model/timeline/lanes.ts';
import { leaderLane } from '../../model/timeline/leader-lane.ts';
import { burstsOf } from '../../model/timeline/time-scale.ts';
import type { MachineTimeline } from '../../model/timeline/timeline.ts';
import type { Kind } from '../../wire/wire.ts';
import { allTime, type TimeRange } from '../client/address.ts';
import { serverState } from '../client/inspector-client.ts';
import { useStore } from '../client/store.ts';
import { leadWords } from '../views/night/night-episodes.ts';
import { after, type Cancel } from '../browser-clock.ts';
import { numberText, timeText, type Zone } from '../format/texts.ts';
import { useZone } from '../format/time.tsx';
import { laneLines } from './lane-words.ts';
import { readPalette, useDarkness, rowsOf, rulerHeight, type Row } from './timeline-scene.ts';
import { followPointer, timelineSurface, type TimelineSurface } from './timeline-surface.ts';

/** Where the pointer is: an instant, a lane, and the place on the screen. */
type Pointed = Readonly<{ at: Instant; row: Row | undefined; x: number; y: number }>;

/** A wheel turns many times: only where it comes to rest stands in the address. */
const restsAfter: Millis = 250;

/** The lanes of one machine on a time axis (view 3). `words`: of the selected turn. `surfaced`: hands out what zooms and pans. */
export function Timeline<Of extends Kind>(
  props: Readonly<{
    timeline: MachineTimeline<Of>;
    selected: number;
    range: TimeRange;
    onRange: (range: TimeRange) => void;
    words: string;
    onSelect: (index: number) => void;
    surfaced: (surface: TimelineSurface | null) => void;
  }>,
) {
  const { timeline, selected, range, words, onSelect, onRange, surfaced } = props;
  const zone = useZone();
  const [most, setMost] = useState(mostUnfolded);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const [scroller, axis] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const [canvas, over] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  const surface = useRef<TimelineSurface | null>(null);
  const darkness = useDarkness();
  const { lanes, turns, consequences } = timeline;
  const { shown, foldedCount } = useMemo(() => foldLanes(lanes.many, most), [lanes, most]);
  const leader = useLeaderLane(turns, zone);
  const rows = useMemo(() => rowsOf([...lanes.first, ...leader, ...shown]), [lanes, leader, shown]);
  const selectedAt = turns[selected]?.turn.at ?? null;
  const bounds = useMemo(
    () => (lanes.firstAt === null || lanes.lastAt === null ? undefined : { from: lanes.firstAt, until: lanes.lastAt }),
    [lanes.firstAt, lanes.lastAt],
  );
  const window = useMemo(
    () => (range === allTime || bounds === undefined ? frameOf(lanes, selectedAt) : windowOf(range, bounds)),
    [range, bounds, lanes, selectedAt],
  );
  // Whoever zooms wants an even axis.
  const bursts = useMemo(() => {
    if (range !== allTime || window === undefined) return [];
    return burstsOf(
      turns.flatMap(({ turn }, index) => (consequences[index] === true ? turn.at : [])),
      window,
    );
  }, [range, window?.from, window?.until, turns, consequences]);
  const latest = useRef({ rows, turns, onSelect, onRange, bounds });
  latest.current = { rows, turns, onSelect, onRange, bounds };

  useLayoutEffect(() => {
    const [box, wide] = [scroller.current, axis.current];
    if (box === null || wide === null) return undefined;
    // The canvas is only as high as what is visible: all lanes together may have thousands of pixels.
    const observer = new ResizeObserver(() => wide.style.setProperty('height', `${box.clientHeight}px`));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (canvas.current === null || over.current === null) return undefined;
    let resting: Cancel | undefined;
    const made = timelineSurface(canvas.current, over.current, ({ from, until }) => {
      resting?.();
      resting = after(restsAfter, () => {
        const { bounds, onRange } = latest.current;
        if (bounds !== undefined) onRange({ from, until: until < bounds.until ? until : null });
      });
    });
    surface.current = made;
    surfaced(made);
    const stop = followPointer(over.current, made, {
      picked: (x, y) => {
        choose(rowAt(latest.current.rows, y + (scroller.current?.scrollTop ?? 0))?.lane.id ?? null);
        latest.current.onSelect(nearestTurn(latest.current.turns, made.at(x)));
      },
      pointed: (x, y) => {
        const box = over.current?.getBoundingClientRect();
        if (x === null || box === undefined) return setPointed(null);
        const row = rowAt(latest.current.rows, y + (scroller.current?.scrollTop ?? 0));
        setPointed({ at: made.at(x), row, x: box.left + x, y: box.top + y });
      },
    });
    return () => {
      surfaced(null);
      stop();
      resting?.();
      made.stop();
    };
  }, []);

  useLayoutEffect(() => {
    if (bounds === undefined) return;
    surface.current?.show({ rows, limits: lanes.limits, turns, consequences, bounds, selectedAt, zone });
  }, [rows, lanes, turns, consequences, bounds, selectedAt, zone]);

  useLayoutEffect(() => {
    if (window !== undefined) surface.current?.see(window, bursts);
  }, [window?.from, window?.until, bursts]);

  useLayoutEffect(() => {
    if (canvas.current !== null) surface.current?.paint(readPalette(canvas.current));
  }, [darkness]);

  const told = rows.find(({ lane }) => lane.id === chosen)?.lane;
  const walk = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = rows[rows.findIndex(({ lane }) => lane.id === chosen) + by];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    choose(next.lane.id);
    scroller.current?.querySelectorAll<HTMLElement>('.machine-name')[rows.indexOf(next)]?.focus();
  };
  return (
    <div class="machine-timeline">
      <div
        class="machine-lanes"
        ref={scroller}
        onScroll={({ currentTarget }) => surface.current?.scroll(currentTarget.scrollTop)}
      >
        <ol class="machine-names" aria-label="Lanes">
          <li class="cut machine-corner" ref={(item) => item?.style.setProperty('height', `${rulerHeight}px`)}>
            {cornerWords(lanes, shown.length, zone)}
          </li>
          {rows.map(({ lane, height }, index) => (
            <li key={lane.id} ref={(item) => item?.style.setProperty('height', `${height}px`)}>
              <button
                type="button"
                class="machine-name"
                // One stop for all of them; the arrows lead from one to the next.
                tabIndex={lane.id === chosen || (told === undefined && index === 0) ? 0 : -1}
                aria-pressed={lane.id === chosen}
                onClick={() => choose(lane.id === chosen ? null : lane.id)}
                onKeyDown={walk}
              >
                {lane.name}
              </button>
            </li>
          ))}
          {foldedCount === 0 ? null : (
            <li>
              <button type="button" class="machine-unfold" onClick={() => setMost((now) => now + unfoldedAtOnce)}>
                {numberText(foldedCount)} more are folded
              </button>
            </li>
          )}
        </ol>
        <div
          class="machine-axis"
          ref={axis}
          role="slider"
          tabIndex={0}
          aria-label="Turns in time"
          aria-valuemin={1}
          aria-valuemax={Math.max(1, turns.length)}
          aria-valuenow={Math.max(1, selected + 1)}
          aria-valuetext={words}
          data-turn-keys
        >
          <canvas ref={canvas} class="machine-canvas" />
          <canvas ref={over} class="machine-canvas machine-over" />
        </div>
      </div>
      <div class="machine-reading">
        <p>{words}</p>
        {told !== undefined && selectedAt !== null && (
          <p role="status">
            <strong>{told.name}</strong> {laneLines(told, selectedAt, lanes.limits, zone).join(' · ')}
          </p>
        )}
      </div>
      {pointed !== null && (
        <div class="machine-tip" ref={(tip) => void (tip !== null && placeTip(tip, pointed))} aria-hidden="true">
          <strong>
            {timeText(pointed.at, zone)} {pointed.row?.lane.name}
          </strong>
          {pointed.row !== undefined &&
            laneLines(pointed.row.lane, pointed.at, lanes.limits, zone).map((line) => <div key={line}>{line}</div>)}
        </div>
      )}
    </div>
  );
}

/** None where nobody is known to have led. */
function useLeaderLane(turns: readonly Readonly<{ turn: Readonly<{ run: string }> }>[], zone: Zone): readonly Lane[] {
  const runs = useStore(serverState, ({ about }) => about?.runs);
  return useMemo(() => {
    const own = new Set(turns.map(({ turn }) => turn.run));
    return leaderLane(leadsOf(runs ?? []), own, (event) => leadWords(event, zone));
  }, [runs, turns, zone]);
}

/** Which time this is, and how many of the lanes are seen. */
function cornerWords({ many }: Lanes, shown: number, zone: Zone): string {
  const time = zone === 'utc' ? 'UTC' : 'local time';
  if (shown === many.length) return time;
  return `${time} · the worst ${shown} of ${numberText(many.length)}`;
}

function rowAt(rows: readonly Row[], y: number): Row | undefined {
  const below = y - rulerHeight;
  return rows.find(({ top, height }) => below >= top && below < top + height);
}

/** Beside the pointer, on the side where there is more room. */
function placeTip(tip: HTMLElement, { x, y }: Pointed): void {
  const [right, below] = [x < innerWidth / 2, y < innerHeight * 0.7];
  tip.style.setProperty('left', right ? `${x + 14}px` : 'auto');
  tip.style.setProperty('right', right ? 'auto' : `${innerWidth - x + 14}px`);
  tip.style.setProperty('top', below ? `${y + 16}px` : 'auto');
  tip.style.setProperty('bottom', below ? 'auto' : `${innerHeight - y + 12}px`);
}

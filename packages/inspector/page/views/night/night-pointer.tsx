import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { TimeWindow } from '../../../model/timeline/time-window.ts';
import { timeText, type Zone } from '../../format/texts.ts';
import { useZone } from '../../format/time.tsx';
import type { NightLane } from './night-lanes.ts';

/** What lies under the pointer: when, and what, in a line each. `x`, `y`: in the browser's window. */
type Pointed = Readonly<{ x: number; y: number; when: string; what: string }>;

/** Less than this is a click, in pixels. */
const leastDrag = 5;

/** The lanes of the night: what lies under the pointer is told, and what it is drawn over is chosen. */
export function NightPointer(
  props: Readonly<{
    lanes: readonly NightLane[];
    window: TimeWindow;
    select: (range: TimeWindow) => void;
    children: ComponentChildren;
  }>,
) {
  const { lanes, window, select, children } = props;
  const zone = useZone();
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const drag = useRef<Readonly<{ at: Instant; x: number }> | null>(null);
  const band = useRef<HTMLElement>(null);

  const isDrawn = ({ clientX }: MouseEvent) => drag.current !== null && Math.abs(clientX - drag.current.x) >= leastDrag;
  const chosen = (event: MouseEvent): TimeWindow | null => {
    const at = instantUnder(event, window);
    if (drag.current === null || at === null) return null;
    return { from: Math.min(at, drag.current.at), until: Math.max(at, drag.current.at) };
  };
  const move = (event: PointerEvent) => {
    const at = instantUnder(event, window);
    const range = isDrawn(event) ? chosen(event) : null;
    if (band.current !== null) band.current.hidden = range === null;
    if (range !== null) placeBand(band.current, event.clientX, drag.current?.x ?? 0);
    if (at === null || event.pointerType === 'touch') return setPointed(null);
    const told = range === null ? toldUnder(event.target, at, lanes, zone) : { when: spanText(range, zone), what: '' };
    setPointed({ x: event.clientX, y: event.clientY, ...told });
  };
  const leave = () => {
    setPointed(null);
    drag.current = null;
    if (band.current !== null) band.current.hidden = true;
  };

  return (
    <div
      onPointerMove={move}
      onPointerLeave={leave}
      onPointerDown={(event) => {
        const at = instantUnder(event, window);
        drag.current =
          at === null || event.button !== 0 || event.pointerType === 'touch' ? null : { at, x: event.clientX };
      }}
      onClickCapture={(event) => {
        const range = isDrawn(event) ? chosen(event) : null;
        leave();
        if (range === null) return;
        // It was drawn over, and not clicked.
        event.preventDefault();
        event.stopPropagation();
        select({ from: Math.floor(range.from), until: Math.ceil(range.until) });
      }}
    >
      <ul class="night-lanes">{children}</ul>
      <i class="night-band" ref={band} hidden />
      {pointed !== null && (
        <div class="night-tip" aria-hidden="true" ref={(tip) => placeTip(tip, pointed)}>
          <strong>{pointed.when}</strong>
          {pointed.what !== '' && <span>{pointed.what}</span>}
        </div>
      )}
    </div>
  );
}

/** The instant under the pointer; null beside the tracks. */
function instantUnder({ clientX, target }: MouseEvent, { from, until }: TimeWindow): Instant | null {
  const track = target instanceof Element ? target.closest('.night-lane')?.querySelector('.night-track') : null;
  if (track == null) return null;
  const { left, width } = track.getBoundingClientRect();
  const share = (clientX - left) / width;
  return share < 0 || share > 1 ? null : from + share * (until - from);
}

/** What, from when to when, and how long: the stretch of the bar there, or else the time alone. */
function toldUnder(target: EventTarget | null, at: Instant, lanes: readonly NightLane[], zone: Zone) {
  const key = target instanceof Element ? target.closest('[data-bar]')?.getAttribute('data-bar') : undefined;
  const found = lanes.flatMap(({ name, bars }) =>
    bars.filter((one) => one.key === key).map((bar) => ({ name, bar })),
  )[0];
  if (found === undefined) return { when: timeText(at, zone), what: '' };
  const { name, bar } = found;
  const part = bar.parts.findLast(({ from }) => from <= at);
  return { when: spanText(part ?? bar, zone), what: part === undefined ? bar.words : `${name}: ${part.words}` };
}

/** `02:12:25.5 to 02:16:00.1, 3m35s`; `02:23:46.0`. */
function spanText({ from, until }: TimeWindow, zone: Zone): string {
  if (from === until) return timeText(from, zone);
  return `${timeText(from, zone)} to ${timeText(until, zone)}, ${lengthWords(until - from)}`;
}

/** Over all lanes, from where the pointer went down to where it is. */
function placeBand(band: HTMLElement | null, x: number, from: number): void {
  const lanes = band?.parentElement?.getBoundingClientRect();
  if (band === null || lanes === undefined) return;
  const bounds = { left: Math.min(x, from), width: Math.abs(x - from), top: lanes.top, height: lanes.height };
  for (const [name, value] of Object.entries(bounds)) band.style.setProperty(name, `${value}px`);
}

/** Beside the pointer, and within the browser's window. */
function placeTip(tip: HTMLElement | null, { x, y }: Pointed): void {
  if (tip === null) return;
  const { width, height } = tip.getBoundingClientRect();
  const below = y + 16 + height > innerHeight ? y - 8 - height : y + 16;
  tip.style.setProperty('left', `${Math.max(4, Math.min(x + 12, innerWidth - width - 4))}px`);
  tip.style.setProperty('top', `${below}px`);
}

import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { panned, showing, wholeWindow, zoomed, type TimeWindow } from '../../model/timeline/time-window.ts';
import { nextFrame, type Cancel } from '../browser-clock.ts';
import { drawLines, drawTimeline } from './draw-timeline.ts';
import { instantOf, timeScale, type TimeScale } from '../../model/timeline/time-scale.ts';
import { type Palette, type Content, type Scene } from './timeline-scene.ts';

/**
 * The window of time on two canvases, one over the other: the lanes, and the lines that move over them. Each is drawn when something of its own has
 * changed, and once for all that changed since the last picture. `moved`: somebody zoomed or moved, and sees another part.
 */
export type TimelineSurface = Readonly<{
  show(content: Content): void;
  paint(palette: Palette): void;
  scroll(scrolled: number): void;
  point(x: number | null): void;
  /** `factor` below 1 comes nearer; about the selected turn where it is seen, unless `x` says about what. */
  zoom(factor: number, x?: number): void;
  pan(pixels: number): void;
  fit(): void;
  /** `bursts`: stretches of it that are drawn wider. */
  see(window: TimeWindow, bursts: readonly TimeWindow[]): void;
  reveal(at: Instant): void;
  at(x: number): Instant;
  stop: Cancel;
}>;

export function timelineSurface(
  canvas: HTMLCanvasElement,
  over: HTMLCanvasElement,
  moved: (window: TimeWindow) => void,
): TimelineSurface {
  let content: Content | undefined;
  let palette: Palette | undefined;
  let window: TimeWindow | undefined;
  let scale: TimeScale = [];
  let [width, height, scrolled] = [0, 0, 0];
  let pointedAt: Instant | null = null;
  let cancel: Cancel | undefined;
  let lanesChanged = false;

  const observer = new ResizeObserver(() => {
    const box = canvas.getBoundingClientRect();
    [width, height] = [box.width, box.height];
    redraw();
  });
  observer.observe(canvas);

  return {
    show(next) {
      const before = content;
      content = next;
      redraw(before === undefined || !sameLanes(before, next));
    },
    paint(next) {
      palette = next;
      redraw();
    },
    scroll(next) {
      scrolled = next;
      redraw();
    },
    point(x) {
      pointedAt = x === null ? null : at(x);
      redraw(false);
    },
    zoom(factor, x) {
      if (content === undefined || window === undefined) return;
      const { selectedAt } = content;
      const isSeen = selectedAt !== null && selectedAt >= window.from && selectedAt <= window.until;
      const about = x !== undefined ? at(x) : isSeen ? selectedAt : (window.from + window.until) / 2;
      move(zoomed(window, factor, about, content.bounds));
    },
    pan(pixels) {
      if (content === undefined || window === undefined || width === 0) return;
      move(panned(window, (pixels / width) * (window.until - window.from), content.bounds));
    },
    fit() {
      if (content !== undefined) move(wholeWindow(content.bounds));
    },
    see,
    reveal(instant) {
      if (content !== undefined && window !== undefined) move(showing(window, instant, content.bounds));
    },
    at,
    stop() {
      observer.disconnect();
      cancel?.();
    },
  };

  function at(x: number): Instant {
    return instantOf(scale, x / Math.max(1, width));
  }

  function see(next: TimeWindow, bursts: readonly TimeWindow[] = []): void {
    window = next;
    scale = timeScale(next, bursts);
    redraw();
  }

  function move(next: TimeWindow): void {
    if (next === window) return;
    see(next);
    moved(next);
  }

  function redraw(lanes = true): void {
    lanesChanged ||= lanes;
    cancel ??= nextFrame(draw);
  }

  function draw(): void {
    cancel = undefined;
    if (content === undefined || palette === undefined || window === undefined || width === 0) return;
    const scene: Scene = { ...content, window, scale, width, height, scrolled, pointedAt, palette };
    if (lanesChanged) drawOn(canvas, drawTimeline, scene);
    drawOn(over, drawLines, scene);
    lanesChanged = false;
  }
}

/** The pen is scaled for the screen, so that all units are pixels of the page. */
function drawOn(
  canvas: HTMLCanvasElement,
  draw: (pen: CanvasRenderingContext2D, scene: Scene) => void,
  scene: Scene,
): void {
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const ratio = devicePixelRatio;
  const [wide, high] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
  // Setting the size clears the canvas and allocates its memory again.
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw(pen, scene);
}

/** Another turn may be shown, but the lanes look the same. */
function sameLanes(one: Content, other: Content): boolean {
  return one.rows === other.rows && one.turns === other.turns && one.zone === other.zone;
}

/** A hand that is not quite still still clicks. */
const stillClick = 4;

/** One notch of a wheel is 100 pixels in most browsers: it comes a fifth nearer. */
const zoomPerPixel = Math.log(1.25) / 100;

/** Wheel, drag, double click and hover on the canvas. `picked`: a click. `pointed`: where the pointer is, null where it has left. */
export function followPointer(
  canvas: HTMLCanvasElement,
  surface: TimelineSurface,
  {
    picked,
    pointed,
  }: Readonly<{ picked: (x: number, y: number) => void; pointed: (x: number | null, y: number) => void }>,
): Cancel {
  let pressedAt: number | undefined;
  let lastX = 0;
  let dragged = false;
  const ended = new AbortController();
  const { signal } = ended;

  canvas.addEventListener('wheel', wheel, { passive: false, signal });
  canvas.addEventListener('pointerdown', down, { signal });
  canvas.addEventListener('pointermove', move, { signal });
  canvas.addEventListener('pointerup', up, { signal });
  canvas.addEventListener('pointercancel', () => (pressedAt = undefined), { signal });
  canvas.addEventListener('pointerleave', () => point(null, 0), { signal });
  canvas.addEventListener('dblclick', () => surface.fit(), { signal });
  return () => ended.abort();

  // A wheel alone scrolls, as everywhere on a page; with Ctrl, as a pinch comes, it zooms.
  function wheel(event: WheelEvent): void {
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    const isSideways = Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY);
    if (!isSideways && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (isSideways) return surface.pan(pixels(event, sideways));
    surface.zoom(Math.exp(pixels(event, event.deltaY) * zoomPerPixel), event.offsetX);
  }

  function down(event: PointerEvent): void {
    if (event.button !== 0) return;
    [pressedAt, lastX, dragged] = [event.clientX, event.clientX, false];
    canvas.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    if (pressedAt !== undefined) {
      dragged ||= Math.abs(event.clientX - pressedAt) >= stillClick;
      if (dragged) surface.pan(lastX - event.clientX);
      if (dragged) lastX = event.clientX;
    }
    point(event.offsetX, event.offsetY);
  }

  function up(event: PointerEvent): void {
    if (pressedAt !== undefined && !dragged) picked(event.offsetX, event.offsetY);
    pressedAt = undefined;
  }

  function point(x: number | null, y: number): void {
    surface.point(x);
    pointed(x, y);
  }
}

/** Some browsers count lines or pages. */
function pixels({ deltaMode }: WheelEvent, delta: number): number {
  return deltaMode === WheelEvent.DOM_DELTA_PIXEL
    ? delta
    : deltaMode === WheelEvent.DOM_DELTA_LINE
      ? delta * 30
      : delta * 300;
}

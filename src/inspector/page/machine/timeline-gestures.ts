import type { Cancel } from '../browser-clock.ts';
import type { TimelineSurface } from './timeline-surface.ts';

/** A hand that is not quite still still clicks. */
const stillClick = 4;

/** One notch of a wheel is 100 pixels in most browsers: it comes a fifth nearer. */
const zoomPerPixel = Math.log(1.25) / 100;

/** Wheel, drag, double click and hover on the canvas. `picked`: a click. `pointed`: where the pointer is, null where it has left. */
export function followPointer(
  canvas: HTMLCanvasElement,
  surface: TimelineSurface,
  { picked, pointed }: Readonly<{ picked: (x: number) => void; pointed: (x: number | null, y: number) => void }>,
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

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) return surface.pan(pixels(event, sideways));
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
    if (pressedAt !== undefined && !dragged) picked(event.offsetX);
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

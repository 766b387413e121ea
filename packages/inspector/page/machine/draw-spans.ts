import { spansWithin, type LaneSpan } from '../../model/timeline/lanes.ts';
import type { Tone } from '../../model/states.ts';
import { xOf, type Ink, type Scene } from './timeline-scene.ts';

/** `strips`: which edges bear the colour, so that it is told by its shape, too. */
type Style = Readonly<{ fill: Ink | null; ink: Ink; strips: 'none' | 'above' | 'below' | 'both' | 'around' }>;

const styles: Readonly<Record<Tone, Style>> = {
  calm: { fill: 'ground', ink: 'ink', strips: 'none' },
  quiet: { fill: null, ink: 'quiet', strips: 'none' },
  busy: { fill: 'accent-ground', ink: 'accent', strips: 'none' },
  failed: { fill: null, ink: 'ink', strips: 'around' },
  unknown: { fill: null, ink: 'quiet', strips: 'none' },
  cutOff: { fill: 'cut-off-ground', ink: 'cut-off', strips: 'above' },
  down: { fill: 'down-ground', ink: 'down', strips: 'below' },
  refused: { fill: 'refused-ground', ink: 'refused', strips: 'both' },
};

/** Of what falls together within a pixel, the gravest is drawn. */
const gravity: Readonly<Record<Tone, number>> = {
  quiet: 0,
  calm: 1,
  unknown: 2,
  busy: 3,
  failed: 4,
  refused: 5,
  down: 6,
  cutOff: 7,
};

/** A span that is narrower than this is drawn as a mark: at its own width it would be invisible. */
const narrow = 3;
const strip = 3;

export type Band = Readonly<{ y: number; height: number; labels: boolean }>;

/** Draws the spans of a lane that are seen. Thousands of them cost no more than the pixels that they fall on. */
export function drawSpans(pen: CanvasRenderingContext2D, spans: readonly LaneSpan[], band: Band, scene: Scene): void {
  const { window, width, bounds } = scene;
  const [begin, end] = spansWithin(spans, window.from, window.until);
  let mark: { x: number; tone: Tone } | undefined;
  for (let index = begin; index < end; index++) {
    const span = spans[index];
    if (span === undefined) continue;
    const x0 = Math.max(xOf(scene, span.from), -8);
    const x1 = Math.min(xOf(scene, span.until ?? Math.max(bounds.until, span.from)), width + 8);
    if (x1 - x0 < narrow) {
      const x = Math.round(x0);
      if (mark !== undefined && x - mark.x < 2) {
        if (gravity[span.tone] > gravity[mark.tone]) mark.tone = span.tone;
      } else {
        if (mark !== undefined) drawMark(pen, mark.x, mark.tone, band, scene);
        mark = { x, tone: span.tone };
      }
    } else drawWide(pen, span, x0, x1, band, scene);
  }
  if (mark !== undefined) drawMark(pen, mark.x, mark.tone, band, scene);
}

function drawMark(pen: CanvasRenderingContext2D, x: number, tone: Tone, { y, height }: Band, { palette }: Scene): void {
  const { ink, strips } = styles[tone];
  pen.fillStyle = palette(tone === 'calm' ? 'edge' : ink);
  const half = Math.round(height / 2);
  switch (strips) {
    case 'above':
      return pen.fillRect(x, y, 2, height);
    case 'both':
      return pen.fillText('✕', x - 4, y + height / 2);
    case 'below':
      return pen.fillRect(x, y + half, 2, height - half);
    case 'around':
      pen.fillRect(x - 1, y, 4, 1);
      pen.fillRect(x, y, 2, height);
      return pen.fillRect(x - 1, y + height - 1, 4, 1);
    case 'none':
      return pen.fillRect(x, y + Math.round(height / 4), 2, half);
  }
}

function drawWide(
  pen: CanvasRenderingContext2D,
  { tone, label, short = '' }: LaneSpan,
  x0: number,
  x1: number,
  { y, height, labels }: Band,
  { palette }: Scene,
): void {
  const { fill, ink, strips } = styles[tone];
  const width = x1 - x0 - 1;
  if (fill !== null) {
    pen.fillStyle = palette(fill);
    pen.fillRect(x0, y, width, height);
  }
  if (tone === 'unknown') hatch(pen, x0, y, width, height, palette('line'));
  pen.fillStyle = palette(ink);
  if (strips === 'above' || strips === 'both') pen.fillRect(x0, y, width, strip);
  if (strips === 'below' || strips === 'both') pen.fillRect(x0, y + height - strip, width, strip);
  if (strips === 'around') {
    pen.strokeStyle = palette('edge');
    pen.strokeRect(x0 + 0.5, y + 0.5, width - 1, height - 1);
  }
  if (tone === 'quiet' || tone === 'calm') {
    pen.fillStyle = palette('line');
    pen.fillRect(x0, y + height - 1, width, 1);
    pen.fillRect(x0, y, 1, height);
  }
  if (!labels) return;
  // A span that began before what is seen is named all the same. What does not fit whole is not written: whoever points at it is told.
  const from = Math.max(x0, 0) + 6;
  const sign = tone === 'failed' || tone === 'refused' ? '✕ ' : '';
  const said = [label, short].find((words) => words !== '' && pen.measureText(sign + words).width <= x1 - from - 4);
  if (said === undefined) return;
  pen.fillStyle = palette(ink);
  pen.fillText(sign + said, from, y + height / 2 + 0.5);
}

function hatch(pen: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, ink: string): void {
  pen.strokeStyle = ink;
  pen.beginPath();
  for (let at = x - height; at < x + width; at += 8) {
    const [from, until] = [Math.max(at, x), Math.min(at + height, x + width)];
    if (until <= from) continue;
    pen.moveTo(from, y + height - (from - at));
    pen.lineTo(until, y + height - (until - at));
  }
  pen.stroke();
}

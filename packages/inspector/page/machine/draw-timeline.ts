import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { firstWhere, type Lane } from '../../model/timeline/lanes.ts';
import { drawAges, drawLimit } from './draw-ages.ts';
import { drawSpans } from './draw-spans.ts';
import { rulerHeight, xOf, type Row, type Scene } from './timeline-scene.ts';
import { rulerText, rulerTicks } from './ruler.ts';

/** Lanes with a second, narrower one for what is on its way. */
const hasUnder: ReadonlySet<Lane['shows']> = new Set(['dependant', 'path', 'pod']);

/** Draws all that stands still. Units are pixels of the page; whoever calls has scaled the pen for the screen. */
export function drawTimeline(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { width, height, rows, scrolled, palette } = scene;
  pen.fillStyle = palette('paper');
  pen.fillRect(0, 0, width, height);
  pen.font = `12px ${getComputedStyle(pen.canvas).fontFamily}`;
  pen.textBaseline = 'middle';
  pen.lineWidth = 1;
  for (const { opened, begin, end } of scene.scale)
    if (opened) {
      pen.fillStyle = palette('accent');
      for (const share of [begin, end]) pen.fillRect(Math.round(share * width), 0, 1, height);
    }
  const firstLease = rows.find(({ lane }) => lane.shows === 'lease');
  for (const row of rows) {
    const y = row.top - scrolled + rulerHeight;
    if (y + row.height < rulerHeight || y > height) continue;
    drawRow(pen, row, y, scene, row === firstLease);
    pen.fillStyle = palette('line');
    pen.fillRect(0, y + row.height - 1, width, 1);
  }
  drawRuler(pen, scene);
}

/** Draws what moves over the lanes: where the pointer is, and the turn that is shown. */
export function drawLines(pen: CanvasRenderingContext2D, scene: Scene): void {
  pen.clearRect(0, 0, scene.width, scene.height);
  drawLine(pen, scene.pointedAt, scene, 'edge');
  drawLine(pen, scene.selectedAt, scene, 'accent');
}

function drawRow(pen: CanvasRenderingContext2D, { lane, height }: Row, y: number, scene: Scene, first: boolean): void {
  if (lane.shows === 'lease') {
    drawSpans(pen, lane.spans, { y: y + 1, height: height - 3, labels: false }, scene);
    const band = { y: y + 3, height: height - 5 };
    drawAges(pen, lane.ages, band, scene);
    drawLimit(pen, band, scene, first);
    return;
  }
  const under = hasUnder.has(lane.shows) ? 8 : 0;
  drawSpans(pen, lane.spans, { y: y + 3, height: height - 7 - under, labels: true }, scene);
  if (under > 0) drawSpans(pen, lane.under, { y: y + height - under - 2, height: under, labels: false }, scene);
}

function drawLine(pen: CanvasRenderingContext2D, at: Instant | null, scene: Scene, ink: 'edge' | 'accent'): void {
  if (at === null) return;
  const x = Math.round(xOf(scene, at));
  if (x < 0 || x > scene.width) return;
  pen.fillStyle = scene.palette(ink);
  pen.fillRect(x, 0, 1, scene.height);
  if (ink === 'edge') return;
  // A flag, so that the line is found without its colour.
  pen.beginPath();
  pen.moveTo(x - 5, 0);
  pen.lineTo(x + 6, 0);
  pen.lineTo(x + 0.5, 8);
  pen.fill();
}

/** Room for `12:00:44.1` and a gap. */
const labelWidth = 84;

/** Times above, and below them a mark for each turn: a long one where it has a consequence. What is opened has times of its own. */
function drawRuler(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { scale, width, palette, zone } = scene;
  pen.fillStyle = palette('raised');
  pen.fillRect(0, 0, width, rulerHeight);
  for (const stretch of scale) {
    const [left, right] = [stretch.begin * width, stretch.end * width];
    if (stretch.opened) {
      pen.fillStyle = palette('accent-ground');
      pen.fillRect(left, 0, right - left, rulerHeight);
    }
    for (const { at, step } of rulerTicks(stretch, (right - left) / labelWidth, zone)) {
      const x = Math.round(xOf(scene, at));
      pen.fillStyle = palette('line');
      pen.fillRect(x, 0, 1, rulerHeight);
      const text = rulerText(at, step, zone);
      // What would run into the next stretch is left out.
      if (x + 4 + pen.measureText(text).width > right) continue;
      pen.fillStyle = palette(stretch.opened ? 'accent' : 'quiet');
      pen.fillText(text, x + 4, 9);
    }
  }
  drawTurns(pen, scene);
  pen.fillStyle = palette('line');
  pen.fillRect(0, rulerHeight - 1, width, 1);
}

function drawTurns(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { turns, consequences, window, palette } = scene;
  const begin = firstWhere(turns.length, (index) => (turns[index]?.turn.at ?? 0) >= window.from);
  for (const consequent of [false, true]) {
    pen.fillStyle = consequent ? palette('ink') : palette('edge');
    let last = -10;
    for (let index = begin; index < turns.length; index++) {
      const at = turns[index]?.turn.at ?? 0;
      if (at > window.until) break;
      if (consequences[index] !== consequent) continue;
      const x = Math.round(xOf(scene, at));
      if (x - last < 2) continue;
      last = x;
      if (consequent) pen.fillRect(x, rulerHeight - 14, 2, 13);
      else pen.fillRect(x, rulerHeight - 7, 1, 6);
    }
  }
}

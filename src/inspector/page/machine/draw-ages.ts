import { expiryFraction } from '../../../domain/prober/verdict.ts';
import { firstWhere, limitAt } from '../../told/lanes-find.ts';
import type { LeaseAges } from '../../told/lanes.ts';
import { lengthText } from '../format/length-text.ts';
import { xOf, type Scene } from './timeline-scene.ts';

/** A lane is as high as this share of the grace. Above it there is little more to see than that a lease is older. */
const highest = 1.15;

export type AgeBand = Readonly<{ y: number; height: number }>;

/**
 * Draws how old a lease was, as a saw: each tooth rises from a renewal that a probe has shown to the last probe that showed no younger one.
 * Nothing is known of the time between that and the next renewal, and nothing is drawn there. What is above the limit has the colour of what is cut
 * off.
 */
export function drawAges(pen: CanvasRenderingContext2D, ages: LeaseAges, band: AgeBand, scene: Scene): void {
  const { teeth, isOver } = teethOf(ages, band, scene);
  const limit = limitY(band);
  pen.globalAlpha = 0.45;
  // To fill within bounds costs more, and most leases are fresh.
  if (!isOver) {
    pen.fillStyle = scene.palette.edge;
    pen.fill(teeth);
    pen.globalAlpha = 1;
    return;
  }
  fillWithin(pen, teeth, scene, limit, band.y + band.height, scene.palette.edge);
  // An outage of many nodes is a large area, and eyes that look at it at night want to go on looking.
  pen.globalAlpha = 0.65;
  fillWithin(pen, teeth, scene, band.y, limit, scene.palette['cut-off']);
  pen.globalAlpha = 1;
}

/** The line at which a lease counts as expired. All lanes are scaled by the grace, so that it is at the same height whatever the shoot's grace is. */
export function drawLimit(pen: CanvasRenderingContext2D, band: AgeBand, scene: Scene, named: boolean): void {
  const { limits, window, width, palette } = scene;
  const y = Math.round(limitY(band)) + 0.5;
  pen.strokeStyle = palette.quiet;
  pen.setLineDash([4, 3]);
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(width, y);
  pen.stroke();
  pen.setLineDash([]);
  const limit = limitAt(limits, window.until);
  if (!named || limit === undefined) return;
  const words = `expired at ${lengthText(limit.limit)}`;
  pen.fillStyle = palette.paper;
  pen.fillRect(2, y + 1.5, pen.measureText(words).width + 4, 13);
  pen.fillStyle = palette.quiet;
  pen.fillText(words, 4, y + 8.5);
}

function limitY({ y, height }: AgeBand): number {
  return y + height * (1 - expiryFraction / highest);
}

/** `isOver`: some of them rise above the limit. */
function teethOf(
  { renewed, seen }: LeaseAges,
  { y, height }: AgeBand,
  scene: Scene,
): Readonly<{ teeth: Path2D; isOver: boolean }> {
  const { window, limits } = scene;
  const base = y + height;
  const teeth = new Path2D();
  /** Many teeth within a pixel are one column, and columns side by side one shape: each shape of its own costs as much as a wide one. */
  let column = -10;
  let oldest = 0;
  let isOver = false;
  let grace = limitAt(limits, window.from)?.grace ?? 0;
  let perMilli = height / (grace * highest);
  const begin = firstWhere(seen.length, (index) => (seen[index] ?? 0) >= window.from);
  for (let index = begin; index < seen.length; index++) {
    const [renewedAt, until] = [renewed[index] ?? 0, seen[index] ?? 0];
    const from = Math.max(renewedAt, seen[index - 1] ?? -Infinity);
    if (from > window.until) break;
    if (limits.length > 1) {
      grace = limitAt(limits, until)?.grace ?? grace;
      perMilli = height / (grace * highest);
    }
    const [x0, x1, age] = [xOf(scene, from), xOf(scene, until), until - renewedAt];
    isOver ||= age > expiryFraction * grace;
    if (x1 - x0 < 2) {
      const x = Math.round(x1);
      if (x === column) oldest = Math.max(oldest, age);
      else {
        const isNext = x === column + 1;
        if (column >= 0) raise(column, isNext);
        if (!isNext) teeth.moveTo(x, base);
        [column, oldest] = [x, age];
      }
      continue;
    }
    if (column >= 0) raise(column, false);
    column = -10;
    teeth.moveTo(x0, base);
    teeth.lineTo(x0, base - (from - renewedAt) * perMilli);
    teeth.lineTo(x1, base - age * perMilli);
    teeth.lineTo(x1, base);
  }
  if (column >= 0) raise(column, false);
  return { teeth, isOver };

  /** `on`: another column follows at once. */
  function raise(x: number, on: boolean): void {
    const top = Math.round(base - oldest * perMilli);
    teeth.lineTo(x, top);
    teeth.lineTo(x + 1, top);
    if (on) return;
    teeth.lineTo(x + 1, base);
    teeth.closePath();
  }
}

function fillWithin(
  pen: CanvasRenderingContext2D,
  path: Path2D,
  { width }: Scene,
  from: number,
  until: number,
  colour: string,
): void {
  pen.save();
  pen.beginPath();
  pen.rect(0, from, width, until - from);
  pen.clip();
  pen.fillStyle = colour;
  pen.fill(path);
  pen.restore();
}

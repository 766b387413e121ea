import { firstWhere, limitAt } from '../../told/lanes-find.ts';
import type { LeaseAges, LeaseLimit } from '../../told/lanes.ts';
import type { Millis } from '../../../domain/time.ts';
import { xOf, type Scene } from './timeline-scene.ts';

/** Above the grace there is little more to see: an older lease is as high as the lane. */
const highest = 1.15;

export type AgeBand = Readonly<{ y: number; height: number }>;

/**
 * Draws how old a lease was, as far as it is known: from each renewal that a probe has shown up to the last probe that showed no younger one.
 * What is above the limit has the colour of what is cut off.
 */
export function drawAges(
  pen: CanvasRenderingContext2D,
  { renewed, seen }: LeaseAges,
  band: AgeBand,
  scene: Scene,
): void {
  const { window, limits } = scene;
  const begin = firstWhere(seen.length, (index) => (seen[index] ?? 0) >= window.from);
  const base = band.y + band.height;
  const below = new Path2D();
  const above = new Path2D();
  let column = -10;
  let top = base;
  let limit = limitAt(limits, window.from);
  for (let index = begin; index < seen.length; index++) {
    const [from, until] = [Math.max(renewed[index] ?? 0, seen[index - 1] ?? -Infinity), seen[index] ?? 0];
    if (from > window.until) break;
    if (limits.length > 1) limit = limitAt(limits, until);
    if (limit === undefined) break;
    const scale = band.height / (limit.grace * highest);
    const yOf = (age: Millis) => base - Math.min(Math.max(age, 0) * scale, band.height);
    const [x0, x1] = [xOf(scene, from), xOf(scene, until)];
    const [age0, age1] = [from - (renewed[index] ?? 0), until - (renewed[index] ?? 0)];
    if (x1 - x0 < 2) {
      // Many renewals within a pixel: the highest age is what matters.
      const x = Math.round(x1);
      const y = yOf(age1);
      if (x === column && y >= top) continue;
      below.rect(x - 0.5, Math.max(y, yOf(limit.limit)), 1, base - Math.max(y, yOf(limit.limit)));
      if (age1 > limit.limit) above.rect(x - 0.5, y, 1.5, yOf(limit.limit) - y);
      [column, top] = [x, y];
      continue;
    }
    slope(below, {
      x0,
      x1,
      y0: yOf(Math.min(age0, limit.limit)),
      y1: yOf(Math.min(age1, limit.limit)),
      kink: kinkOf(limit),
      base,
    });
    if (age1 <= limit.limit) continue;
    const over = Math.max(x0, x0 + ((limit.limit - age0) / (age1 - age0)) * (x1 - x0));
    slope(above, { x0: over, x1, y0: yOf(Math.max(age0, limit.limit)), y1: yOf(age1), base: yOf(limit.limit) });

    function kinkOf({ limit: most }: LeaseLimit): number {
      return age1 <= most ? x1 : Math.max(x0, x0 + ((most - age0) / (age1 - age0)) * (x1 - x0));
    }
  }
  pen.fillStyle = scene.palette.edge;
  pen.fill(below);
  pen.fillStyle = scene.palette['cut-off'];
  pen.fill(above);
}

/** `kink`: where it stops to rise. */
function slope(
  path: Path2D,
  {
    x0,
    x1,
    y0,
    y1,
    base,
    kink = x1,
  }: Readonly<{ x0: number; x1: number; y0: number; y1: number; base: number; kink?: number }>,
): void {
  path.moveTo(x0, base);
  path.lineTo(x0, y0);
  path.lineTo(kink, y1);
  path.lineTo(x1, y1);
  path.lineTo(x1, base);
  path.closePath();
}

/** The line at which a lease counts as expired; it moves where the shoot's grace does. */
export function drawLimit(pen: CanvasRenderingContext2D, band: AgeBand, scene: Scene): void {
  const { limits, window, width, palette } = scene;
  pen.strokeStyle = palette.quiet;
  pen.setLineDash([4, 3]);
  pen.beginPath();
  for (const [index, { at, limit, grace }] of limits.entries()) {
    const until = limits[index + 1]?.at ?? Infinity;
    if (until < window.from || (at > window.until && index > 0)) continue;
    const y = Math.round(band.y + band.height - (limit / (grace * highest)) * band.height) + 0.5;
    pen.moveTo(Math.max(0, index === 0 ? 0 : xOf(scene, at)), y);
    pen.lineTo(Math.min(width, until === Infinity ? width : xOf(scene, until)), y);
  }
  pen.stroke();
  pen.setLineDash([]);
}

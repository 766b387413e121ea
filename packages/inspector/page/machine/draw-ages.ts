import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { expiryFraction } from 'dependency-watchdog/domain/prober/verdict.ts';
import { firstWhere, limitAt, type LeaseAges } from '../../model/timeline/lanes.ts';
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
  const { palette, width } = scene;
  const [limit, base] = [limitY(band), band.y + band.height];
  pen.globalAlpha = belowAlpha;
  pen.fillStyle = palette('edge');
  const { teeth, isOver, high } = drawTeeth(pen, ages, band, scene);
  // To fill within bounds costs more, and most leases are fresh.
  if (teeth !== undefined && !isOver) pen.fill(teeth);
  if (teeth !== undefined && isOver) fillWithin(pen, teeth, [0, limit, width, base - limit]);
  pen.globalAlpha = aboveAlpha;
  pen.fillStyle = palette('cut-off');
  for (let index = 0; index < high.length; index += 2) {
    const y = Math.max(high[index + 1] ?? 0, band.y);
    pen.fillRect(high[index] ?? 0, y, 1, limit - y);
  }
  if (teeth !== undefined && isOver) fillWithin(pen, teeth, [0, band.y, width, limit - band.y]);
  pen.globalAlpha = 1;
}

const belowAlpha = 0.45;
// An outage of many nodes is a large area, and eyes that look at it at night want to go on looking.
const aboveAlpha = 0.65;

/** The line at which a lease counts as expired. All lanes are scaled by the grace, so that it is at the same height whatever the shoot's grace is. */
export function drawLimit(pen: CanvasRenderingContext2D, band: AgeBand, scene: Scene, named: boolean): void {
  const { limits, window, width, palette } = scene;
  const y = Math.round(limitY(band)) + 0.5;
  pen.strokeStyle = palette('quiet');
  pen.setLineDash([4, 3]);
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(width, y);
  pen.stroke();
  pen.setLineDash([]);
  const limit = limitAt(limits, window.until);
  if (!named || limit === undefined) return;
  const words = `expired at ${lengthWords(limit.limit)}`;
  pen.fillStyle = palette('paper');
  pen.fillRect(2, y + 1.5, pen.measureText(words).width + 4, 13);
  pen.fillStyle = palette('quiet');
  pen.fillText(words, 4, y + 8.5);
}

function limitY({ y, height }: AgeBand): number {
  return y + height * (1 - expiryFraction / highest);
}

/** `teeth`: those that are wide enough to be seen as such, undefined where there are none. `high`: columns above the limit, each with its x and its top. */
type Drawn = Readonly<{ teeth: Path2D | undefined; isOver: boolean; high: readonly number[] }>;

/** Draws at once, up to the limit, what is no wider than a column: a path of thousands of these would cost five times as much. */
function drawTeeth(pen: CanvasRenderingContext2D, { renewed, seen }: LeaseAges, band: AgeBand, scene: Scene): Drawn {
  const { window, limits } = scene;
  const base = band.y + band.height;
  const limit = limitY(band);
  let teeth: Path2D | undefined;
  let isOver = false;
  const high: number[] = [];
  let [column, top] = [-1, base];
  let perMilli = perMilliOf(band, limitAt(limits, window.from)?.grace);
  const begin = firstWhere(seen.length, (index) => (seen[index] ?? 0) >= window.from);
  for (let index = begin; index < seen.length; index++) {
    const [renewedAt, until] = [renewed[index] ?? 0, seen[index] ?? 0];
    const from = Math.max(renewedAt, seen[index - 1] ?? -Infinity);
    if (from > window.until) break;
    if (limits.length > 1) perMilli = perMilliOf(band, limitAt(limits, until)?.grace);
    const [x0, x1] = [xOf(scene, from), xOf(scene, until)];
    const y = base - (until - renewedAt) * perMilli;
    if (x1 - x0 >= 2) {
      teeth ??= new Path2D();
      isOver ||= y < limit;
      teeth.moveTo(x0, base);
      if (from > renewedAt) teeth.lineTo(x0, base - (from - renewedAt) * perMilli);
      // Its edge bends where a burst is opened.
      for (const { until: bend } of scene.scale)
        if (bend > from && bend < until) teeth.lineTo(xOf(scene, bend), base - (bend - renewedAt) * perMilli);
      teeth.lineTo(x1, y);
      teeth.lineTo(x1, base);
      continue;
    }
    // Many teeth within a pixel are one column: the highest is what matters.
    const x = Math.round(x1);
    if (x === column) top = Math.min(top, y);
    else {
      stand(column, top);
      [column, top] = [x, y];
    }
  }
  stand(column, top);
  return { teeth, isOver, high };

  function stand(x: number, y: number): void {
    if (x < 0) return;
    const below = Math.max(y, limit);
    pen.fillRect(x, below, 1, base - below);
    if (y < limit) high.push(x, y);
  }
}

function perMilliOf({ height }: AgeBand, grace: Millis = 1): number {
  return height / (grace * highest);
}

function fillWithin(
  pen: CanvasRenderingContext2D,
  path: Path2D,
  box: readonly [x: number, y: number, width: number, height: number],
): void {
  pen.save();
  pen.beginPath();
  pen.rect(...box);
  pen.clip();
  pen.fill(path);
  pen.restore();
}

import type { Point } from './drawn-chart.ts';

/** In CSS pixels. */
const cornerRadius = 6;
const origin: Point = [0, 0];
const head = { length: 8, halfWidth: 3.5 } as const;

/** The line of an edge for SVG's `d`, with round corners; it ends where its arrowhead begins. */
export function linePath(points: readonly Point[]): string {
  const shortened = [...points.slice(0, -1), along(points.at(-1), points.at(-2), head.length - 1)];
  return shortened
    .map((point, index) => {
      const [before, after] = [shortened[index - 1], shortened[index + 1]];
      if (before === undefined) return `M${text(point)}`;
      if (after === undefined) return `L${text(point)}`;
      const radius = Math.min(cornerRadius, length(before, point) / 2, length(point, after) / 2);
      return `L${text(along(point, before, radius))}Q${text(point)} ${text(along(point, after, radius))}`;
    })
    .join('');
}

/** The arrowhead at an edge's end, for SVG's `points`; `times` as large as usual. */
export function headPoints(points: readonly Point[], times = 1): string {
  const [before, tip = origin] = points.slice(-2);
  const [x, y] = along(tip, before, head.length * times);
  const [dx, dy] = [(tip[0] - x) / head.length, (tip[1] - y) / head.length];
  const side = (by: number): Point => [x - dy * by, y + dx * by];
  return [tip, side(head.halfWidth), side(-head.halfWidth)].map(text).join(' ');
}

/** The point that is `far` away from `from` in the direction of `to`. */
function along(from: Point = origin, to: Point = from, far = 0): Point {
  const whole = length(from, to);
  if (whole === 0) return from;
  return [from[0] + ((to[0] - from[0]) * far) / whole, from[1] + ((to[1] - from[1]) * far) / whole];
}

function length([x, y]: Point, [toX, toY]: Point): number {
  return Math.hypot(toX - x, toY - y);
}

function text([x, y]: Point): string {
  return `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`;
}

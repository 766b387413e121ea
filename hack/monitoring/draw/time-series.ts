import type { Panel } from '../dashboards/dashboards.ts';
import type { Recording } from '../record/recording.ts';
import type { Named } from './answered-panel.ts';
import { colourOf, colours, place, rect, text, widthOf, type Box } from './shapes.ts';
import { ticks, written } from './units.ts';

const lineHeight = 15;
const left = 52;

/** Lines, or a stack of them, with their legend below. */
export function drawTimeSeries(
  panel: Panel,
  series: readonly Named[],
  { step, seconds }: Recording,
  box: Box,
): string[] {
  const { lines, height } = legend(panel, series, box);
  const plot = { x: box.x + left, y: box.y + 4, width: box.width - left - 8, height: box.height - height - 24 };
  const stacks = panel.stacked === true ? stacked(series) : series.map(({ values }) => values);
  const limit = panel.thresholds?.find(([colour, from]) => colour === 'red' && from !== undefined)?.[1];
  const upright = ticks(
    [...stacks.flat().filter((value) => value !== null), ...(limit === undefined ? [] : [limit])],
    panel.unit,
  );
  const [least = 0, most = 1] = [upright[0], upright.at(-1)];
  const top = (value: number): number => plot.y + plot.height * (1 - (value - least) / (most - least));
  const across = (second: number): number => plot.x + (second / seconds) * plot.width;

  const paths = series.map((_, index) => {
    const values = stacks[index] ?? [];
    const below = panel.stacked === true && index > 0 ? stacks[index - 1] : undefined;
    const colour = colourIn(panel, index, series);
    const area = panel.stacked === true ? [filled(values, below, colour)] : [];
    return [...area, ...drawn(values, colour)];
  });
  return [
    ...upright.map((value) =>
      text(plot.x - 6, top(value) + 4, written(value, panel.unit), { anchor: 'end', size: 10 }),
    ),
    ...upright.map((value) => `<path class="grid" d="M${place(plot.x)} ${place(top(value))}h${place(plot.width)}"/>`),
    ...minutes(seconds).map((minute) =>
      text(Math.min(across(minute * 60), plot.x + plot.width - 12), plot.y + plot.height + 14, `${minute} min`, {
        anchor: 'middle',
        size: 10,
      }),
    ),
    ...paths.flat(),
    ...(limit === undefined
      ? []
      : [
          `<path d="M${place(plot.x)} ${place(top(limit))}h${place(plot.width)}" stroke="${colours['red']}" stroke-dasharray="5 4"/>`,
        ]),
    ...lines,
  ];

  function drawn(values: readonly (number | null)[], colour: string): string[] {
    return runs(values).map((run) => {
      const points = run.map(([index, value]) => `${place(across(index * step))},${place(top(value))}`);
      // A single value would be a line of no length.
      if (points.length === 1)
        return `<circle cx="${points[0]?.split(',')[0]}" cy="${points[0]?.split(',')[1]}" r="2" fill="${colour}"/>`;
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
    });
  }

  function filled(
    values: readonly (number | null)[],
    below: readonly (number | null)[] | undefined,
    colour: string,
  ): string {
    const upper = values.map((value, index) => `${place(across(index * step))},${place(top(value ?? 0))}`);
    const lower = values.map((_, index) => `${place(across(index * step))},${place(top(below?.[index] ?? 0))}`);
    return `<polygon points="${[...upper, ...lower.toReversed()].join(' ')}" fill="${colour}" opacity="0.35"/>`;
  }
}

export function minutes(seconds: number): readonly number[] {
  const apart = seconds > 300 ? 2 : 1;
  return Array.from({ length: Math.floor(seconds / 60 / apart) + 1 }, (_, index) => index * apart);
}

function colourIn({ colours: chosen = {} }: Panel, index: number, series: readonly Named[]): string {
  return colours[chosen[series[index]?.name ?? ''] ?? ''] ?? colourOf(index);
}

/** Each on top of those before it. */
function stacked(series: readonly Named[]): readonly (readonly number[])[] {
  let sums: readonly number[] = [];
  return series.map(({ values }) => (sums = values.map((value, index) => (value ?? 0) + (sums[index] ?? 0))));
}

/** The pieces of a line between its gaps. */
function runs(values: readonly (number | null)[]): readonly (readonly (readonly [number, number])[])[] {
  const pieces: [number, number][][] = [];
  let current: [number, number][] | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      current = undefined;
      continue;
    }
    if (current === undefined) pieces.push((current = []));
    current.push([index, value]);
  }
  return pieces;
}

/** At the foot of the box, in as many lines as it needs. */
function legend(panel: Panel, series: readonly Named[], box: Box): Readonly<{ lines: string[]; height: number }> {
  let [x, line] = [0, 0];
  const entries = series.map(({ name }, index) => {
    const width = Math.min(widthOf(name) + 28, box.width - 16);
    if (x + width > box.width - 16 && x > 0) [x, line] = [0, line + 1];
    const entry = { x, line, name, width, colour: colourIn(panel, index, series) };
    x += width;
    return entry;
  });
  const height = (line + 1) * lineHeight;
  const first = box.y + box.height - height + 10;
  return {
    height,
    lines: entries.flatMap((entry) => [
      rect({ x: box.x + 8 + entry.x, y: first + entry.line * lineHeight - 6, width: 12, height: 3 }, entry.colour),
      text(box.x + 24 + entry.x, first + entry.line * lineHeight, entry.name, { width: entry.width - 20 }),
    ]),
  };
}

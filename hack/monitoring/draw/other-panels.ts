import type { Panel } from '../dashboards/dashboards.ts';
import type { Recording } from '../record/recording.ts';
import type { Named } from './answered-panel.ts';
import { colours, place, rect, text, widthOf, type Box } from './shapes.ts';
import { minutes } from './time-series.ts';
import { written } from './units.ts';

/** One number, on the colour of its threshold. */
export function drawStat(panel: Panel, series: readonly Named[], box: Box): string[] {
  const value = series[0]?.values.at(-1) ?? 0;
  const word = panel.words?.[String(value)];
  const size = word === undefined ? 30 : 24;
  return [
    rect(
      { x: box.x + 8, y: box.y + 2, width: box.width - 16, height: box.height - 10 },
      colourAt(panel, value),
      ' rx="3"',
    ),
    text(box.x + box.width / 2, box.y + box.height / 2 + size / 3 - 2, word?.text ?? whole(panel, value), {
      kind: 'onColour',
      anchor: 'middle',
      size,
      width: box.width - 20,
    }),
  ];
}

/** One bar for each series, or, where a query's buckets are shown, for each bucket. */
export function drawBars(panel: Panel, series: readonly Named[], box: Box): string[] {
  const bars = (panel.buckets === true ? bucketsOf(series) : series).map(({ name, values }) => ({
    name,
    value: values.at(-1) ?? 0,
  }));
  const row = Math.min(26, (box.height - 8) / bars.length);
  const size = Math.min(11, Math.max(8, row - 3));
  const names = Math.min(box.width * 0.58, Math.max(...bars.map(({ name }) => widthOf(name, size))) + 10);
  const room = box.width - names - 62;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return bars.flatMap(({ name, value }, index) => {
    const [x, y] = [box.x + names + 8, box.y + 2 + index * row];
    const bar = { x, y: y + row * 0.15, height: row * 0.7 };
    return [
      text(x - 6, y + row / 2 + size / 3, name, { anchor: 'end', size, width: names - 4 }),
      rect({ ...bar, width: room }, 'currentColor', ' opacity="0.06"'),
      rect({ ...bar, width: (room * value) / most }, colourAt(panel, value)),
      text(x + room + 6, y + row / 2 + size / 3, whole(panel, value), { size }),
    ];
  });
}

/** One row for each series, in the colours of its states. */
export function drawStates(panel: Panel, series: readonly Named[], { step, seconds }: Recording, box: Box): string[] {
  const names = Math.min(box.width * 0.48, Math.max(...series.map(({ name }) => widthOf(name))) + 14);
  const plot = { x: box.x + names, y: box.y + 2, width: box.width - names - 8, height: box.height - 24 };
  const row = Math.min(34, plot.height / series.length);
  const across = (second: number): number => plot.x + (second / seconds) * plot.width;
  const rows = rowsOf(series).flatMap(({ name, values }, index) => {
    const y = plot.y + index * row;
    const spans = spansOf(values).map(([from, to, value]) => {
      const span = {
        x: across(from * step),
        y: y + row * 0.12,
        width: across(to * step) - across(from * step),
        height: row * 0.76,
      };
      const word = panel.words?.[String(value)];
      const named = word === undefined || widthOf(word.text, 10) + 6 > span.width ? [] : [word.text];
      return [
        rect(span, colours[word?.colour ?? 'gray'] ?? ''),
        ...named.map((shown) => text(span.x + 4, y + row / 2 + 4, shown, { kind: 'onColour', size: 10 })),
      ];
    });
    return [text(plot.x - 6, y + row / 2 + 4, name, { anchor: 'end', width: names - 8 }), ...spans.flat()];
  });
  const marks = minutes(seconds).map((minute) =>
    text(Math.min(across(minute * 60), plot.x + plot.width - 14), plot.y + plot.height + 14, `${minute} min`, {
      anchor: 'middle',
      size: 10,
    }),
  );
  return [...rows, ...marks];
}

/** Labels, or the values of several queries, in columns. */
export function drawTable({ queries, columns = [] }: Panel, series: readonly Named[], box: Box): string[] {
  const rows = [...Map.groupBy(series, ({ labels }) => labels['instance']).values()].map((same) => ({
    ...same[0]?.labels,
    ...(queries.length > 1 ? Object.fromEntries(same.map(({ name, values }) => [name, String(values.at(-1))])) : {}),
  })) as readonly Readonly<Record<string, string>>[];
  const needs = columns.map(
    (column) =>
      Math.max(...[column, ...rows.map((row) => row[column] ?? '')].map((cell) => widthOf(cell.slice(0, 38)))) + 14,
  );
  const scale = Math.min(1, (box.width - 12) / needs.reduce((sum, width) => sum + width, 0));
  const starts = needs.map(
    (_, index) => box.x + 8 + scale * needs.slice(0, index).reduce((sum, width) => sum + width, 0),
  );
  const line = (cells: readonly string[], y: number, kind?: string) =>
    cells.map((cell, index) =>
      text(starts[index] ?? 0, y, cell, {
        width: scale * (needs[index] ?? 0) - 8,
        ...(kind === undefined ? {} : { kind }),
      }),
    );
  return [
    ...line(columns, box.y + 12, 'head'),
    `<path class="grid" d="M${place(box.x + 8)} ${place(box.y + 18)}h${place(box.width - 16)}"/>`,
    ...rows.flatMap((row, index) =>
      line(
        columns.map((column) => row[column] ?? ''),
        box.y + 36 + index * 22,
      ),
    ),
  ];
}

function colourAt({ thresholds = [['green']], words }: Panel, value: number): string {
  const named = words?.[String(value)]?.colour;
  const reached = thresholds.filter(([, from = -Infinity]) => value >= from).at(-1)?.[0];
  return colours[named ?? reached ?? 'green'] ?? '';
}

/** What is counted is a whole number; `increase()` makes fractions of it. */
function whole({ unit }: Panel, value: number): string {
  return unit === undefined ? String(Math.round(value)) : written(value, unit);
}

/** Prometheus' buckets count all that is not above `le`; a bar shows what is between two of them. */
function bucketsOf(series: readonly Named[]): readonly Named[] {
  const ordered = series.toSorted(
    (one, other) => Number(one.name.replace('+Inf', 'Infinity')) - Number(other.name.replace('+Inf', 'Infinity')),
  );
  return ordered.map((bucket, index) => ({
    ...bucket,
    name: `≤ ${bucket.name}`,
    values: [Math.max(0, (bucket.values.at(-1) ?? 0) - (ordered[index - 1]?.values.at(-1) ?? 0))],
  }));
}

/** Series of one name are one row: a state is a series, and so is its owner in each. */
function rowsOf(series: readonly Named[]): readonly Pick<Named, 'name' | 'values'>[] {
  return [...Map.groupBy(series, ({ name }) => name)].map(([name, same]) => ({
    name,
    values: (same[0]?.values ?? []).map(
      (_, index) => same.map(({ values }) => values[index] ?? null).find((value) => value !== null) ?? null,
    ),
  }));
}

/** From one step to another, the same value. */
function spansOf(values: readonly (number | null)[]): readonly (readonly [number, number, number])[] {
  const spans: [number, number, number][] = [];
  for (const [index, value] of values.entries()) {
    const last = spans.at(-1);
    if (value === null) continue;
    if (last !== undefined && last[1] === index && last[2] === value) last[1] = index + 1;
    else spans.push([index, Math.min(index + 1, values.length), value]);
  }
  return spans.map(([from, to, value]) => [from, Math.min(to, values.length - 1), value]);
}

import { layout, type Dashboard, type Panel } from '../dashboards/dashboards.ts';
import { chosenIn } from '../record/asked-queries.ts';
import type { Recording } from '../record/recording.ts';
import { answersTo } from './answered-panel.ts';
import { drawBars, drawStates, drawStat, drawTable } from './other-panels.ts';
import { place, text, type Box } from './shapes.ts';
import { drawTimeSeries } from './time-series.ts';

/** Grafana's columns and rows, in pixels of the picture. */
const column = 52;
const row = 32;
const gap = 8;
const head = 40;

/** Readers have light pages and dark ones. */
const style = `
text { font-family: system-ui, sans-serif; fill: #24292e; }
svg { color: #24292e; }
.title, .name { font-weight: 600; }
.head { font-weight: 600; }
.onColour { fill: #ffffff; font-weight: 600; }
.faint { fill: #7b8087; }
.grid { stroke: #d8dce2; stroke-width: 1; }
.page { fill: #f4f5f5; }
.panel { fill: #ffffff; stroke: #d8dce2; }
@media (prefers-color-scheme: dark) {
  text { fill: #ccccdc; }
  svg { color: #ccccdc; }
  .onColour { fill: #ffffff; }
  .grid { stroke: #34373e; }
  .page { fill: #111217; }
  .panel { fill: #181b1f; stroke: #2c2f36; }
}`;

/** A dashboard, filled with what was recorded: every panel in its place, by its kind, unit, thresholds and legend. */
export function dashboardSvg(dashboard: Dashboard, recording: Recording): string {
  const placed = layout(dashboard);
  const width = 24 * column + gap;
  const height = head + Math.max(...placed.map(({ place: { y, h } }) => y + h)) * row + gap;
  const chosen = chosenIn(dashboard);
  const panels = placed.flatMap(({ panel, place: { x, y, w, h } }) =>
    drawPanel(panel, recording, {
      x: x * column + gap,
      y: head + y * row,
      width: w * column - gap,
      height: h * row - gap,
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-size="11" role="img">`,
    `<title>${dashboard.title}, as recorded</title>`,
    `<style>${style}\n</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    text(gap + 4, 26, chosen === undefined ? dashboard.title : `${dashboard.title}   (${chosen})`, {
      kind: 'name',
      size: 17,
    }),
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function drawPanel(panel: Panel, recording: Recording, frame: Box): string[] {
  const box = { x: frame.x, y: frame.y + 28, width: frame.width, height: frame.height - 30 };
  const { x, y, width, height } = frame;
  return [
    `<rect class="panel" x="${place(x)}" y="${place(y)}" width="${place(width)}" height="${place(height)}" rx="3"/>`,
    text(x + 10, y + 19, panel.title, { kind: 'title', width: width - 14, size: 13 }),
    ...content(panel, recording, box),
  ];
}

function content(panel: Panel, recording: Recording, box: Box): string[] {
  const series = answersTo(panel, recording);
  if (series.length === 0)
    return [
      text(box.x + box.width / 2, box.y + box.height / 2, panel.nothing ?? '', {
        kind: 'faint',
        anchor: 'middle',
        size: 13,
      }),
    ];
  switch (panel.kind) {
    case 'stat':
      return drawStat(panel, series, box);
    case 'bargauge':
      return drawBars(panel, series, box);
    case 'state-timeline':
      return drawStates(panel, series, recording, box);
    case 'table':
      return drawTable(panel, series, box);
    case 'timeseries':
      return drawTimeSeries(panel, series, recording, box);
  }
}

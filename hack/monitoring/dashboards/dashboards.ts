import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { writtenOut } from '../written-out.ts';

/** One line, or one row, of a panel. `$shoot`, `$instance` and Grafana's own `$__range` and `$__rate_interval` may stand in it. */
const querySchema = z.strictObject({
  expr: z.string(),
  /** `{{label}}` is the label's value. */
  legend: z.string().default(''),
});

const panelSchema = z.strictObject({
  /** A question that somebody has at night. */
  title: z.string(),
  /** How to read the answer. */
  says: z.string(),
  kind: z.enum(['timeseries', 'stat', 'bargauge', 'state-timeline', 'table']),
  /** Of 24 columns. */
  width: z.number(),
  /** In Grafana's rows of some 30 pixels. */
  height: z.number(),
  /** By Grafana's names: `s`, `bytes`, `percentunit`; a plain number unless given. */
  unit: z.string().optional(),
  stacked: z.boolean().optional(),
  /** A query's buckets are shown as one bar for each. */
  buckets: z.boolean().optional(),
  /** From this value on, in this colour; the first one has no value. */
  thresholds: z.array(z.tuple([z.enum(['green', 'orange', 'red', 'blue']), z.number().optional()])).optional(),
  /** What a value is called. */
  words: z.record(z.string(), z.strictObject({ text: z.string(), colour: z.string() })).optional(),
  /** Of its lines, by their names in the legend. */
  colours: z.record(z.string(), z.string()).optional(),
  /** The columns of a table: labels, in this order. */
  columns: z.array(z.string()).optional(),
  /** What is shown if there is nothing to show. */
  nothing: z.string().optional(),
  queries: z.array(querySchema),
});

const dashboardSchema = z.strictObject({
  title: z.string(),
  says: z.string(),
  /** Chosen at its head, from the values of this label. */
  variable: z.strictObject({ name: z.string(), label: z.string(), of: z.string(), many: z.boolean() }).optional(),
  panels: z.array(panelSchema),
});

export type Panel = z.infer<typeof panelSchema>;

/** `name`: of its file. */
export type Dashboard = Readonly<{ name: string }> & z.infer<typeof dashboardSchema>;

export const dashboards: readonly Dashboard[] = ['seed', 'shoot', 'weeder', 'program'].map((name) => {
  const text = readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  return { name, ...dashboardSchema.parse(writtenOut(parse(text))) };
});

export type PanelPlace = Readonly<{ x: number; y: number; w: number; h: number }>;

/** Puts the panels side by side, in 24 columns, row after row. */
export function layout({ panels }: Dashboard): readonly Readonly<{ panel: Panel; place: PanelPlace }>[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return panels.map((panel) => {
    if (x + panel.width > 24) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const place = { x, y, w: panel.width, h: panel.height };
    x += panel.width;
    rowHeight = Math.max(rowHeight, panel.height);
    return { panel, place };
  });
}

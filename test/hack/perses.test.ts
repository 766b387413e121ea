import { expect, test } from 'vitest';
import * as z from 'zod';
import { monitoringPages } from '../../hack/monitoring/monitoring-pages.ts';
import { forPlutono } from '../../hack/monitoring/plutono.ts';

const pages = monitoringPages();
const read = (name: string) => pages[`deploy/monitoring/perses/${name}.json`] ?? '';

/**
 * What Perses takes, as far as we write it: the fields that both its plugins' npm packages (timeseries-chart 0.10.2, stat-chart and bar-chart 0.10.0,
 * status-history-chart 0.9.1, prometheus 0.53.4) and the schemas of today (github.com/perses/plugins, read) know. The schemas are closed.
 */
const colour = z.string().regex(/^#[0-9a-f]{6}$/);
const calculation = z.enum(['last-number']);
const format = z.strictObject({ unit: z.enum(['seconds', 'decimal', 'bytes', 'percent-decimal']) });
const legend = z.strictObject({ position: z.enum(['bottom', 'right']) });
const result = z.strictObject({ value: z.string(), color: colour.optional() });
const mappings = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('Value'), spec: z.strictObject({ value: z.string().min(1), result }) }),
    z.strictObject({ kind: z.literal('Misc'), spec: z.strictObject({ value: z.literal('null'), result }) }),
  ]),
);
const thresholds = z.strictObject({
  defaultColor: colour,
  steps: z.array(z.strictObject({ value: z.number(), color: colour })),
});
const plugin = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('StatChart'),
    spec: z.strictObject({ calculation, format, thresholds, mappings }),
  }),
  z.strictObject({
    kind: z.literal('BarChart'),
    spec: z.strictObject({ calculation, format }),
  }),
  z.strictObject({
    kind: z.literal('TimeSeriesChart'),
    spec: z.strictObject({
      legend,
      yAxis: z.strictObject({ format, min: z.number() }),
      visual: z.strictObject({ stack: z.literal('all'), areaOpacity: z.number().min(0).max(1) }).optional(),
    }),
  }),
  z.strictObject({ kind: z.literal('StatusHistoryChart'), spec: z.strictObject({ legend, mappings }) }),
]);
const query = z.strictObject({
  kind: z.literal('PrometheusTimeSeriesQuery'),
  spec: z.strictObject({ query: z.string().min(1), seriesNameFormat: z.string() }),
});
const panel = z.strictObject({
  kind: z.literal('Panel'),
  spec: z.strictObject({
    display: z.strictObject({ name: z.string(), description: z.string() }),
    plugin,
    queries: z.array(z.strictObject({ kind: z.literal('TimeSeriesQuery'), spec: z.strictObject({ plugin: query }) })),
  }),
});
const length = z.int().min(0);
const item = z.strictObject({
  x: length,
  y: length,
  width: length.max(24),
  height: length,
  content: z.strictObject({ $ref: z.string() }),
});
const labelValues = z.strictObject({ labelName: z.string(), matchers: z.array(z.string()) });
const variable = z.strictObject({
  kind: z.literal('ListVariable'),
  spec: z.strictObject({
    name: z.string(),
    allowAllValue: z.boolean(),
    allowMultiple: z.boolean(),
    sort: z.literal('alphabetical-asc'),
    plugin: z.strictObject({ kind: z.literal('PrometheusLabelValuesVariable'), spec: labelValues }),
  }),
});
const config = z.strictObject({
  display: z.strictObject({ name: z.string(), description: z.string() }),
  duration: z.string(),
  refreshInterval: z.string(),
  variables: z.array(variable),
  panels: z.record(z.string(), panel),
  layouts: z.tuple([z.strictObject({ kind: z.literal('Grid'), spec: z.strictObject({ items: z.array(item) }) })]),
});

test.each(forPlutono)('9.10 Perses’ schemas know each field of the dashboard for it: $name', ({ name, panels }) => {
  const written = JSON.parse(read(name)) as { spec: { config: unknown } };
  const taken = config.parse(written.spec.config);
  expect(Object.values(taken.panels).map(({ spec }) => spec.display.name)).toEqual(panels.map(({ title }) => title));
  expect(taken.layouts[0].spec.items.map(({ content }) => content.$ref)).toEqual(
    Object.keys(taken.panels).map((key) => `#/spec/panels/${key}`),
  );
});

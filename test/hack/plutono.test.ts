import { expect, test } from 'vitest';
import * as z from 'zod';
import { monitoringPages } from '../../hack/monitoring/monitoring-pages.ts';
import { forPlutono } from '../../hack/monitoring/plutono.ts';

const pages = monitoringPages();
const read = (folder: string, name: string) =>
  JSON.parse(pages[`deploy/monitoring/${folder}/${name}.json`] ?? '') as {
    panels: { title: string; targets: { expr: string }[] }[];
  };

/** What Grafana 7.5 reads, as far as we write it: a field that came later is refused, as is an older one in its new form. */
const dataSource = z.literal('${datasource}');
const onePanel = {
  id: z.int().positive(),
  title: z.string(),
  description: z.string(),
  datasource: dataSource,
  gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int().max(24), h: z.int() }),
  targets: z.array(
    z.strictObject({
      refId: z.string().length(1),
      expr: z.string(),
      legendFormat: z.string(),
      interval: z.string(),
      instant: z.boolean(),
      format: z.enum(['time_series', 'table', 'heatmap']),
    }),
  ),
};
const fieldConfig = z.strictObject({
  overrides: z.tuple([]),
  defaults: z.strictObject({
    color: z.strictObject({ mode: z.literal('thresholds') }),
    // 1 is a value that becomes a text. Version 8 has mappings of values with colours in its place.
    mappings: z.array(z.strictObject({ id: z.int(), type: z.literal(1), value: z.string(), text: z.string() })),
    thresholds: z.strictObject({
      mode: z.literal('absolute'),
      steps: z.tuple(
        [z.strictObject({ color: z.string(), value: z.null() })],
        z.strictObject({ color: z.string(), value: z.number() }),
      ),
    }),
    decimals: z.int().optional(),
    unit: z.string().optional(),
    min: z.number().optional(),
    noValue: z.string().optional(),
  }),
});
const reduced = {
  reduceOptions: z.strictObject({
    calcs: z.tuple([z.literal('lastNotNull')]),
    fields: z.literal(''),
    values: z.literal(false),
  }),
  text: z.strictObject({}),
};
const auto = z.literal('auto');
const stat = z.strictObject({
  ...onePanel,
  type: z.literal('stat'),
  fieldConfig,
  options: z.strictObject({
    ...reduced,
    colorMode: z.enum(['value', 'background']),
    graphMode: z.enum(['none', 'area']),
    justifyMode: auto,
    orientation: auto,
    textMode: auto,
  }),
});
const barGauge = z.strictObject({
  ...onePanel,
  type: z.literal('bargauge'),
  fieldConfig,
  options: z.strictObject({
    ...reduced,
    displayMode: z.enum(['basic', 'gradient', 'lcd']),
    orientation: z.enum(['auto', 'horizontal', 'vertical']),
    showUnfilled: z.boolean(),
  }),
});
const axis = { format: z.string(), logBase: z.literal(1) };
const graph = z.strictObject({
  ...onePanel,
  type: z.literal('graph'),
  fieldConfig: z.strictObject({ defaults: z.strictObject({}), overrides: z.tuple([]) }),
  aliasColors: z.record(z.string(), z.string().regex(/^#[0-9a-f]{6}$/)),
  lines: z.literal(true),
  linewidth: z.int(),
  fill: z.int().max(10),
  stack: z.boolean(),
  steppedLine: z.boolean(),
  nullPointMode: z.enum(['null', 'null as zero', 'connected']),
  legend: z.strictObject({ show: z.boolean() }),
  tooltip: z.strictObject({ shared: z.boolean(), sort: z.int().max(2), value_type: z.literal('individual') }),
  xaxis: z.strictObject({ mode: z.literal('time'), show: z.boolean() }),
  yaxes: z.tuple([
    z.strictObject({
      ...axis,
      show: z.literal(true),
      decimals: z.int().optional(),
      min: z.string().regex(/^-?\d+$/),
      max: z.string().regex(/^\d+$/).optional(),
    }),
    z.strictObject({ ...axis, show: z.literal(false) }),
  ]),
});
const anyVariable = {
  name: z.string(),
  label: z.string(),
  hide: z.literal(0),
  skipUrlSync: z.boolean(),
  options: z.tuple([]),
  current: z.strictObject({}),
  multi: z.boolean(),
  includeAll: z.boolean(),
  regex: z.string(),
  refresh: z.int().max(2),
};
const variable = z.discriminatedUnion('type', [
  z.strictObject({ ...anyVariable, type: z.literal('datasource'), query: z.literal('prometheus') }),
  z.strictObject({
    ...anyVariable,
    type: z.literal('query'),
    datasource: dataSource,
    definition: z.string(),
    query: z.strictObject({ query: z.string(), refId: z.string() }),
    sort: z.int(),
  }),
]);
const dashboard = z.strictObject({
  uid: z.string().min(8).max(40),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  schemaVersion: z.literal(27),
  version: z.int(),
  editable: z.boolean(),
  graphTooltip: z.int().max(2),
  refresh: z.string(),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  timepicker: z.strictObject({}),
  timezone: z.enum(['utc', 'browser']),
  annotations: z.strictObject({ list: z.tuple([]) }),
  links: z.array(z.record(z.string(), z.unknown())),
  templating: z.strictObject({ list: z.array(variable) }),
  panels: z.array(z.discriminatedUnion('type', [stat, barGauge, graph])),
});

test('9.10 some dashboards are for Plutono, that of the seed first', () => {
  expect(forPlutono.map(({ name }) => name)).toEqual(['seed', 'shoot', 'weeder']);
});

test.for(forPlutono)('9.10 Grafana 7.5 knows each field of the dashboard for Plutono: $name', ({ name }) => {
  const { error } = dashboard.safeParse(read('plutono', name));
  expect(error === undefined ? '' : z.prettifyError(error)).toBe('');
});

test.for(forPlutono)('9.10 Plutono asks what Grafana asks, panel by panel: $name', ({ name }) => {
  const asked = (folder: string) =>
    read(folder, name).panels.map(({ title, targets }) => [title, targets.map(({ expr }) => expr)]);
  expect(asked('plutono')).toEqual(asked('dashboards'));
});

test('9.10 of the Prometheuses of a seed, Plutono takes the one that scrapes us, by its names in all releases', () => {
  const [source] = dashboard.parse(read('plutono', 'seed')).templating.list;
  const [, pattern = ''] = /^\/(.+)\/$/.exec(source?.regex ?? '') ?? [];
  const names = ['prometheus', 'prometheus-aggregate', 'aggregate-prometheus', 'prometheus-seed', 'vali'];
  expect(names.filter((one) => new RegExp(pattern).test(one))).toEqual([
    'prometheus-aggregate',
    'aggregate-prometheus',
  ]);
});

import { dashboards, layout, type Dashboard, type Panel, type PanelPlace } from './dashboards/dashboards.ts';

/** By the names that Grafana gives them. */
export const colours: Readonly<Record<string, string>> = {
  green: '#56a64b',
  yellow: '#e0b400',
  orange: '#ff780a',
  red: '#e02f44',
  blue: '#3274d9',
  gray: '#8e8e8e',
};

/**
 * Plutono, the only page of a Gardener seed, is a fork of Grafana 7.5: it has no state timeline, names its data sources by texts, and maps values to
 * texts without colours. A dashboard of this version is read as it is, so each field is as 7.5 has it. Nothing newer makes such files.
 */
const schemaVersion = 27;

/** Gardener calls the one Prometheus of a seed that alerts `prometheus-aggregate`, older releases `aggregate-prometheus`. It is Plutono's default there. */
const dataSourceNames = '/aggregate/';

/** The dashboards that Plutono can show, and Perses: their panels have a form there. */
export const forPlutono: readonly Dashboard[] = dashboards.filter(({ panels }) =>
  panels.every(({ kind }) => kind !== 'table'),
);

/** The dashboard as Gardener's Plutono reads it. */
export function plutonoJson(dashboard: Dashboard): string {
  const { name, title, says } = dashboard;
  const written = {
    uid: `dependency-watchdog-${name}`,
    title,
    description: says,
    tags: ['dependency-watchdog'],
    schemaVersion,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timepicker: {},
    timezone: 'utc',
    annotations: { list: [] },
    links: [
      {
        type: 'dashboards',
        title: 'The other dashboards',
        tags: ['dependency-watchdog'],
        asDropdown: true,
        includeVars: false,
        keepTime: true,
        targetBlank: false,
        icon: 'external link',
        tooltip: '',
        url: '',
      },
    ],
    templating: { list: variables(dashboard) },
    panels: layout(dashboard).map(({ panel, place }, index) => built(panel, place, index + 1)),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

function variables({ variable }: Dashboard) {
  const any = { hide: 0, skipUrlSync: false, options: [], current: {}, multi: false, includeAll: false };
  const source = { ...any, type: 'datasource', name: 'datasource', label: 'Prometheus', query: 'prometheus' };
  const list: object[] = [{ ...source, regex: dataSourceNames, refresh: 1 }];
  if (variable === undefined) return list;
  const { name, label, of } = variable;
  const query = `label_values(${of}, ${label})`;
  const asked = { datasource: '${datasource}', definition: query, query: { query, refId: 'StandardVariableQuery' } };
  // At a change of the time range, and by the alphabet.
  return [...list, { ...any, type: 'query', name, label, ...asked, regex: '', refresh: 2, sort: 1 }];
}

function built(panel: Panel, gridPos: PanelPlace, id: number) {
  const { title, kind } = panel;
  const any = { id, title, description: panel.says, gridPos, datasource: '${datasource}', targets: targets(panel) };
  switch (kind) {
    case 'stat':
      return { ...any, type: 'stat', fieldConfig: fieldConfig(panel), options: { ...reduced, ...asNumber } };
    case 'bargauge':
      return { ...any, type: 'bargauge', fieldConfig: fieldConfig(panel), options: { ...reduced, ...asBars } };
    case 'timeseries':
      return { ...any, ...graph(panel) };
    case 'state-timeline':
      return { ...any, ...graph(panel), ...asSteps(panel) };
    case 'table':
      throw new Error(`${title}: a table is in no dashboard for Plutono`);
  }
}

const reduced = { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, text: {} };
const asNumber = {
  colorMode: 'background',
  graphMode: 'none',
  justifyMode: 'auto',
  orientation: 'auto',
  textMode: 'auto',
};
const asBars = { displayMode: 'basic', orientation: 'horizontal', showUnfilled: true };

function fieldConfig({ kind, unit, nothing, words, thresholds = [['green']] }: Panel) {
  const named = Object.entries(words ?? {}).toSorted(([one], [other]) => Number(one) - Number(other));
  // A mapped value takes its colour from the thresholds.
  const steps = named.length > 0 ? named.map(([value, { colour }]) => [colour, Number(value)] as const) : thresholds;
  const defaults = {
    color: { mode: 'thresholds' },
    mappings: named.map(([value, { text }], index) => ({ id: index, type: 1, value, text })),
    thresholds: {
      mode: 'absolute',
      steps: steps.map(([color, from], index) => ({ color, value: index === 0 ? null : (from ?? null) })),
    },
    ...(unit === undefined ? { decimals: 0 } : { unit }),
    ...(kind === 'bargauge' ? { min: 0 } : {}),
    ...(nothing === undefined ? {} : { noValue: nothing }),
  };
  return { defaults, overrides: [] };
}

function graph({ unit = 'short', stacked = false, colours: named = {} }: Panel) {
  return {
    type: 'graph',
    fieldConfig: { defaults: {}, overrides: [] },
    aliasColors: Object.fromEntries(Object.entries(named).map(([line, colour]) => [line, colours[colour]])),
    lines: true,
    linewidth: 1,
    fill: stacked ? 4 : 1,
    stack: stacked,
    steppedLine: false,
    nullPointMode: 'null',
    legend: { show: true },
    tooltip: { shared: true, sort: 2, value_type: 'individual' },
    xaxis: { mode: 'time', show: true },
    yaxes: [
      { format: unit, logBase: 1, min: '0', show: true },
      { format: 'short', logBase: 1, show: false },
    ],
  };
}

/** In place of a state timeline: a line for each shoot, as high as its state's number. */
function asSteps({ says, words = {} }: Panel) {
  const numbers = Object.keys(words).map(Number);
  const told = Object.entries(words).map(([value, { text }]) => `${value}: ${text}`);
  const [min, max] = [Math.min(0, ...numbers), Math.max(...numbers)].map(String);
  return {
    description: `${says} ${told.join('; ')}.`,
    steppedLine: true,
    yaxes: [
      { format: 'short', decimals: 0, logBase: 1, min, max, show: true },
      { format: 'short', logBase: 1, show: false },
    ],
  };
}

function targets({ kind, queries, buckets = false }: Panel) {
  // What is reduced to one number is asked for once, and not at each step.
  const instant = kind === 'stat' || kind === 'bargauge';
  return queries.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    expr,
    legendFormat: legend,
    interval: '',
    instant,
    format: buckets ? 'heatmap' : 'time_series',
  }));
}

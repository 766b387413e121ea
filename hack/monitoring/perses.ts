import { layout, type Dashboard, type Panel } from './dashboards/dashboards.ts';
import { colours } from './plutono.ts';

/** Perses' names of Grafana's units. */
const units: Readonly<Record<string, string>> = { s: 'seconds', bytes: 'bytes', percentunit: 'percent-decimal' };

/**
 * The dashboard as a resource that Perses' operator hands to the Perses of a Gardener seed, or to the garden's where that is the seed. Its default
 * data source is the Prometheus that alerts. What stands in a plugin's `spec` no API server looks at, and one field that it does not know would have Perses
 * refuse the whole: a test holds it to what both older and newer plugins know.
 */
export function persesDashboard(dashboard: Dashboard): string {
  const { name, title, says } = dashboard;
  const placed = layout(dashboard).map(({ panel, place: { x, y, w: width, h: height } }, index) => ({
    key: String(index),
    panel,
    item: { x, y, width, height, content: { $ref: `#/spec/panels/${index}` } },
  }));
  const config = {
    display: { name: title, description: says },
    duration: '6h',
    refreshInterval: '1m',
    variables: variables(dashboard),
    panels: Object.fromEntries(placed.map(({ key, panel }) => [key, written(panel)])),
    layouts: [{ kind: 'Grid', spec: { items: placed.map(({ item }) => item) } }],
  };
  const instances = { key: 'app.kubernetes.io/instance', operator: 'In', values: ['perses-seed', 'perses-garden'] };
  const resource = {
    apiVersion: 'perses.dev/v1alpha2',
    kind: 'PersesDashboard',
    metadata: { name: `dependency-watchdog-${name}`, namespace: 'garden' },
    spec: { config, instanceSelector: { matchExpressions: [instances] } },
  };
  // A line, since nobody reads it there.
  return `${JSON.stringify(resource)}\n`;
}

function variables({ variable }: Dashboard) {
  if (variable === undefined) return [];
  const { name, label: labelName, of } = variable;
  const plugin = { kind: 'PrometheusLabelValuesVariable', spec: { labelName, matchers: [of] } };
  const spec = { name, allowAllValue: false, allowMultiple: false, sort: 'alphabetical-asc', plugin };
  return [{ kind: 'ListVariable', spec }];
}

function written(panel: Panel) {
  const { title: name, says: description, queries } = panel;
  const asked = queries.map(({ expr: query, legend: seriesNameFormat }) => ({
    kind: 'TimeSeriesQuery',
    spec: { plugin: { kind: 'PrometheusTimeSeriesQuery', spec: { query, seriesNameFormat } } },
  }));
  return { kind: 'Panel', spec: { display: { name, description }, plugin: plugin(panel), queries: asked } };
}

function plugin(panel: Panel) {
  const { title, kind, unit = '', stacked = false } = panel;
  const format = { unit: units[unit] ?? 'decimal' };
  const legend = { position: 'bottom' };
  const calculation = 'last-number';
  switch (kind) {
    case 'stat':
      return {
        kind: 'StatChart',
        spec: {
          calculation,
          format,
          thresholds: thresholds(panel),
          mappings: mappings(panel),
        },
      };
    case 'bargauge':
      return { kind: 'BarChart', spec: { calculation, format } };
    case 'timeseries':
      return {
        kind: 'TimeSeriesChart',
        spec: { legend, yAxis: { format, min: 0 }, ...(stacked ? { visual: { stack: 'all', areaOpacity: 0.4 } } : {}) },
      };
    case 'state-timeline':
      return { kind: 'StatusHistoryChart', spec: { legend, mappings: mappings(panel) } };
    case 'table':
      throw new Error(`${title}: a table is in no dashboard for Perses`);
  }
}

function thresholds({ thresholds: given = [['green']] }: Panel) {
  const [[first] = ['green'], ...steps] = given;
  return { defaultColor: colours[first], steps: steps.map(([name, value]) => ({ value, color: colours[name] })) };
}

function mappings({ words = {}, nothing }: Panel) {
  const named = Object.entries(words).map(([value, { text, colour }]) => ({
    kind: 'Value',
    spec: { value, result: { value: text, color: colours[colour] } },
  }));
  return nothing === undefined
    ? named
    : [...named, { kind: 'Misc', spec: { value: 'null', result: { value: nothing } } }];
}

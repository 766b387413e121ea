import { PanelBuilder as BarGauge } from '@grafana/grafana-foundation-sdk/bargauge';
import * as common from '@grafana/grafana-foundation-sdk/common';
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as dashboards from '@grafana/grafana-foundation-sdk/dashboard';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as StateTimeline } from '@grafana/grafana-foundation-sdk/statetimeline';
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries';
import { layout, type Dashboard, type Panel } from './dashboards/dashboards.ts';

const source = { type: 'prometheus', uid: '${datasource}' } as const;

/** The dashboard as Grafana 10 and later imports it. */
export function grafanaJson(dashboard: Dashboard): string {
  const builder = new dashboards.DashboardBuilder(dashboard.title)
    .uid(`dependency-watchdog-${dashboard.name}`)
    .description(dashboard.says)
    .tags(['dependency-watchdog', 'gardener'])
    .editable()
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('utc')
    .tooltip(dashboards.DashboardCursorSync.Crosshair)
    .link(
      new dashboards.DashboardLinkBuilder('The other dashboards')
        .type(dashboards.DashboardLinkType.Dashboards)
        .tags(['dependency-watchdog'])
        .asDropdown(true)
        .keepTime(true),
    )
    .withVariable(new dashboards.DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  if (dashboard.variable !== undefined) builder.withVariable(variable(dashboard.variable));
  for (const [index, { panel, place }] of layout(dashboard).entries())
    builder.withPanel(
      built(panel)
        .id(index + 1)
        .gridPos(place)
        .datasource(source),
    );
  return `${JSON.stringify(builder.build(), null, 2)}\n`;
}

function variable({ name, label, of, many }: NonNullable<Dashboard['variable']>) {
  const query = new dashboards.QueryVariableBuilder(name)
    .label(label)
    .query(`label_values(${of}, ${label})`)
    .datasource(source)
    .refresh(dashboards.VariableRefresh.OnTimeRangeChanged)
    .sort(dashboards.VariableSort.AlphabeticalAsc); // oxlint-disable-line unicorn/no-array-sort -- no array, but the builder's
  return many ? query.multi(true).includeAll(true).allValue('.+') : query;
}

function built(panel: Panel) {
  const { title, says, unit, nothing } = panel;
  const made = madeFor(panel).title(title).description(says).targets(targets(panel)).thresholds(thresholds(panel));
  if (unit !== undefined) made.unit(unit);
  // `increase()` makes fractions of what is counted.
  else if (panel.kind === 'stat' || panel.kind === 'bargauge') made.decimals(0);
  for (const [name, colour] of Object.entries(panel.colours ?? {}))
    made.overrideByName(name, [{ id: 'color', value: { mode: 'fixed', fixedColor: colour } }]);
  if (nothing !== undefined) made.noValue(nothing);
  if (panel.words !== undefined) made.mappings([{ type: dashboards.MappingType.ValueToText, options: words(panel) }]);
  return made;
}

function madeFor(panel: Panel) {
  const last = new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']);
  switch (panel.kind) {
    case 'stat':
      return new Stat()
        .reduceOptions(last)
        .colorMode(common.BigValueColorMode.Background)
        .graphMode(common.BigValueGraphMode.None);
    case 'bargauge':
      return new BarGauge()
        .reduceOptions(last)
        .orientation(common.VizOrientation.Horizontal)
        .displayMode(common.BarGaugeDisplayMode.Basic)
        .min(0);
    case 'state-timeline':
      return new StateTimeline()
        .mergeValues(true)
        .showValue(common.VisibilityMode.Auto)
        .legend(new common.VizLegendOptionsBuilder().showLegend(false));
    case 'table':
      return tableOf(panel);
    case 'timeseries': {
      const made = new TimeSeries()
        .lineWidth(1)
        .fillOpacity(panel.stacked === true ? 40 : 8)
        .showPoints(common.VisibilityMode.Never)
        .min(0)
        .legend(
          new common.VizLegendOptionsBuilder()
            .showLegend(true)
            .displayMode(common.LegendDisplayMode.List)
            .placement(common.LegendPlacement.Bottom),
        )
        .tooltip(new common.VizTooltipOptionsBuilder().mode(common.TooltipDisplayMode.Multi));
      if (panel.stacked === true) made.stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal));
      if (panel.thresholds !== undefined)
        made.thresholdsStyle(new common.GraphThresholdsStyleConfigBuilder().mode(common.GraphThresholdsStyleMode.Line));
      return made;
    }
  }
}

/** Each query is a column, or, where there is but one, its labels are. */
function tableOf({ queries, columns = [] }: Panel) {
  const names = Object.fromEntries(queries.map(({ legend }, index) => [`Value #${refIdOf(index)}`, legend]));
  const order = Object.fromEntries(columns.map((column, index) => [column, index]));
  const made = new Table();
  if (queries.length > 1) {
    made
      .withTransformation({ id: 'joinByField', options: { byField: 'instance', mode: 'outer' } })
      .withTransformation({ id: 'organize', options: { renameByName: names } });
  }
  return made
    .withTransformation({
      id: 'filterFieldsByName',
      options: { include: { names: [...columns] } },
    })
    .withTransformation({ id: 'organize', options: { indexByName: order } });
}

function targets({ kind, queries, buckets }: Panel): Builder<prometheus.Dataquery>[] {
  return queries.map(({ expr, legend }, index) => {
    const query = new prometheus.DataqueryBuilder().refId(refIdOf(index)).expr(expr).datasource(source);
    if (legend !== '') query.legendFormat(legend);
    if (kind === 'table') return query.instant().format(prometheus.PromQueryFormat.Table);
    // What is reduced to one number is asked for once, and not at each step.
    if (kind === 'stat' || kind === 'bargauge') query.instant();
    return buckets === true ? query.format(prometheus.PromQueryFormat.Heatmap) : query;
  });
}

function refIdOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

function thresholds({ thresholds: steps = [['green']] }: Panel) {
  return new dashboards.ThresholdsConfigBuilder()
    .mode(dashboards.ThresholdsMode.Absolute)
    .steps(steps.map(([color, from]) => ({ color, value: from ?? null })));
}

function words({ words: named = {} }: Panel) {
  return Object.fromEntries(
    Object.entries(named).map(([value, { text, colour }], index) => [value, { text, color: colour, index }]),
  );
}

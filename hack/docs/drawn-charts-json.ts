import type { Region, DrawnChart, DrawnRegion } from '@dwd/inspector/model/charts/chart-model.ts';
import { chartModels } from '@dwd/inspector/model/charts/charts.ts';
import type { Languages } from '../../src/machines/kinds.ts';
import { layOutRegion } from './lay-out-chart.ts';

export type DrawnCharts = Readonly<Record<keyof Languages, DrawnChart>>;

/** All charts with their coordinates, from the machines as they are now. */
export async function layOutCharts(): Promise<DrawnCharts> {
  return { shoot: await laidOut(chartModels.shoot), weeder: await laidOut(chartModels.weeder) };
}

async function laidOut(regions: readonly Region[]): Promise<DrawnChart> {
  const all = (size: keyof DrawnChart) => Promise.all(regions.map((region) => layOutRegion(region, size)));
  return { large: await all('large'), small: await all('small') };
}

/** The text of packages/inspector/model/charts/drawn-charts.json. A line for each state and edge, so that a change can be read. */
export function drawnChartsJson(charts: DrawnCharts): string {
  const kinds = Object.entries(charts).map(([kind, { large, small }]) => {
    const [one, other] = [large, small].map((regions) => `[\n${regions.map(regionText).join(',\n')}\n]`);
    return `${JSON.stringify(kind)}: {"large": ${one}, "small": ${other}}`;
  });
  return `{\n${kinds.join(',\n')}\n}\n`;
}

function regionText({ states, edges, ...rest }: DrawnRegion): string {
  return `  ${JSON.stringify(rest).slice(0, -1)},\n  "states": [\n${lines(states)}\n  ],\n  "edges": [\n${lines(edges)}\n  ]}`;
}

function lines(of: readonly unknown[]): string {
  return of.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
}

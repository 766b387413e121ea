import { chartModels } from '../../src/inspector/told/charts/chart-models.ts';
import type { Region } from '../../src/inspector/told/charts/chart-model.ts';
import type { DrawnChart, DrawnRegion } from '../../src/inspector/told/charts/drawn-chart.ts';
import { layOutRegion } from './lay-out-chart.ts';

/** The text of src/inspector/told/charts/drawn-charts.json. A line for each state and edge, so that a change can be read. */
export async function drawnChartsJson(): Promise<string> {
  const kinds = await Promise.all(
    Object.entries(chartModels).map(async ([kind, regions]) => {
      const [large, small] = [await laidOut(regions, 'large'), await laidOut(regions, 'small')];
      return `${JSON.stringify(kind)}: {"large": [\n${large}\n], "small": [\n${small}\n]}`;
    }),
  );
  return `{\n${kinds.join(',\n')}\n}\n`;
}

async function laidOut(regions: readonly Region[], size: keyof DrawnChart): Promise<string> {
  return (await Promise.all(regions.map((region) => layOutRegion(region, size)))).map(regionText).join(',\n');
}

function regionText({ states, edges, ...rest }: DrawnRegion): string {
  return `  ${JSON.stringify(rest).slice(0, -1)},\n  "states": [\n${lines(states)}\n  ],\n  "edges": [\n${lines(edges)}\n  ]}`;
}

function lines(of: readonly unknown[]): string {
  return of.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
}

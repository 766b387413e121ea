import { chartModels } from '../../src/inspector/told/charts/chart-models.ts';
import { layOutRegion } from './lay-out-chart.ts';

/** The text of src/inspector/told/charts/drawn-charts.json. A line for each state and edge, so that a change can be read. */
export async function drawnChartsJson(): Promise<string> {
  const kinds = await Promise.all(
    Object.entries(chartModels).map(async ([kind, regions]) => {
      const drawn = await Promise.all(regions.map(layOutRegion));
      return `${JSON.stringify(kind)}: [\n${drawn.map(regionText).join(',\n')}\n]`;
    }),
  );
  return `{\n${kinds.join(',\n')}\n}\n`;
}

function regionText({ states, edges, ...rest }: Awaited<ReturnType<typeof layOutRegion>>): string {
  return `  ${JSON.stringify(rest).slice(0, -1)},\n  "states": [\n${lines(states)}\n  ],\n  "edges": [\n${lines(edges)}\n  ]}`;
}

function lines(of: readonly unknown[]): string {
  return of.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
}

import drawn from './drawn-charts.json' with { type: 'json' };
import type { Languages } from '../../../machines/kinds.ts';
import { shootMachine } from '../../../machines/shoot.ts';
import { weederMachine } from '../../../machines/weeder.ts';
import { chartModel, type Region } from './chart-model.ts';
import type { DrawnChart } from './drawn-chart.ts';

/** The charts of all machines. */
export const chartModels: Readonly<Record<keyof Languages, readonly Region[]>> = {
  shoot: chartModel(shootMachine),
  weeder: chartModel(weederMachine),
};

/** All charts with the coordinates that `npm run docs` gave them. A test fails when they are not the machines'. */
export const drawnCharts = drawn as unknown as Readonly<Record<keyof Languages, DrawnChart>>;

import type { Languages } from '../../../machines/kinds.ts';
import type { DrawnChart } from './drawn-chart.ts';
import drawn from './drawn-charts.json' with { type: 'json' };

/** All charts with the coordinates that `npm run docs` gave them. A test fails when they are not the machines'. */
export const drawnCharts = drawn as unknown as Readonly<Record<keyof Languages, DrawnChart>>;

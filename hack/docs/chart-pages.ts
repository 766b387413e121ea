import { guardAsks, chartModels } from '@dwd/inspector/model/charts/charts.ts';
import type { Arrow } from '@dwd/inspector/model/charts/chart-model.ts';
import type { Languages } from '../../src/machines/kinds.ts';
import { chartSvg } from './chart-svg.ts';
import { drawnChartsJson, type DrawnCharts } from './drawn-charts-json.ts';

type Kind = keyof Languages;

const words: Readonly<Record<Kind, string>> = {
  shoot:
    'Both regions run side by side. What happens without a change of state (views kept, flows moved) is not drawn.',
  weeder:
    'There is one machine for each service and namespace. What happens without a change of state (pods kept, deletions asked for and answered) is not drawn.',
};

/** By path, what is drawn from the machines: pages, pictures, and the coordinates that the inspector's page has. */
export function chartPages(charts: DrawnCharts): Readonly<Record<string, string>> {
  return {
    'packages/inspector/model/charts/drawn-charts.json': drawnChartsJson(charts),
    'docs/shoot-machine.md': page('shoot'),
    'docs/weeder-machine.md': page('weeder'),
    'docs/machines/shoot.svg': picture('shoot', charts),
    'docs/machines/weeder.svg': picture('weeder', charts),
  };
}

function picture(kind: Kind, charts: DrawnCharts): string {
  return chartSvg(`The statechart of the ${kind} machine`, charts[kind].large);
}

function page(kind: Kind): string {
  return [
    `# The ${kind} machine`,
    '',
    `Drawn from \`src/machines/${kind}.ts\` by \`npm run docs\`; a test fails when it is stale. ${words[kind]}`,
    '',
    `![The statechart of the ${kind} machine; its transitions are in the tables below](machines/${kind}.svg)`,
    '',
    'A transition is taken when its event comes and its guard, if it has one, says yes. One without an event is taken as soon as its guard says yes. Of those from one state with the same event, the first whose guard says yes is taken. A state of its own comes before *any state*.',
    '',
    ...chartModels[kind].flatMap(({ name, arrows }) => [
      ...(name === '' ? [] : [`## ${name}`, '']),
      '| from | to | event | guard | which asks | [rules](specification.md) |',
      '|---|---|---|---|---|---|',
      ...arrows.map((arrow) => row(kind, arrow)),
      '',
    ]),
  ].join('\n');
}

function row(kind: Kind, arrow: Arrow): string {
  const { from, to, event, guard } = arrow;
  const { question = '', rules = [] } = guardAsks(kind, guard) ?? {};
  const cells = [from ?? '*any state*', to, code(event), code(guard ?? ''), question, rules.join(', ')];
  return `| ${cells.join(' | ')} |`;
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

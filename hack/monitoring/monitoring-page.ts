import { dashboards } from './dashboards/dashboards.ts';

const beginning = `# Monitoring

<!-- Written by \`npm run docs\` from hack/monitoring/dashboards. -->

[deploy/monitoring](../deploy/monitoring) has dashboards for Grafana, for Gardener's Plutono and Perses, and alert rules; its README says how to apply them. [metrics.md](metrics.md) lists the metrics, and [runbooks.md](runbooks.md) says what to do
when an alert comes.
`;

/** docs/monitoring.md. */
export function monitoringPage(): string {
  const sections = dashboards.map(({ title, says, variable, panels }) =>
    [
      `\n## ${title}\n`,
      `${says}${variable === undefined ? '' : ` Choose the ${variable.label} at its head.`}\n`,
      '| question | how to read the answer |',
      '|---|---|',
      ...panels.map((panel) => `| ${panel.title} | ${panel.says} |`),
      '',
    ].join('\n'),
  );
  return [beginning, ...sections].join('');
}

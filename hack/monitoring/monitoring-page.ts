import { runbookLink } from './alerts/alerts.ts';
import { dashboards } from './dashboards/dashboards.ts';
import type { Recording } from './record/recording.ts';
import { wholeStory } from './record/story.ts';

const beginning = `# Monitoring

<!-- Written by \`npm run docs\` from hack/monitoring/dashboards. -->

[deploy/monitoring](../deploy/monitoring) has dashboards for Grafana and for Gardener's Plutono, and alert rules; its README says how to apply them. [metrics.md](metrics.md) lists the metrics, and [runbooks.md](runbooks.md) says what to do
when an alert comes.

The pictures are no screenshots of Grafana. \`npm run docs -- dashboards\` runs two real probers and a real weeder on an embedded seed, and a real Prometheus that scrapes them each 5 s. It plays the troubles below to them, asks that
Prometheus each query of each panel, and draws what it answers, in Grafana's places and units. The machine was busy with other things, so times are longer than usual.
`;

/** docs/monitoring.md. */
export function monitoringPage({ alerts }: Recording): string {
  const troubles = wholeStory.beats.map(({ second, says }) => `| ${minutesAndSeconds(second)} | ${says} |`);
  const sections = dashboards.map(({ name, title, says, variable, panels }) =>
    [
      `\n## ${title}\n`,
      `${says}${variable === undefined ? '' : ` Choose the ${variable.label} at its head.`}\n`,
      `![The dashboard "${title}", drawn from recorded metrics](monitoring/${name}.svg)\n`,
      '| question | how to read the answer |',
      '|---|---|',
      ...panels.map((panel) => `| ${panel.title} | ${panel.says} |`),
      '',
    ].join('\n'),
  );
  return [
    beginning,
    '\n| minute | what happens |\n|---|---|\n',
    `${troubles.join('\n')}\n`,
    alerts.length === 0
      ? '\nNo alert fired meanwhile: each trouble was over before it needed a hand.\n'
      : `\nThese alerts fired meanwhile: ${alerts.map((name) => runbookLink(name)).join(', ')}.\n`,
    ...sections,
  ].join('');
}

function minutesAndSeconds(second: number): string {
  return `${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`;
}

import type { Metric as Made } from '../../src/adapters/record/metrics/metric.ts';
import { metricSections } from '../../src/adapters/record/metrics/metric-list.ts';
import { processMetrics } from '../../src/adapters/record/metrics/metrics.ts';
import { runbookLink } from './alerts/alerts.ts';
import type { Uses } from './uses.ts';

type Metric = Omit<Made, 'make'>;

const beginning = `# Metrics

<!-- Written by \`npm run docs\` from src/adapters/record/metrics/metric-list.ts and from the alerts and dashboards of hack/monitoring. -->

Every series whose labels are known in advance is there from the start, at 0, so that \`increase()\` sees the first event. Those with the status of an answer, a shoot, or a namespace come with their first event.

The program serves them at \`/metrics\` on \`--metrics-bind-addr\` (default \`:9643\`), in Prometheus' text format. Times are seconds. The label \`shoot\`
holds the shoot's namespace in the seed; a shoot's series go when the shoot goes. If you read again within a second, you get the last rendering again.

Only the prober has "The shoots", "Scaling", and the requests to shoots. Only the weeder has "Weeder". Both have the rest.

The last column says where a metric is used: the dashboards ([monitoring.md](monitoring.md) shows them), and the alerts, each with its section in [runbooks.md](runbooks.md). [deploy/monitoring](../deploy/monitoring) has both, ready to be applied.
`;

const ending = `
## What is not there

No \`workqueue_*\`: there is no work queue. A shoot's machine takes its events one after the other, and \`dwd_turns_total\` counts them; what can wait are requests to the seed, and
\`dwd_seed_requests_held_total\` counts those. No \`controller_runtime_*\`, since nothing is reconciled. No series for each node, pod or dependant: a seed has hundreds of thousands of them. The log names them.
`;

/** docs/metrics.md. */
export function metricsPage(uses: Uses): string {
  const sections = Object.entries(metricSections).map(([title, metrics]) =>
    section(title, Object.values<Metric>(metrics), uses),
  );
  return [beginning, ...sections, section('The process', ofProcess(), uses), ending].join('');
}

function section(title: string, metrics: readonly Metric[], uses: Uses): string {
  return [
    `\n## ${title}\n`,
    '| metric | kind | labels | what it says | used by |',
    '|---|---|---|---|---|',
    ...metrics.map((metric) => line(metric, uses)),
    '',
  ].join('\n');
}

/** prom-client's own set. */
function ofProcess(): readonly Metric[] {
  return processMetrics.getMetricsAsArray().map(({ name, help, type }) => ({
    name,
    help,
    kind: type as unknown as Metric['kind'],
    unused: 'it is of prom-client’s set',
  }));
}

function line({ name, kind, labels = [], help, more, unused }: Metric, uses: Uses): string {
  const says = more === undefined ? help : `${help} ${more}`;
  const { alerts = [], dashboards = [] } = uses.get(name) ?? {};
  const used = [
    ...dashboards.map((dashboard) => `dashboard ${dashboard}`),
    ...alerts.map((alert) => runbookLink(alert)),
  ].join(', ');
  const by = used === '' ? `nothing: ${unused ?? ''}` : used;
  return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${says} | ${by} |`;
}

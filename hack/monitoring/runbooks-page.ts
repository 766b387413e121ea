import type { Alert, Condition } from './alerts/alerts.ts';
import { alertGroups } from './alerts/alerts.ts';

const beginning = `# Runbooks

<!-- Written by \`npm run docs\` from hack/monitoring/alerts. -->

One section for each alert of [deploy/monitoring](../deploy/monitoring): what it means, what to look at, what to do. Gardener's names are used: the namespace is \`garden\`, the
Deployments are \`dependency-watchdog-prober\` and \`dependency-watchdog-weeder\`, and NAMESPACE is the shoot's namespace in the seed. The log is JSON; [logs.md](logs.md) lists its kinds of lines. \`config.yaml\` is the prober's configuration ([how to get it](operations.md#begin-with-status)), \`night.jsonl\` its journal ([how to get it](operations.md#get-the-journal)).

**critical**: it needs a hand tonight. **warning**: it needs one this week. What needs none has no alert: the dashboards show it ([monitoring.md](monitoring.md)). Where an alert has several causes, its label \`cause\` says which one it is.

`;

/** docs/runbooks.md. */
export function runbooksPage(): string {
  const index = Object.entries(alertGroups).map(
    ([title, alerts]) => `- ${title} ${alerts.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(', ')}`,
  );
  const sections = Object.entries(alertGroups).flatMap(([title, alerts]) => [
    `\n# ${title}\n`,
    ...alerts.map((alert) => section(alert)),
  ]);
  return [beginning, `${index.join('\n')}\n`, ...sections].join('');
}

function section({ name, severity, because, when, summary, means, look, act }: Alert): string {
  return [
    `\n## ${name}\n`,
    `**${severity}** · ${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}|<(cause)>/g, '*$1$2*')}\n`,
    `${means}\n`,
    `Why ${severity === 'critical' ? 'tonight' : 'this week'}: ${because}\n`,
    ...when.map((condition) => fires(condition)),
    `Look at:\n\n${list(look)}\n`,
    `Do:\n\n${list(act)}\n`,
  ].join('\n');
}

function fires({ cause, expr, for: length }: Condition): string {
  const after = length === undefined ? 'at once' : `after ${length}`;
  return `Fires ${after}${cause === undefined ? '' : `, cause “${cause}”`}:\n\n\`\`\`promql\n${expr}\n\`\`\`\n`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

import type { Alert } from './alerts/alerts.ts';
import { alertGroups } from './alerts/alerts.ts';

const beginning = `# Runbooks

<!-- Written by \`npm run docs\` from hack/monitoring/alerts. -->

One section for each alert of [deploy/monitoring](../deploy/monitoring): what it means, what to look at, what to do. Gardener's names are used: the namespace is \`garden\`, the
Deployments are \`dependency-watchdog-prober\` and \`dependency-watchdog-weeder\`, and NAMESPACE is the shoot's namespace in the seed. The log is JSON; [logs.md](logs.md) lists its kinds of lines.

**critical**: shoots may be unprotected now. **warning**: look at it today. **info**: good to know.

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

function section({ name, severity, expr, for: length, summary, means, look, act }: Alert): string {
  return [
    `\n## ${name}\n`,
    `**${severity}** · ${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*')}\n`,
    `${means}\n`,
    `Fires ${length === undefined ? 'at once' : `after ${length}`}:\n`,
    `\`\`\`promql\n${expr}\n\`\`\`\n`,
    `Look at:\n\n${list(look)}\n`,
    `Do:\n\n${list(act)}\n`,
  ].join('\n');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

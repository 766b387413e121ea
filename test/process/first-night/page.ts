import { readFileSync } from 'node:fs';
import type { Outcome, NightScene } from './scene.ts';
import { chapters, scenes } from './scenes.ts';

/** What a scene came to, by its title. */
export type Recorded = Readonly<Record<string, Outcome>>;

const file = new URL('recorded.json', import.meta.url);
export const page = new URL('first-night.md', import.meta.url);

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded;
}

/** How many lines of one answer the page shows. */
const shownLines = 8;

/** `first-night.md`: the scenes, and what the program printed. */
export function firstNightPage(recorded: Recorded): string {
  const row = ({ title, args }: NightScene) =>
    `| ${[title, code(`dependency-watchdog ${args}`), cell(recorded[title])].join(' | ')} |`;
  const sections = chapters.map((chapter) =>
    [`## ${chapter.title}`, '', '| who | command | what it says |', '|---|---|---|', ...chapter.scenes.map(row)].join(
      '\n',
    ),
  );
  return `# What the program says on a first night

A record of ${scenes.length} scenes, in which something is wrong or somebody asks something. \`first-night.test.ts\` plays each of them with the real program, and checks what it must say and the exit code.
\`npx node test/process/first-night/record.ts\` plays them all and writes this page again.

Of a long answer the first ${shownLines} lines are shown, and of a log the lines that matter. \`DIR\`, \`PORT\`, \`TIME\`, \`N\` and other words in capitals stand for what differs from run to run. The exit code is in parentheses.

${sections.join('\n\n')}
`;
}

function cell(outcome: Outcome | undefined): string {
  if (outcome === undefined) return '';
  const lines = outcome.lines.filter((line) => line.trim() !== '');
  const shown = lines.length === 0 ? ['–'] : lines.slice(0, shownLines).map(code);
  const left = lines.length - shownLines;
  const more = left > 0 ? [`… ${left} more line${left === 1 ? '' : 's'}`] : [];
  return [...shown, ...more, outcome.code === null ? '(goes on)' : `(${outcome.code})`].join('<br>');
}

function code(line: string): string {
  const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '&#124;');
  return `<code>${text.replace(/^ +/, (blanks) => '&nbsp;'.repeat(blanks.length))}</code>`;
}

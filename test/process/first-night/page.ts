import { readFileSync } from 'node:fs';
import type { Outcome, Scene } from './scene.ts';

/** What a scene came to, by its title: now, and with the program from before it was looked at, where the scene could be played with that. */
export type Recorded = Readonly<Record<string, Readonly<{ before?: Outcome; now: Outcome }>>>;

const file = new URL('recorded.json', import.meta.url);
export const page = new URL('../../../docs/first-night.md', import.meta.url);

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded;
}

/** How many lines of one answer the page shows. */
const shownLines = 8;

/** `docs/first-night.md`: a table of the scenes, and of what the program printed. */
export function firstNightPage(scenes: readonly Scene[], recorded: Recorded): string {
  const rows = scenes.map(({ title, args }) => {
    const { before, now } = recorded[title] ?? {};
    return `| ${[title, code(`dependency-watchdog ${args}`), cell(before), cell(now)].join(' | ')} |`;
  });
  return `# An operator's first night

What the program says when something is wrong, or when it is asked something: ${scenes.length} rows. \`test/process/first-night\` plays each of them with the real program, and checks what must be said and the exit code.
\`npx node test/process/first-night/record.ts\` plays them all and writes this page again.

"Before" is the program of 2026-11-22, before anybody looked at it with a newcomer's eyes. It is empty where the program had no such thing, and "–" where it went on without a word of the kind. Of a long answer the first ${shownLines} lines are shown, and of a
log the lines that matter. \`DIR\`, \`PORT\`, \`TIME\`, \`N\` and other words in capitals stand for what differs from run to run. The exit code is in parentheses.

| what | command | before | now |
|---|---|---|---|
${rows.join('\n')}
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

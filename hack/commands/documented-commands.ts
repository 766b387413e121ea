import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWords } from './shell-words.ts';

/** A command as a page tells it to its reader. */
export type DocumentedCommand = Readonly<{
  page: string;
  line: number;
  /** The section that it stands in. */
  heading: string;
  /** As it stands there, without what continues a line, a prompt or a comment. */
  text: string;
}>;

/** Decisions are of their time, and what an operator gets wrong in the first night is wrong on purpose. */
const pages = {
  of: ['*.md', 'docs/*.md', 'deploy/**/*.md'],
  not: ['CHANGELOG.md', 'docs/first-night.md'],
};

/** What begins a command. Other words in a block are a configuration, an output or a picture. */
const programs =
  'dependency-watchdog npm npx node kubectl helm kustomize curl git docker cosign mkdir sed source'.split(' ');
const begins = new RegExp(`^(?:${programs.join('|')}) \\S`);

/** Further in stands what belongs to the line before. */
const mostIndent = /^ {8}/;

/** A command by its name alone is spoken of. Whoever reads a runbook types it. */
function isMention(page: string, code: string): boolean {
  return (
    page !== 'docs/runbooks.md' && /^(?:dependency-watchdog [a-z]+|kubectl dwd|npx node src\/main\.ts)$/.test(code)
  );
}

export function documentedCommands(root: string): readonly DocumentedCommand[] {
  const found = globSync(pages.of, { cwd: root, exclude: ['node_modules/**', ...pages.not] }).toSorted();
  return found.flatMap((page) => commandsOf(page, readFileSync(join(root, page), 'utf8')));
}

/** The commands of one page: lines of its blocks, and spans of code. */
export function commandsOf(page: string, markdown: string): readonly DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  const lines = markdown.split('\n');
  let heading = '';
  let fence = '';
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const [, opened = ''] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (opened !== '') {
      fence = fence === '' ? opened : opened.startsWith(fence) ? '' : fence;
      continue;
    }
    const place = { page, line: index + 1, heading };
    if (fence !== '') {
      let text = line.trim().replace(/^\$ /, '');
      if (!begins.test(text) || mostIndent.test(line)) continue;
      while (/(?:\\|\|)$/.test(text)) text = `${text.replace(/\\$/, '')} ${(lines[++index] ?? '').trim()}`;
      commands.push({ ...place, text: shellWords(text).text });
      continue;
    }
    heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    for (const [, code = ''] of line.matchAll(/`([^`]+)`/g))
      if (begins.test(code) && !isMention(page, code)) commands.push({ ...place, text: shellWords(code).text });
  }
  return commands;
}

/**
 * `npm run check -- rules` lists the rules of docs/specification.md, their status, and how many tests name them.
 * `npm run check -- rules 4.2` shows the tests of one rule. With `--check` it says only what is wrong, and fails if anything is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRules } from './rules/read-rules.ts';
import { readTests } from './rules/read-tests.ts';
import { weighRules, type Weighing } from './rules/weigh-rules.ts';
import { readSources } from './source.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

const root = join(import.meta.dirname, '..');
helpOfHeader('check -- rules [NUMBER]', import.meta.filename);
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });

const weighing = weighRules(
  readRules(readFileSync(join(root, 'docs/specification.md'), 'utf8')),
  ['test', 'packages'].flatMap((folder) => readSources(root, folder)).flatMap(readTests),
);
const shown = values.check
  ? untested(weighing)
  : positionals.length > 0
    ? testsOf(weighing, positionals)
    : table(weighing);
process.stdout.write([...shown, ...sum(weighing), ''].join('\n'));
if (values.check && weighing.untested.length + weighing.problems.length > 0) process.exitCode = 1;

function table({ rules }: Weighing): string[] {
  return rules.map(({ id, title, status, tests }) => {
    const count = tests.length > 0 ? String(tests.length) : status === 'later' ? '-' : 'NONE';
    return `${id.padEnd(5)} ${status.padEnd(6)} ${count.padStart(4)}  ${title}`;
  });
}

function untested({ untested: rules }: Weighing): string[] {
  return rules.map(({ id, status, title }) => `- rule ${id} is ${status} and has no test: ${title}`);
}

function testsOf({ rules }: Weighing, ids: readonly string[]): string[] {
  return ids.flatMap((id) => {
    const rule = rules.find((each) => each.id === id);
    if (!rule) return [`${id} is no rule`];
    return [
      `${id} ${rule.status}: ${rule.title}`,
      ...rule.tests.map(({ path, line, name }) => `  ${path}:${line}  ${name}`),
    ];
  });
}

function sum({ rules, untested: without, problems, nameless }: Weighing): string[] {
  const due = rules.filter(({ status }) => status !== 'later').length;
  return [
    ...problems.map((problem) => `- ${problem}`),
    '',
    `${due - without.length} of ${due} built rules have a test; ${rules.length - due} rules come later; ${nameless.length} tests name no rule.`,
  ];
}

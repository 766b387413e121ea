import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { isThere, quotedTests } from '../../../hack/rules/read-tests.ts';
import { goCases } from '../gardener/go-suite.ts';
import { pinnedModule, ProgramMissing } from '../programs/find-program.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);

const casesByAnswer = z.record(z.string(), z.array(z.string()).nonempty());
const suite = z
  .strictObject({ played: casesByAnswer, different: casesByAnswer, inner: casesByAnswer })
  .parse(parse(read('packages/lab/gardener/go-suite.yaml') ?? ''));

/** Go's own source, of the version to which ours is compared. */
const source = await pinnedModule('gardener', 'github.com/gardener/dependency-watchdog').catch((error: unknown) => {
  if (!(error instanceof ProgramMissing)) throw error;
  process.stderr.write(`LEFT OUT: the Go watchdog's suite beside its table, since ${error.message}\n`);
  return undefined;
});

test.skipIf(source === undefined)(
  '8 each case of the Go watchdog’s own suite has its line, once, and no other has',
  () => {
    const cases = Object.values(suite).flatMap((answers) => Object.values(answers).flat());
    expect(cases.toSorted()).toEqual(goCases(source ?? '').toSorted());
  },
);

test.each(Object.keys(suite.played))('a case is played by %s', (quoted) => {
  expect(quotedTests(quoted).filter((one) => isThere(one, read))).toHaveLength(1);
});

test.each(Object.keys(suite.different))('docs/gardener.md says what is different where %s', (row) => {
  expect(read('docs/gardener.md')).toContain(`\n| ${row} |`);
});

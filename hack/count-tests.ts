/**
 * `node hack/count-tests.ts FILE` prints how many tests passed and failed, by vitest's JSON report, and then a line for each that failed:
 * its file, its name and the first line of what it said, or the file alone where that could not be loaded. Without a whole report it fails.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import * as z from 'zod';
import { firstLine } from '../src/adapters/record/episodes/episode.ts';

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).optional() }),
      ),
    }),
  ),
});

const report = Report.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
// A file that cannot be loaded has no tests that could fail, and is one failure.
const unloaded = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const failed = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages: [said = ''] = [] }) => `${relative('', name)}: ${fullName}: ${firstLine(said)}`),
);
const lines = [
  `${report.numPassedTests} ${report.numFailedTests + unloaded.length}`,
  ...failed,
  ...unloaded.map(({ name }) => relative('', name)),
];
process.stdout.write(`${lines.join('\n')}\n`);

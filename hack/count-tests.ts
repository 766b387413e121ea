/** `node hack/count-tests.ts FILE` prints how many tests passed and failed, by vitest's JSON report. Without a whole report it fails. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

const report = Report.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
// A file that cannot be loaded has no tests that could fail, and is one failure.
const unloaded = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
process.stdout.write(`${report.numPassedTests} ${report.numFailedTests + unloaded.length}\n`);

/**
 * `npm run supply -- audit`: whether a package in the lock has a known fault. Ends with 0 where none has, 1 where one has, and 75 where the registry in use
 * does not tell, as many mirrors: nothing is known then, which is neither good nor bad.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { auditOf, type AuditReport } from './supply/audit-report.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

helpOfHeader('supply -- audit', import.meta.filename);
/** It ends with 1 where it finds something, and where it is not answered; what it prints tells which. */
const { stdout } = spawnSync('npm', ['audit', '--json', '--loglevel=silent', '--fetch-retries=1'], {
  cwd: join(import.meta.dirname, '..'),
  encoding: 'utf8',
  maxBuffer: 64 * 1_048_576,
});
const { verdict, lines } = auditOf(read(stdout));
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = { clean: 0, faulty: 1, unknown: 75 }[verdict];

function read(text: string): AuditReport {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return { message: `npm printed no report: ${JSON.stringify(text.slice(0, 200))}` };
  }
}

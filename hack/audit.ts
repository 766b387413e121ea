/**
 * `npm run audit`: whether a package in the lock has a known fault; ends with 1 where one has. A registry that does not tell is said so, and is
 * no failure, since many mirrors have no such list; with `--required` it is one, as on the machines that release.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { auditOf, type AuditReport } from './supply/audit-report.ts';

const { values } = parseArgs({ options: { required: { type: 'boolean', default: false } } });

// It ends with 1 where it finds something, and where it is not answered; what it prints tells which.
const { stdout } = spawnSync('npm', ['audit', '--json', '--loglevel=silent', '--fetch-retries=1'], {
  cwd: join(import.meta.dirname, '..'),
  encoding: 'utf8',
  maxBuffer: 64 * 1_048_576,
});
const { verdict, lines } = auditOf(read(stdout));
process.stdout.write(`${lines.join('\n')}\n`);
if (verdict === 'faulty' || (verdict === 'unknown' && values.required)) process.exitCode = 1;

function read(text: string): AuditReport {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return { message: `npm printed no report: ${JSON.stringify(text.slice(0, 200))}` };
  }
}

/**
 * `npm run check`: format, types, lint, dead code and the fast tests. The tests have a lane of their own, since they take as long as all others
 * together; `--no-tests` leaves them out, for those who run all tests anyway. Ends with 1 where anything failed, and says what.
 */
import { join } from 'node:path';
import process from 'node:process';
import { inLanes } from './check/in-lanes.ts';
import { runScript } from './check/run-script.ts';

const root = join(import.meta.dirname, '..');
const begin = performance.now();
const say = (text: string): void => void process.stdout.write(text);

const looks = ['format:check', 'types', 'lint', 'dead'];

const failed = await inLanes(process.argv.includes('--no-tests') ? [looks] : [['test:fast'], looks], {
  run: (script) => runScript(root, script),
  say,
});
const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
say(failed.length === 0 ? `check passed, ${seconds} s\n` : `check failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/**
 * Runs a file of tests many times while the machine is busy, and stops at the first run that fails, with all that it printed. For a test
 * that failed once on somebody else's machine.
 *
 *     npm run check -- stress FILE [--times 20] [--busy N] [-t NAME]
 *
 * `--busy` is how many processes keep a core busy meanwhile; without it, one for each core. `-t` picks tests by name.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { stress } from './stress/stress.ts';
import { helpOfHeader } from './options/help-of-header.ts';

helpOfHeader('check -- stress FILE [--times N] [--busy N] [-t NAME]', import.meta.filename);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '20' },
    busy: { type: 'string', default: String(availableParallelism()) },
    t: { type: 'string', short: 't' },
  },
});
const [file, ...more] = positionals;
const [times, busy] = [Number(values.times), Number(values.busy)];
const say = (text: string): void => void process.stdout.write(text);
if (file === undefined || more.length > 0 || !(times >= 1) || !(busy >= 0)) {
  say('Usage: npm run check -- stress FILE [--times 20] [--busy N] [-t NAME]\n');
  process.exitCode = 2;
} else {
  const passed = await stress({ root: join(import.meta.dirname, '../..'), file, times, busy, only: values.t, say });
  process.exitCode = passed ? 0 : 1;
}

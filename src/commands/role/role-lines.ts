import { afterBy } from '../../adapters/clock/plain-clock.ts';
import { createLog } from '../../adapters/record/log/log.ts';
import { BoundedLines } from '../../adapters/output/bounded-lines.ts';
import { machineOutput } from '../../adapters/output/machine-output.ts';
import { errorCode, fileErrorWords } from '../../adapters/words/errno-words.ts';
import { counted } from '../../adapters/words/plain-words.ts';
import type { Surroundings } from './surroundings.ts';

/** Where the lines of a role's log wait for its output. What is lost there is said in a line of the log (SPEC 11.1). */
export function roleLines({
  clock,
  steady,
  output = machineOutput(1),
}: Pick<Surroundings, 'clock' | 'steady' | 'output'>): BoundedLines {
  return new BoundedLines({
    output,
    after: afterBy(steady),
    lossLine: ({ count, error }) => {
      let told = '';
      createLog({ level: 'warn', clock, write: (line) => (told = line) }).warn(
        `${counted(count, 'line')} of the log ${count === 1 ? 'was' : 'were'} lost here: ${outputWords(error)}`,
        { line: 'lines of the log were lost', lost: count },
      );
      return told;
    },
  });
}

function outputWords(error: Error | undefined): string {
  if (error === undefined) return 'nobody read the standard output';
  const reason = errorCode(error) === 'EPIPE' ? 'its reader was gone' : fileErrorWords(error);
  return `the standard output took nothing (${reason})`;
}

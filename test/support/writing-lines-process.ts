/** Writes 50 lines to its standard output, each in a turn of the event loop of its own, and tells how many writes that took. */
import process from 'node:process';
import { after } from '../../src/adapters/clock/plain-clock.ts';
import { BoundedLines } from '../../src/adapters/output/bounded-lines.ts';
import { machineOutput } from '../../src/adapters/output/machine-output.ts';

const output = machineOutput(1);
let [writes, count] = [0, 0];

const lines = new BoundedLines({
  output: {
    write(bytes, taken) {
      writes++;
      output.write(bytes, taken);
    },
  },
  after,
  lossLine: () => '',
});
const next = (): void => {
  lines.write(`line ${count++}\n`);
  if (count < 50) setImmediate(next);
  else void lines.flushed(5_000).then(() => process.send?.(writes));
};

next();
process.once('disconnect', () => process.exit());

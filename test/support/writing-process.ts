/** Writes 300 KiB to its standard output by `machineOutput`, in a process of its own, and tells how that went, and every 20 ms that its loop turns. */
import process from 'node:process';
import { after } from '../../src/adapters/clock/plain-clock.ts';
import { machineOutput } from '../../src/adapters/output/machine-output.ts';

/** How many bytes were taken so far, and what went wrong, if anything did. */
export type WritingReport = Readonly<{ taken: number; error?: string; turns: number }>;

const output = machineOutput(1);
const bytes = Buffer.alloc(307_200, 'x');
let [taken, turns] = [0, 0];

const tell = (error?: string): void => void process.send?.({ taken, turns, ...(error === undefined ? {} : { error }) });
const turn = (): void => {
  turns++;
  tell();
  after(20, turn);
};
const offer = (): void => {
  let isLater = false;
  output.write(bytes.subarray(taken), (error, written) => {
    if (!isLater) tell('taken was called within write');
    taken += written;
    if (error !== null) tell((error as NodeJS.ErrnoException).code);
    else if (taken < bytes.length) offer();
  });
  isLater = true;
};

offer();
turn();
process.once('disconnect', () => process.exit());

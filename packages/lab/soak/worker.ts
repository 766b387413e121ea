import { parentPort, workerData } from 'node:worker_threads';
import { countReached, type Reached } from './coverage/code-coverage.ts';
import type { Lived } from './tally.ts';

/** A number to live, or a question for what was reached so far. */
export type ToWorker = number | 'reached';
export type FromWorker = Lived | Readonly<{ reached: Reached }>;

// Before anything of the program is loaded.
const reached = workerData === 'coverage' ? countReached() : (): Reached => ({});
const { liveNumber } = await import('./tally.ts');

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const tell = (said: FromWorker): void => parentPort?.postMessage(said);

parentPort?.on('message', (asked: ToWorker) => {
  if (asked === 'reached') return tell({ reached: reached() });
  void liveNumber(asked).then(tell, (error: unknown) => {
    throw error;
  });
});

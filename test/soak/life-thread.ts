import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * A thread in which lives are lived. Nearly all that a life allocates is soon garbage: with 128 MB for what is young, little of it is ever copied. And
 * where each core has lives of its own, to mark beside them takes more from the others than it gives to one. Together 10 to 15 % of the CPU;
 * a thread may take half a gigabyte.
 */
export function lifeThread(script: URL, options?: WorkerOptions): Worker {
  for (const flag of ['--min-semi-space-size=128', '--max-semi-space-size=128', '--no-concurrent-marking'])
    setFlagsFromString(flag);
  return new Worker(script, options);
}

import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

const flags = [
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  '--no-allocation-site-pretenuring',
  '--no-concurrent-marking',
];

/**
 * A thread in which lives are lived. Nearly all that a life allocates is soon garbage. With 128 MB for what is young, little of it is ever copied; and V8 must
 * not guess what will grow old: it takes subscribers for that, each of which then keeps what it was told of. Where each core has lives of its own, to
 * mark beside them gains nothing. Together a fifth of the CPU; a thread may take half a gigabyte.
 */
export function lifeThread(script: URL, options?: WorkerOptions): Worker {
  for (const flag of flags) setFlagsFromString(flag);
  return new Worker(script, options);
}

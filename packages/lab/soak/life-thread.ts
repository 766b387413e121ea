import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

const flags = [
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  '--no-allocation-site-pretenuring',
  '--no-concurrent-marking',
];

/**
 * A thread in which lives are lived, on a heap for them. Nearly all that a life allocates is soon garbage: with 128 MB for young objects, V8 copies few of
 * them. V8 also guesses which objects will grow old, and makes those in the old space at once. It guesses wrong for RxJS' subscribers, and dead ones there keep
 * others alive. Each core has lives of its own, so V8 need not mark beside them. Together a fifth of the CPU. A thread may take half a gigabyte.
 */
export function lifeThread(script: URL, options?: WorkerOptions): Worker {
  for (const flag of flags) setFlagsFromString(flag);
  return new Worker(script, options);
}

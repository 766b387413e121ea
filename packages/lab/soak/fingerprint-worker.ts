import { parentPort, workerData } from 'node:worker_threads';
import { fingerprintOf } from './fingerprint.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(await fingerprintOf(workerData as number));

/** A thread of `npm run crash-points`: plays one job after the other, and tells each life. */
import { parentPort } from 'node:worker_threads';
import { play, type Job } from './play.ts';

parentPort?.on('message', async (job: Job) => {
  for await (const played of play(job)) parentPort?.postMessage(played);
  parentPort?.postMessage('done');
});

/** A thread of `npm run soak -- crash-points`: plays one job after the other, and tells each life. */
import { parentPort } from 'node:worker_threads';
import { play, type Job, type Played } from './play.ts';

parentPort?.on('message', (job: Job) => void playJob(job));

async function playJob(job: Job): Promise<void> {
  for await (const played of play(job)) tell(played);
  tell('done');
}

function tell(said: Played | 'done'): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(said);
}

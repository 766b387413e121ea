import { lifeThread } from './life-thread.ts';
import type { SoakOptions } from './soak-options.ts';
import { addTally, emptyTally, type Lived, type Tally } from './tally.ts';
import { addReached, type Reached } from './coverage/code-coverage.ts';
import type { FromWorker, ToWorker } from './worker.ts';

/** Lives number after number in worker threads, until one breaks a law, or time or numbers are used up. Each life that has begun is lived to its end, but for a broken law. */
export async function soak(
  { first, lives, minutes, workers, coverage }: Omit<SoakOptions, 'story' | 'out'>,
  { now, onLived }: Readonly<{ now: () => number; onLived: (lived: Lived) => void }>,
): Promise<Readonly<{ tally: Tally; reached: Reached; broken: Lived | undefined }>> {
  const until = now() + minutes * 60_000;
  const tally = emptyTally();
  const reached: Reached = {};
  let next = first;
  let broken: Lived | undefined;
  const isOver = (): boolean => broken !== undefined || next >= first + lives || now() >= until;

  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = lifeThread(new URL('worker.ts', import.meta.url), { workerData: coverage ? 'coverage' : '' });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      const ask = (what: ToWorker): void => worker.postMessage(what);
      const give = (): void => {
        if (isOver()) return ask('reached');
        ask(next);
        next += 1;
      };
      worker.on('message', (said: FromWorker) => {
        if ('reached' in said) {
          addReached(reached, said.reached);
          void worker.terminate().then(() => resolve());
          return;
        }
        const lived = said;
        addTally(tally, lived.tally);
        // Of two, the one that everybody would find first.
        if (lived.broken !== undefined && (broken === undefined || lived.number < broken.number)) broken = lived;
        onLived(lived);
        give();
      });
      worker.on('error', reject);
      give();
    });
  await Promise.all(Array.from({ length: Math.min(workers, lives) }, work));
  return { tally, reached, broken };
}

/**
 * `npm run soak -- crash-points`: strikes our processes at each point of each flow, and compares the end with the quiet life's. Ends with 0 where
 * all ends are as without; with 1 where not; with 2 where it was asked wrongly.
 */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { lifeThread } from '../life-thread.ts';
import { playAsked } from '../../options/read-options.ts';
import { beginning } from '../life.ts';
import { flows, type Flow } from './flows.ts';
import { readCrashPointsOptions, usage, type CrashPointsOptions } from './options.ts';
import { quietOf, type Job, type Played } from './play.ts';
import { Tally } from './tally.ts';

/** The flows whose points are struck in pairs, one of each role: every pair of one is thousands of lives. */
const pairedFlows = ['one Deployment, no election', "the weeder's windows, no election"];

/** So many points to a job, so that threads are busy to the end. */
const pointsOfAJob = 20;

const options = readCrashPointsOptions(process.argv.slice(2), availableParallelism());
await playAsked(options, `${usage}\n`, async (asked) => {
  process.exitCode = (await playAll(asked)) ? 0 : 1;
});

async function playAll(asked: CrashPointsOptions): Promise<boolean> {
  const jobs = [...(await jobsOf(flows, asked))];
  const tally = new Tally();
  await Promise.all(
    Array.from({ length: Math.min(asked.workers, jobs.length) }, () =>
      playOn(jobs, (job, played) => {
        tally.count(job, played);
        print(tellLife(job, played));
      }),
    ),
  );
  for (const { name } of flows.filter((flow) => flow.name.includes(asked.only)))
    tally.knowPoints(name, (await quietOf(name)).trial.points.length);
  print(['', ...tally.lines()].join('\n'));
  return tally.isGood;
}

/** One thread takes the next job until none is left. */
function playOn(jobs: Job[], onPlayed: (job: Job, played: Played) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = lifeThread(new URL('worker.ts', import.meta.url));
    let job: Job | undefined;
    const next = (): void => {
      job = jobs.shift();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      if (job !== undefined) return worker.postMessage(job);
      void worker.terminate().then(() => resolve());
    };
    worker.on('error', reject);
    worker.on('message', (said: Played | 'done') => {
      if (said === 'done') next();
      else if (job !== undefined) onPlayed(job, said);
    });
    next();
  });
}

function tellLife({ flow, mode }: Job, { blows, wrongs }: Played): string {
  const where = blows
    .map(({ point }) => `${((point.at - beginning) / 1_000).toFixed(3)} s ${point.words}`)
    .join(', then ');
  return `${flow}: ${mode} at ${where}: ${wrongs.length === 0 ? 'struck, the same end' : `WRONG: ${wrongs.join('; ')}`}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What is to be played. Pauses are for flows with a standby: without one nobody acts meanwhile, and a pause is no more than a delay. */
async function jobsOf(flows: readonly Flow[], options: CrashPointsOptions): Promise<readonly Job[]> {
  const { only, modes, every, from } = options;
  const jobs: Job[] = [];
  for (const { name, plan } of flows.filter((flow) => flow.name.includes(only))) {
    const { points } = (await quietOf(name)).trial;
    const hasStandby = plan.replicas.prober + plan.replicas.weeder > 1;
    const fits = { crash: true, pause: hasStandby, pair: pairedFlows.includes(name) };
    const chosen = points.flatMap((_, index) => (index >= from && (index - from) % every === 0 ? [index] : []));
    for (const mode of modes.filter((one) => fits[one]))
      for (let begin = 0, size = mode === 'pair' ? 1 : pointsOfAJob; begin < chosen.length; begin += size)
        jobs.push({ flow: name, mode, points: chosen.slice(begin, begin + size) });
  }
  return jobs;
}

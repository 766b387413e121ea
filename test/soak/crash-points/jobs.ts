import type { Flow } from './flow.ts';
import type { CrashPointsOptions } from './options.ts';
import { quietOf, type Job } from './play.ts';

/** The flows whose points are struck in pairs, one of each role: every pair of one is thousands of lives. */
const pairedFlows = ['one Deployment, no election', "the weeder's windows, no election"];

/** So many points to a job, so that threads are busy to the end. */
const pointsOfAJob = 20;

/** What is to be played. Pauses are for flows with a standby: without one nobody acts meanwhile, and a pause is no more than a delay. */
export async function jobsOf(flows: readonly Flow[], options: CrashPointsOptions): Promise<readonly Job[]> {
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

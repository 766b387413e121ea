import { fairWeather, type SeedPlan } from './seed-plan.ts';

/** Lives a plan, and says whether the same law breaks; the instant of it, in ms of the life, where it does. */
export type StillBreaks = (plan: SeedPlan) => Promise<number | undefined>;

/**
 * Makes a story smaller for as long as the same law breaks: what comes after the breach, links, clocks and replicas first, then halves, quarters,
 * and single happenings. Lives plans for as long as `mayLive` says so, which is asked how many there were.
 */
export async function shrink(
  plan: SeedPlan,
  breaks: StillBreaks,
  mayLive: (lived: number) => boolean,
): Promise<Readonly<{ plan: SeedPlan; lived: number }>> {
  let best = plan;
  const done = { lived: 0 };
  const keepsBreaking = async (smaller: SeedPlan): Promise<boolean> => {
    if (!mayLive(done.lived)) return false;
    done.lived += 1;
    const at = await breaks(smaller);
    if (at === undefined) return false;
    const end = Math.min(smaller.weather, at + 1);
    best = { ...smaller, weather: end, happenings: smaller.happenings.filter((happening) => happening.at < end) };
    return true;
  };

  await keepsBreaking(best);
  await keepsBreaking({ ...best, links: { seed: fairWeather, shoot: fairWeather } });
  for (const link of ['seed', 'shoot'] as const)
    await keepsBreaking({ ...best, links: { ...best.links, [link]: fairWeather } });
  await keepsBreaking({ ...best, clocks: { ahead: 0, drift: 0 } });
  await keepsBreaking({ ...best, replicas: { prober: 1, weeder: best.replicas.weeder } });
  await keepsBreaking({ ...best, replicas: { ...best.replicas, weeder: 0 } });
  while (best.shoots > 1 && (await keepsBreaking(withShoots(best, Math.ceil(best.shoots / 2)))));

  for (
    let size = Math.ceil(best.happenings.length / 2);
    size >= 1 && mayLive(done.lived);
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < best.happenings.length && mayLive(done.lived);) {
      const happenings = best.happenings.toSpliced(from, size);
      if (!(await keepsBreaking({ ...best, happenings }))) from += size;
    }
  }
  return { plan: best, lived: done.lived };
}

/** What happened to shoots that are no more goes with them. */
function withShoots(plan: SeedPlan, shoots: number): SeedPlan {
  const gone = (name: string): boolean => Number(name.split('--').at(-1)) > shoots;
  return { ...plan, shoots, happenings: plan.happenings.filter(({ shoot }) => shoot === undefined || !gone(shoot)) };
}

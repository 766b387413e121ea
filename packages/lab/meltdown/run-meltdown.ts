import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { Column } from './column.ts';
import { type Outage, playOutage, goingOn, phaseBegins, type OutagePhase } from './outage.ts';
import { type MeltdownGround, guards, startProber } from './place.ts';
import type { Progress } from '../options/progress.ts';

/** The outage of a watched shoot, and that of its unwatched twin at the same instant and with the same phases. */
export type TwinOutages = Readonly<{ number: number; watched: Outage; unwatched: Outage | undefined }>;

export type Meltdown = Readonly<{
  /** Shoots of each kind, all at once; an unwatched one is the twin of the watched one of its number. */
  watched: number;
  unwatched: number;
  /** Of each shoot. */
  nodes: number;
  /** Of watched shoots. */
  outages: number;
  /** How far, in ms, cuts at once are apart. */
  cutWithin: number;
  /** How the paths break, one after the other. */
  faults: readonly [PathFault, ...PathFault[]];
}>;

/**
 * Outages of real shoots in two real seeds that differ in nothing but the prober. Tells each as soon as all of it is over;
 * rejects if the machinery fails, be it a process or what plays the kubelets.
 */
export async function runMeltdown(
  place: MeltdownGround,
  { watched, unwatched, nodes, outages, cutWithin, faults }: Meltdown,
  { say, goesOn }: Pick<Progress, 'say' | 'goesOn'>,
  onOutage: (twins: TwinOutages) => void,
): Promise<void> {
  const failed = Promise.withResolvers<never>();
  // Heard of by the next round at the latest.
  failed.promise.catch(() => undefined);
  say(`starting API servers: 2 seeds, ${watched + unwatched} shoots`);
  goesOn(() => 'API servers start; each takes some seconds');
  await using watchedOnes = await Column.start(place, 'watched', { shoots: watched, nodes });
  await using unwatchedOnes = await Column.start(place, 'unwatched', { shoots: unwatched, nodes });
  say('all API servers answer; nodes join, and controller-managers start');
  goesOn(() => 'nodes join, and controller-managers look at them');
  const kubeletsStartAt = Date.now();
  await Promise.all([
    watchedOnes.join(kubeletsStartAt, failed.reject),
    unwatchedOnes.join(kubeletsStartAt, failed.reject),
  ]);
  await using prober = await startProber(place, watchedOnes.seed);
  say('every controller-manager looks at its nodes; now the prober');
  goesOn(() => `the prober does not guard all ${watched} shoots yet`);
  await guards(prober, watched);
  say('the prober guards every watched shoot');

  const phase = place.chance('cuts');
  for (let from = 0; from < outages; from += watched) {
    const shoots = watchedOnes.shoots.slice(0, outages - from);
    say(`${shoots.length} at once, each cut off at its own moment of the next ${cutWithin / 1_000} s`);
    // Before the first cut, what is there is looked at.
    const begin = Date.now() + 3_000;
    const phases = { watched: new Map<string, OutagePhase>(), unwatched: new Map<string, OutagePhase>() };
    goesOn(() => goingOn(phases, Date.now()));
    const follow = (column: keyof typeof phases, name: string) => (phase: OutagePhase) => {
      const before = phases[column].get(name);
      phases[column].set(name, phase);
      if (before !== undefined && before.is !== phase.is) say(`${name}, ${column}: ${phaseBegins(phase)}`);
    };
    const round = shoots.map(async (shoot, index) => {
      const cut = { cutAt: begin + phase() * cutWithin, fault: faults[(from + index) % faults.length] ?? faults[0] };
      const twin = unwatchedOnes.shoots[index];
      const [guarded, harmed] = await Promise.all([
        playOutage(place, shoot, watchedOnes.deployments, cut, follow('watched', shoot.name)),
        twin && playOutage(place, twin, unwatchedOnes.deployments, cut, follow('unwatched', twin.name)),
      ]);
      onOutage({ number: from + index + 1, watched: guarded, unwatched: harmed });
    });
    await Promise.race([Promise.all(round), failed.promise]);
  }
  goesOn(() => 'ending all processes');
}

import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Law } from '../law.ts';
import { sleeperNames } from '../seed-plan.ts';
import { longestBlindness } from './troubles.ts';

/** Simulated seconds: a look costs. */
const lookEvery = 10;
/** The news of it may come late, and a machine that a bug ended may start again before it is told. */
const lag: Millis = longestBlindness + 60_000;
/** Whoever asks for metrics may get a rendering that is a second old (9.2). */
const renderedWithin: Millis = 5_000;

type Departure = Readonly<{ process: string; subject: string; at: Instant }>;

/** What a process has of a shoot goes with the shoot: its machines, and every series that bears its name. */
export const boundsOfTheGone: Law = {
  name: '7.2 9.2 what is gone leaves nothing behind',
  begin(scene, { breaks }) {
    const sleepers = sleeperNames(scene.plan.asleep);
    /** By process, the machines that live. */
    const living = new Map<string, Set<string>>();
    /** Since when a machine lives on without its shoot, though its process can know that. */
    const without = new Map<string, Instant>();
    let departed: readonly Departure[] = [];
    let [machines, departures, looks] = [0, 0, 0];

    const lives = (process: string, subject: string): boolean => living.get(process)?.has(subject) === true;

    const livesOn = (): void => {
      const shoots = new Set([...scene.seed.shoots.map(({ name }) => name), ...sleepers]);
      for (const { process } of scene.slots) {
        for (const subject of (process && living.get(process.name)) ?? []) {
          machines += 1;
          const key = `${process?.name} ${subject}`;
          const since = without.get(key) ?? scene.now();
          const isBlind = process === undefined || process.isPaused || !hasItsWatch(process.open.watches.keys());
          if (shoots.has(subject.split('/')[0] ?? '')) without.delete(key);
          else without.set(key, isBlind ? scene.now() : since);
          if (scene.now() - (without.get(key) ?? scene.now()) > lag)
            breaks(`${key}: its machine lives, and its shoot has been gone for ${lag / 1_000} s`);
        }
      }
    };

    const readSeries = (): void => {
      const due = departed.filter(({ at }) => at < scene.now() - renderedWithin);
      departed = departed.filter((one) => !due.includes(one));
      for (const { process } of scene.slots) {
        const own = due.filter((one) => one.process === process?.name);
        if (process === undefined || own.length === 0) continue;
        void process.metrics().then((text) => {
          const kept = new Set(subjectsIn(text));
          for (const { subject } of own) {
            departures += 1;
            // It may have come back meanwhile.
            if (kept.has(subject) && !lives(process.name, subject)) breaks(left(process.name, subject));
          }
        });
      }
    };

    return {
      turn({ process, at, turn }) {
        const own = living.get(process) ?? new Set();
        living.set(process, own);
        if (turn.event.type === 'started') own.add(turn.subject);
        if (turn.event.type !== 'ended') return;
        own.delete(turn.subject);
        if (turn.event.because === 'gone') departed = [...departed, { process, subject: turn.subject, at }];
      },
      look() {
        looks += 1;
        if (looks % lookEvery !== 0) return;
        readSeries();
        livesOn();
      },
      async quiet() {
        for (const { process } of scene.slots)
          for (const subject of subjectsIn((await process?.metrics()) ?? ''))
            if (process !== undefined && !lives(process.name, subject)) return breaks(left(process.name, subject));
      },
      counts: () => ({ 'bounds: machines that live': machines, 'bounds: series of what is gone': departures }),
    };
  },
};

/** The stream that tells whether the shoot is there. */
function hasItsWatch(paths: Iterable<string>): boolean {
  return [...paths].some((path) => path.endsWith('/clusters') || path.endsWith('/endpointslices'));
}

function left(process: string, subject: string): string {
  return `${process} has series of ${subject}, for which it has no machine`;
}

/** The machines that the labels of a scrape name, as turns name them. */
function subjectsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bshoot="([^"]+)"|\bnamespace="([^"]+)",service="([^"]+)"/g)].map(
    ([, shoot, namespace, service]) => shoot ?? `${namespace}/${service}`,
  );
}

import type { Instant, Millis } from '../../../src/domain/time.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';
import { sleeperNames } from '../sleepers.ts';
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
  begin(scene) {
    const sleepers = sleeperNames(scene.plan.asleep);
    /** By process, the machines that live. */
    const living = new Map<string, Set<string>>();
    /** Since when a machine lives on without its shoot, though its process can know that. */
    const without = new Map<string, Instant>();
    let departed: readonly Departure[] = [];
    let found: string | undefined;
    let [machines, departures, looks] = [0, 0, 0];

    const livesOn = (): string | undefined => {
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
            return `${key}: its machine lives, and its shoot has been gone for ${lag / 1_000} s`;
        }
      }
      return undefined;
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
            if (kept.has(subject) && living.get(process.name)?.has(subject) !== true)
              found ??= left(process.name, subject);
          }
        });
      }
    };

    return {
      hear(observation) {
        if (observation.kind !== 'turn') return undefined;
        const { process, at, turn } = observation;
        const own = living.get(process) ?? new Set();
        living.set(process, own);
        if (turn.event.type === 'started') own.add(turn.subject);
        if (turn.event.type !== 'ended') return undefined;
        own.delete(turn.subject);
        if (turn.event.because === 'gone') departed = [...departed, { process, subject: turn.subject, at }];
        return undefined;
      },
      look() {
        looks += 1;
        if (found !== undefined || looks % lookEvery !== 0) return found;
        readSeries();
        return livesOn();
      },
      quiet: () => leftBehind(scene, living),
      counts: () => ({ 'bounds: machines that live': machines, 'bounds: series of what is gone': departures }),
    };
  },
};

/** The stream that tells whether the shoot is there. */
function hasItsWatch(paths: Iterable<string>): boolean {
  return [...paths].some((path) => path.endsWith('/clusters') || path.endsWith('/endpointslices'));
}

async function leftBehind(scene: Scene, living: ReadonlyMap<string, ReadonlySet<string>>): Promise<string | undefined> {
  for (const { process } of scene.slots) {
    if (process === undefined) continue;
    for (const subject of subjectsIn(await process.metrics()))
      if (living.get(process.name)?.has(subject) !== true) return left(process.name, subject);
  }
  return undefined;
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

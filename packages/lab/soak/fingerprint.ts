import { createHash } from 'node:crypto';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { drawPlan } from './draw-plan.ts';
import { live } from './life.ts';

export type Fingerprint = Readonly<{ hash: string; observations: number }>;

/** Simulated: long enough for an outage, and short enough for a test. */
const fingerprinted: Millis = 420_000;

/** A hash of everything that is observed of the beginning of a number's life, and of the journals of all its processes. */
export async function fingerprintOf(number: number): Promise<Fingerprint> {
  const hash = createHash('sha256');
  let observations = 0;
  const plan = drawPlan(number);
  await live(
    { ...plan, weather: fingerprinted, happenings: plan.happenings.filter(({ at }) => at < fingerprinted) },
    {
      laws: [],
      endsWithWeather: true,
      keepsProcesses: true,
      observe(seen) {
        observations += 1;
        hash.update(JSON.stringify(seen.kind === 'change' ? { ...seen, of: seen.of.kind } : seen));
      },
      atEnd(scene) {
        for (const process of scene.processes()) for (const piece of process.journal()) hash.update(piece);
      },
    },
  );
  return { hash: hash.digest('hex'), observations };
}

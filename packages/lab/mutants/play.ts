import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from './run-tests.ts';
import { scratchOf } from './scratch.ts';
import { slipped } from './slip.ts';
import type { PlacedSlip } from './slips.ts';

/** `hung` counts as seen: somebody would notice. */
type Fate = 'seen' | 'hung' | 'lives';

export type Played = PlacedSlip & Readonly<{ fate: Fate; tookMs: number }>;

/** Puts each slip into a copy of the checkout, one at a time, and takes it out again. Reports the result of each. */
export async function playSlips(
  root: string,
  slips: readonly PlacedSlip[],
  { jobs, onPlayed }: Readonly<{ jobs: number; onPlayed: (played: Played) => void }>,
): Promise<readonly Played[]> {
  const waiting = [...slips];
  const all: Played[] = [];
  const work = async () => {
    const scratch = scratchOf(root);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const played = await playOne(scratch, next, jobs > 1 ? 1 : undefined);
      all.push(played);
      onPlayed(played);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return all;
}

async function playOne(scratch: string, placed: PlacedSlip, workers: number | undefined): Promise<Played> {
  const path = join(scratch, placed.slip.file);
  const text = readFileSync(path, 'utf8');
  const begin = performance.now();
  writeFileSync(path, slipped(text, placed.slip));
  try {
    const { outcome } = await runTests(scratch, placed.slip.tests, workers);
    const fate = outcome === 'passed' ? 'lives' : outcome === 'hung' ? 'hung' : 'seen';
    return { ...placed, fate, tookMs: performance.now() - begin };
  } finally {
    writeFileSync(path, text);
  }
}
